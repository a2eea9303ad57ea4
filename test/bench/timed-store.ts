/** A sandbox whose answers take a fixed time, and commands of the program that are timed against it. */

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { type Bench, runCase, serve, startCommand } from "./bench-tools.ts";
import { type Credentials, toEnvironment } from "./credentials.ts";

/** Maximum output of a command. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** One command, its time and its calls. */
export interface TimedCommand {
  readonly ms: number;
  readonly calls: number;
  /** The run that the command has made, if any. */
  readonly run: string;
}

interface Told {
  readonly run?: string;
  readonly requests: { readonly total: number };
}

/** What `export` writes of a product. */
export interface StockLine {
  readonly product_code: string;
  readonly stock: number;
}

export interface TimedStore extends Disposable {
  /** Runs a command with a home of its own, or with that of an earlier one. */
  run(words: readonly string[], home: string): Promise<TimedCommand>;
  /** Exports all products, and returns their codes and stocks beside the time that it took. */
  export(home: string, words?: readonly string[]): Promise<TimedExport>;
  /** Runs a job of `cases/script.ts` with a file. */
  script(job: string, path: string): Promise<TimedCommand>;
  /** Writes a sheet with the codes and stocks of products. */
  writeSheet(name: string, lines: readonly StockLine[]): string;
}

export interface TimedExport extends TimedCommand {
  readonly lines: readonly StockLine[];
}

/** Starts a sandbox that answers each call after the given time. */
export async function openTimedStore(
  bench: Bench,
  { products, latencyMs }: { readonly products: number; readonly latencyMs: number },
): Promise<TimedStore> {
  const size = ["--products", String(products), "--latency-ms", String(latencyMs)];
  const sandbox = await serve(bench, ["sandbox", "--json", ...size]);
  const told: Credentials = JSON.parse(sandbox.line);

  async function run(words: readonly string[], home: string): Promise<TimedCommand> {
    const [program, args, options] = startCommand(bench, [...words, "--json"]);
    const env = {
      ...options.env,
      ...toEnvironment(told),
      CATALOG_HOME: join(bench.folder, "homes", home),
    };
    const begunMs = performance.now();
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: bench.folder,
      env,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    const ms = performance.now() - begunMs;
    const { run: id = "", requests }: Told = JSON.parse(stdout);
    return { ms, calls: requests.total, run: id };
  }

  return {
    run,
    async script(job, path) {
      const begunMs = performance.now();
      const { counts } = await runCase(bench, ["script", job, path], toEnvironment(told));
      return { ms: performance.now() - begunMs, calls: counts["calls"] ?? 0, run: "" };
    },
    async export(home, words = []) {
      const path = join(bench.folder, `${home}.jsonl`);
      const out = ["export", "products", "--format", "jsonl", "--out", path];
      const timed = await run([...out, ...words], home);
      const texts = readFileSync(path, "utf8").split("\n").filter(Boolean);
      return { ...timed, lines: texts.map((text): StockLine => JSON.parse(text)) };
    },
    writeSheet(name, lines) {
      const path = join(bench.folder, name);
      const rows = lines.map(({ product_code: code, stock }) => `${code};${stock}\n`);
      writeFileSync(path, `Ürün Kodu;Stok\n${rows.join("")}`);
      return path;
    },
    [Symbol.dispose]: () => sandbox[Symbol.dispose](),
  };
}
