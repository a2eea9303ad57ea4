/**
 * Runs cases in processes of their own, alternating within a round, and takes medians over rounds.
 */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { SOURCE_PATHS, toAbsolutePath } from "../helpers/source-paths.ts";
import type { CaseCost } from "./case-report.ts";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = toAbsolutePath(SOURCE_PATHS.catalogProgram);

/** With which the command of a checkout and that of the package start it. */
const MEMORY_FLAG = "--max-semi-space-size=16";

/** The files of `cases/`. */
export const CASE_NAMES = [
  "apply",
  "calls",
  "ledger",
  "names",
  "nested",
  "papaparse",
  "plan",
  "script",
  "write-xlsx",
] as const;

/** A file of `cases/`, and its arguments. */
export type Case = readonly [
  name: (typeof CASE_NAMES)[number],
  ...args: readonly (string | number)[],
];

/** One line of the table. */
export interface Figure {
  readonly row: number;
  readonly what: string;
  readonly ours: string;
  /** What it is compared with; empty where the limit is absolute. */
  readonly peer: string;
  /** The value that is compared with `limit`. */
  readonly value: number;
  readonly limit: number;
  /** Unit of value and limit. */
  readonly unit: "x" | "ms" | "MB" | "calls" | "calls a row" | "share";
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
export const megabytes = (mb: number): string => `${Math.round(mb)} MB`;

/** Peak memory with its limit. */
export const memory = (
  row: number,
  what: string,
  peak: readonly [mb: number, limit: number],
): Figure => ({
  row,
  what: `${what}, peak memory`,
  ours: megabytes(peak[0]),
  peer: "",
  value: peak[0],
  limit: peak[1],
  unit: "MB",
});

/** What the rows measure with. */
export interface Bench {
  /** A temporary folder. */
  readonly folder: string;
  readonly rounds: number;
  /** Share of the full size of every row, from 0 to 1. */
  readonly scale: number;
}

export type MeasureRow = (bench: Bench) => Promise<readonly Figure[]>;

/** The size of a row in products, rows or calls; at least 1. */
export const sized = ({ scale }: Bench, full: number): number =>
  Math.max(1, Math.round(full * scale));

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: folder,
  XDG_CACHE_HOME: folder,
  // The program keeps its compiled code in the folder as well.
  NODE_COMPILE_CACHE: join(folder, "compiled"),
});

/** Runs a case once. */
export async function runCase(
  { folder }: Bench,
  [name, ...args]: Case,
  env: Readonly<Record<string, string>> = {},
): Promise<CaseCost> {
  const path = fileURLToPath(new URL(`./cases/${name}.ts`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args.map(String)], {
    env: { ...environment(folder), ...env },
  });
  const cost: CaseCost = JSON.parse(stdout);
  return cost;
}

/** Medians of each case's counts and costs; the cases alternate, so that noise affects all. */
export async function compareCases<Name extends string>(
  bench: Bench,
  cases: Readonly<Record<Name, () => Promise<CaseCost>>>,
): Promise<Readonly<Record<Name, CaseCost>>>;
export async function compareCases(
  bench: Bench,
  cases: Readonly<Record<string, () => Promise<CaseCost>>>,
): Promise<Readonly<Record<string, CaseCost>>> {
  const runs = new Map<string, CaseCost[]>(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const [name, run] of Object.entries(cases)) runs.get(name)?.push(await run());
  }
  return Object.fromEntries([...runs].map(([name, costs]) => [name, middleOf(costs)]));
}

function middleOf(costs: readonly CaseCost[]): CaseCost {
  const names = Object.keys(costs[0]?.counts ?? {});
  return {
    ms: median(costs.map(({ ms }) => ms)),
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    peakMb: median(costs.map(({ peakMb }) => peakMb)),
    counts: Object.fromEntries(
      names.map((name) => [name, median(costs.map(({ counts }) => counts[name] ?? 0))]),
    ),
  };
}

/** How a command line of the program is started. */
export const startCommand = (
  bench: Bench,
  words: readonly string[],
): readonly [
  program: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv },
] => [process.execPath, [MEMORY_FLAG, MAIN, ...words], { env: environment(bench.folder) }];

/** Module that prints the processor time in ms and the peak memory in MB as the last line. */
const TELL_COST = `data:text/javascript,process.on("exit",()=>{
  const {userCPUTime,systemCPUTime,maxRSS}=process.resourceUsage();
  process.stdout.write("\\n"+JSON.stringify([(userCPUTime+systemCPUTime)/1000,maxRSS/1024]));
})`;

/** Runs a command line of the program, or an empty script where there is none. */
export async function timeCommand(
  bench: Bench,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CaseCost> {
  const [program, args, options] = startCommand(bench, words);
  const called = words.length === 0 ? ["-e", "0"] : args;
  const begunMs = performance.now();
  const all = ["--import", TELL_COST, ...called];
  const place = { env: { ...options.env, ...env } };
  const { stdout } = await promisify(execFile)(program, all, place);
  const ms = performance.now() - begunMs;
  const [cpuMs, peakMb]: [number, number] = JSON.parse(stdout.split("\n").at(-1) ?? "");
  return { ms, cpuMs, peakMb, counts: {} };
}

/** A server that runs until it is disposed of. */
export interface Served extends Disposable {
  /** The first line that it printed. */
  readonly line: string;
}

/** Starts a script of this folder, or the program, and waits for the line that it prints. */
export async function serve(bench: Bench, words: readonly string[]): Promise<Served> {
  const [first = "", ...rest] = words;
  const script = first.endsWith(".ts")
    ? [fileURLToPath(new URL(`./${first}`, import.meta.url)), ...rest]
    : [MAIN, ...words];
  const child: ChildProcess = spawn(process.execPath, script, {
    env: environment(bench.folder),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.on("data", (data: Buffer) => resolve(data.toString().split("\n")[0] ?? ""));
  child.on("error", reject);
  return { line: await promise, [Symbol.dispose]: () => void child.kill() };
}
