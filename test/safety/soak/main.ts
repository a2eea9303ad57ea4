/**
 * The soak tests: `pnpm soak` runs every part, `pnpm soak sim kill` some of them. Each part prints
 * a line with its figures; the exit code is 1 when one of them broke a rule.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import type { Fault } from "@catalog/sandbox";

import { playMixed } from "../../contract/behavior/play-mixed.ts";
import { BEHAVIORS, judgePlayed } from "../../contract/behavior/unavoidable.ts";
import type { PlayedFuzz } from "../../files/bad-files/fuzz.ts";
import { playResults } from "../../files/results/play-results.ts";
import { runScript } from "../../helpers/processes/run-script.ts";
import {
  bitFlippedAt,
  DELETED,
  fullAt,
  logCutAt,
  OLD_COPY,
  tryDamage,
} from "../disk/try-damage.ts";
import { canWatch, watchCalls } from "../disk/wal-first.ts";
import { CELLS, tryCells } from "../fault-matrix/try-cell.ts";
import { playActionStorm } from "../kill/action-storm.ts";
import { CRASH_POINTS, RECOVERY_POINTS } from "../kill/crash-points.ts";
import { compareStates, finishRun, openKillScenario } from "../kill/kill-scenario.ts";
import {
  KILL_MIXES,
  type KillMix,
  type KillStormResult,
  playKillStorm,
} from "../kill/kill-storm.ts";
import { playStockStorm } from "../kill/stock-storm.ts";
import { tryPoints } from "../kill/try-point.ts";
import {
  type FaultName,
  playWorkerStorm,
  STORM_FAULTS,
  type WorkerStormResult,
} from "../kill/worker-storm.ts";
import { OUTAGES, playOutage } from "../outage/outages.ts";
import type { BrokenSeed, PlayedSeeds } from "../simulation/play-seeds.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1000000" },
    // Worlds of several machines, and the first seed.
    worlds: { type: "string", default: "500" },
    from: { type: "string", default: "0" },
    processes: { type: "string", default: "2" },
    kills: { type: "string", default: "300" },
    rows: { type: "string", default: "1500" },
    seed: { type: "string", default: "1" },
    files: { type: "string", default: "1000" },
    // What happens to workers besides kills, such as "server,suspend"; "none" for kills alone.
    faults: { type: "string", default: "all" },
    // Kills of workers to one fault of each kind, where all kinds are to be as frequent.
    every: { type: "string" },
    // Share of this process among several, such as "1/2" or "2/2", for the parts that can be
    // shared.
    share: { type: "string", default: "1/1" },
  },
});

/** A part returns its figures, and whether they are as expected. */
type Part = () => Promise<{ readonly isGood: boolean; readonly figures: object }>;

const PARTS: Readonly<Record<string, Part>> = {
  sim: soakSimulation,
  machines: soakMachines,
  mutants: soakMutants,
  points: soakPoints,
  kill: () => soakKills(false),
  mixes: soakMixes,
  stocks: soakStocks,
  actions: soakActions,
  workers: soakWorkers,
  outages: soakOutages,
  control: () => soakKills(true),
  answers: soakAnswers,
  matrix: soakMatrix,
  disk: soakDisk,
  fsync: soakFsync,
  fuzz: soakFuzz,
  mixed: soakMixed,
  results: soakResults,
};

/** Every process plays its share of the seeds in slices, so that a broken one is reported early. */
async function soakSimulation(): ReturnType<Part> {
  const [seeds, processes] = [Number(values.seeds), Number(values.processes)];
  const slice = Math.min(50_000, Math.ceil(seeds / processes));
  const sums = new Map<string, number>();
  let next = 0;
  const broken: BrokenSeed[] = [];
  const work = async (): Promise<void> => {
    while (next < seeds) {
      const [from, count] = [next, Math.min(slice, seeds - next)];
      next += count;
      const flags = ["--from", `${from}`, "--count", `${count}`, "--json"];
      const { out, err } = await runScript("safety/simulation/main.ts", flags);
      if (out === "") throw new Error(`seeds from ${from}: ${err}`);
      const { broken: found, ...played }: PlayedSeeds = JSON.parse(out);
      for (const [name, value] of Object.entries(played)) {
        sums.set(name, (sums.get(name) ?? 0) + value);
      }
      broken.push(...found);
      console.log(`  seeds ${from} to ${from + count - 1}: ${found.length} broken`);
      for (const { seed, broken: rules } of found) {
        console.log(`  pnpm sim --seed ${seed}: ${rules.join("; ")}`);
      }
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
  const figures = { ...Object.fromEntries(sums), broken: broken.length };
  return { isGood: broken.length === 0 && sums.get("worlds") === seeds, figures };
}

/** Worlds of several machines on PostgreSQL, in one process with a server of its own. */
async function soakMachines(): ReturnType<Part> {
  const flags = ["--machines", "--from", values.from, "--count", values.worlds, "--json"];
  const { out, err } = await runScript("safety/simulation/main.ts", flags);
  if (out === "") throw new Error(`worlds from ${values.from}: ${err}`);
  const played: PlayedSeeds = JSON.parse(out);
  return { isGood: played.broken.length === 0, figures: played };
}

async function soakMutants(): ReturnType<Part> {
  const { out } = await runScript("safety/mutants/main.ts", []);
  const lines = out.split("\n").filter(Boolean);
  const missed = lines.filter((line) => JSON.parse(line).seed === null);
  return {
    isGood: lines.length > 0 && missed.length === 0,
    figures: { mutants: lines.length, missed },
  };
}

const REPEATS = [1, 2, 3];

async function soakPoints(): ReturnType<Part> {
  const plans = [
    ...CRASH_POINTS.map(({ name }) => [name]),
    // A recovery point is reached only after a start that died while sending.
    ...RECOVERY_POINTS.map(({ name }) => ["begun", name]),
  ];
  let deaths = 0;
  const wrong: string[] = [];
  for (const plan of plans) {
    for (const nth of REPEATS) {
      const tried = await tryPoints(plan, nth);
      deaths += tried.deaths;
      for (const what of tried.wrong) wrong.push(`${plan.join(", ")} ${nth}: ${what}`);
    }
  }
  return { isGood: wrong.length === 0, figures: { points: plans.length, deaths, wrong } };
}

async function soakKills(control: boolean): ReturnType<Part> {
  const [rows, kills] = [Number(values.rows), Number(values.kills)];
  const result = await playKillStorm({
    ...(control ? { rows: Math.ceil(rows / 3), kills: Math.ceil(kills / 3) } : { rows, kills }),
    seed: Number(values.seed),
    orders: { control },
    onProgress: (soFar) => {
      if (soFar % 20 === 0) console.log(`  ${soFar} kills`);
    },
  });
  const { wrong, ...figures } = result;
  if (control) return { isGood: result.doubles > 0, figures };
  return { isGood: wrong.length === 0, figures: { ...figures, wrong: wrong.slice(0, 20) } };
}

const STOCK_ROWS = 60;

/** Kills of runs whose prices are held while their stock is sent apart. */
async function soakStocks(): ReturnType<Part> {
  const { wrong, ...figures } = await playStockStorm({
    rows: STOCK_ROWS,
    kills: Number(values.kills),
    seed: Number(values.seed),
  });
  const isGood = wrong.length === 0 && figures.doubles === 0;
  return { isGood, figures: { ...figures, wrong: wrong.slice(0, 20) } };
}

/** Lists of actions of every kind, also where codes are hidden or another person is at work. */
async function soakActions(): ReturnType<Part> {
  const [rows, kills, seed] = [Number(values.rows), Number(values.kills), Number(values.seed)];
  const busy = { otherShare: 0.2, personality: { "other-person": "a-tenth" } } as const;
  const lists = [
    { kind: "answers", ...busy },
    { kind: "accepts", ...busy },
    { kind: "codes", ...busy },
    { kind: "codes", isHidden: true },
  ] as const;
  const figures: object[] = [];
  let isGood = true;
  for (const list of lists) {
    const { wrong, ...played } = await playActionStorm({ ...list, rows, kills, seed });
    isGood &&= wrong.length === 0 && played.repeated === 0;
    figures.push({ ...list, ...played, wrong: wrong.slice(0, 20) });
  }
  return { isGood, figures };
}

const MIX_ROWS = 120;

/** Longest time until a worker has started the command of a run that another one has left. */
const MAX_TAKE_OVER_MS = 60_000;

/**
 * The same where a machine sleeps: its lease ends after 55 s, and the server ends a transaction that
 * it was in after 20 s more.
 */
const MAX_ASLEEP_MS = 100_000;

/** Two workers on PostgreSQL that are killed in turn, and what else happens to them. */
async function soakWorkers(): ReturnType<Part> {
  const rows = Number(values.rows);
  const played = await playWorkerStorm({
    rows,
    kills: Number(values.kills),
    seed: Number(values.seed),
    faults: readFaults(),
    faultEvery: values.every === undefined ? undefined : Number(values.every),
    onProgress: (text) => process.stderr.write(`${new Date().toISOString()} ${text}\n`),
  });
  const isInTime = Object.entries(played.takeOversMs).every(
    ([fault, ms]) => ms <= (fault === "suspend" ? MAX_ASLEEP_MS : MAX_TAKE_OVER_MS),
  );
  return { isGood: isAccounted(played, rows) && isInTime, figures: { ...played, load: loadavg() } };
}

const OUTAGE_ROWS = 200;
const LOSSY = "a replica takes over without the newest commits";

/** Imports whose database goes away in every way that is meant to heal by itself. */
async function soakOutages(): ReturnType<Part> {
  const figures: Record<string, object> = {};
  let isGood = true;
  for (const [name, open] of Object.entries(OUTAGES)) {
    const played = await playOutage(open, OUTAGE_ROWS);
    figures[name] = played ?? { skipped: "nobody may mount a file system here" };
    if (played === undefined) continue;
    const { code, counts, products, doubles } = played;
    const { added = 0, held = 0 } = counts;
    const isWhole = added + held === OUTAGE_ROWS && products === OUTAGE_ROWS && doubles === 0;
    // What a replica has not received needs a person.
    const isHealed = held === 0 ? code === 0 : code === 5 && name === LOSSY;
    isGood &&= isWhole && isHealed;
  }
  return { isGood, figures };
}

/** Whether no product is there twice, and every row is in one class that is an end. */
function isAccounted({ doubles, products, counts }: WorkerStormResult, rows: number): boolean {
  const { rows: told, ...classes } = counts;
  const sum = Object.values(classes).reduce((all, count) => all + count, 0);
  const isWhole = told === rows && sum === rows && products + (classes["held"] ?? 0) === rows;
  return doubles === 0 && isWhole && classes["unknown"] === 0 && classes["pending"] === 0;
}

/** The faults of `--faults`, such as `server,drop`; all where it is not given. */
function readFaults(): readonly FaultName[] {
  if (values.faults === "all") return STORM_FAULTS;
  return STORM_FAULTS.filter((name) => values.faults.split(",").includes(name));
}

/** Plays kills over all mixes, each in a marketplace of its own. */
async function soakMixes(): ReturnType<Part> {
  const kills = Math.ceil(Number(values.kills) / KILL_MIXES.length);
  const [which = 1, of = 1] = values.share.split("/").map(Number);
  const sum = { kills: 0, starts: 0, restored: 0, done: 0, held: 0, doubles: 0 };
  const wrong: string[] = [];
  const mine = [...KILL_MIXES.entries()].filter(([at]) => at % of === which - 1);
  for (const [at, mix] of mine) {
    const played = await playMix(mix, Number(values.seed) + at, kills);
    for (const key of ["kills", "starts", "restored", "done", "held", "doubles"] as const) {
      sum[key] += played[key];
    }
    for (const what of played.wrong) wrong.push(`${mix.name}: ${what}`);
    console.log(`  ${mix.name}: ${JSON.stringify({ ...played, wrong: played.wrong.length })}`);
  }
  return { isGood: wrong.length === 0, figures: { ...sum, wrong: wrong.slice(0, 20) } };
}

async function playMix(
  { mayDouble = false, isTwice = false, isRestored = false, ...store }: KillMix,
  seed: number,
  kills: number,
): Promise<KillStormResult> {
  const rows = MIX_ROWS;
  const played = await playKillStorm({ rows, kills, seed, store, isTwice, isRestored });
  const { doubles, wrong } = played;
  if (doubles === 0 || mayDouble) return played;
  return { ...played, wrong: [...wrong, `${doubles} products were added twice`] };
}

/** Maximum share of rows that may be held. */
const MAX_HELD_SHARE = 0.003;

/** Shares of the adds that get each fault: one in eight in all. */
const BAD_ANSWERS: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.add", rate: 0.05 },
  { kind: "error-after", endpoint: "product.add", rate: 0.03 },
  { kind: "too-many", endpoint: "product.add", rate: 0.03, ms: 1_000 },
  { kind: "truncated-with-length", endpoint: "product.add", rate: 0.01 },
  { kind: "truncated-without-length", endpoint: "product.add", rate: 0.01 },
  { kind: "html", endpoint: "product.add", rate: 0.01 },
];

/** An import in a marketplace that answers one add in eight wrongly. */
async function soakAnswers(): ReturnType<Part> {
  const rows = 2_000;
  const seed = `answers ${values.seed}`;
  await using shop = await openKillScenario({ rows, faults: BAD_ANSWERS, seed });
  const codes = await finishRun(shop, undefined);
  const { adds } = shop.sandbox.stats();
  const { wrong, ...figures } = compareStates(shop, rows);
  const isGood = wrong.length === 0 && figures.held <= rows * MAX_HELD_SHARE;
  return { isGood, figures: { codes, adds, ...figures, wrong: wrong.slice(0, 20) } };
}

const MATRIX_ROUNDS = 3;

async function soakMatrix(): ReturnType<Part> {
  const wrong: string[] = [];
  for (let round = 0; round < MATRIX_ROUNDS; round += 1) wrong.push(...(await tryCells(CELLS)));
  return { isGood: wrong.length === 0, figures: { cells: CELLS.length, MATRIX_ROUNDS, wrong } };
}

const SHARES = Array.from({ length: 19 }, (_, at) => (at + 1) / 20);
const SIZES_KB = Array.from({ length: 20 }, (_, at) => 100 + 40 * at);

/** A damage after which the program refuses to continue counts as survived. */
async function soakDisk(): ReturnType<Part> {
  const damages = [
    ...SIZES_KB.map((size) => fullAt(size)),
    ...SHARES.flatMap((share) => [logCutAt(share), bitFlippedAt(share)]),
    OLD_COPY,
    DELETED,
  ];
  const wrong: string[] = [];
  let refused = 0;
  for (const damage of damages) {
    const { doubles, lost, isRefused, code } = await tryDamage(damage);
    if (isRefused) refused += 1;
    const isGood = doubles.length + lost.length === 0 && (code === 0 || code === 5);
    if (!isGood) wrong.push(`${damage.name}: ${JSON.stringify({ code, doubles, lost })}`);
  }
  return { isGood: wrong.length === 0, figures: { damages: damages.length, refused, wrong } };
}

const WATCHED_ROWS = 40;

/** Checks by system calls that nothing is sent before it is on the disk. */
async function soakFsync(): ReturnType<Part> {
  if (!canWatch()) return { isGood: true, figures: { skipped: "strace is not here, or may not" } };
  const figures = await watchCalls(WATCHED_ROWS);
  const isGood = figures.posts === WATCHED_ROWS && figures.early === 0;
  return { isGood, figures };
}

/** Damaged files are read in a process of its own, so that its memory can be measured. */
async function soakFuzz(): ReturnType<Part> {
  const { code, out, err } = await runScript("files/bad-files/fuzz.ts", [
    "--seeds",
    values.files,
    "--json",
  ]);
  if (out === "") throw new Error(`fuzz: ${err}`);
  const figures: PlayedFuzz = JSON.parse(out);
  const isGood = code === 0 && figures.files === Number(values.files);
  return { isGood, figures: { ...figures, complaints: err.split("\n").filter(Boolean) } };
}

const MIXED_ROWS = 1_000;

/** Fewer calls than such a sheet needs, so that the hourly limit is reached on the way. */
const MIXED_CALLS = 400;

/** Plays a thousand rows of every kind in a store of each behavior. */
async function soakMixed(): ReturnType<Part> {
  const wrong: string[] = [];
  const otherwise: Record<string, number> = {};
  let rows = 0;
  for (const one of BEHAVIORS) {
    const behavior = [one];
    const requestsPerHour = one.startsWith("hourly-limit") ? MIXED_CALLS : undefined;
    const played = await playMixed({ behavior, rows: MIXED_ROWS, requestsPerHour });
    rows += played.rows;
    for (const text of judgePlayed(behavior, played)) wrong.push(`${one}: ${text}`);
    for (const [kind, count] of Object.entries(played.otherwise)) {
      otherwise[`${one}: ${kind}`] = count;
    }
    console.log(`  ${one}: ${played.calls} calls, gone on with ${played.resumes} times`);
  }
  const figures = { personalities: BEHAVIORS.length, rows, otherwise, wrong };
  return { isGood: wrong.length === 0, figures };
}

const RESULT_RUNS = 500;

/** Checks the result files of many runs with failures and answers in any order. */
async function soakResults(): ReturnType<Part> {
  const home = mkdtempSync(join(tmpdir(), "catalog-soak-"));
  const wrong: string[] = [];
  try {
    const first = Number(values.seed) * 1_000;
    for (let run = 0; run < RESULT_RUNS; run += 1) {
      wrong.push(...(await playResults(home, first + run)));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const figures = { runs: RESULT_RUNS, wrong: wrong.slice(0, 20) };
  return { isGood: wrong.length === 0, figures };
}

const chosen = positionals.length === 0 ? Object.keys(PARTS) : positionals;
for (const name of chosen) {
  const part = PARTS[name];
  if (part === undefined) throw new RangeError(`the parts are ${Object.keys(PARTS).join(", ")}`);
  const startedMs = performance.now();
  const { isGood, figures } = await part();
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`${isGood ? "✓" : "✗"} ${name} (${seconds} s) ${JSON.stringify(figures)}`);
  if (!isGood) process.exitCode = 1;
}
// A server of PostgreSQL that a part has started would keep this process alive; it ends with it.
process.exit();
