/**
 * Row 15: the daily jobs through the command, against what a developer would write in an
 * afternoon (`cases/script.ts`), on a marketplace that takes 0, 20 or 100 ms for each answer. Both
 * times are those of whole processes, start included. The jobs of both take turns.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { goodRow, HEADERS } from "../../helpers/product-sheet.ts";
import { type Bench, type Figure, median, seconds, sized } from "../bench-tools.ts";
import {
  openTimedStore,
  type StockLine,
  type TimedCommand,
  type TimedStore,
} from "../timed-store.ts";

/** Times of an answer in milliseconds, each with the maximum of our time as a multiple. */
const LATENCIES: readonly (readonly [latencyMs: number, limit: number])[] = [
  [0, 8],
  [20, 2],
  [100, 1.15],
];
const MAX_ADD_RATIO = 1.3;
const MAX_CALLS_AN_ADD = 1.1;
const SYNCED_ROWS = 50;

/** A job as we do it and as the script does. */
interface Played {
  readonly ours: TimedCommand;
  readonly script: TimedCommand;
}

type JobName = "plan" | "adds" | "updates" | "export" | "sync";

interface Round extends Readonly<Record<JobName, Played>> {
  /** Our calls of a plan of the same new products. */
  readonly addPlanCalls: number;
}

/** Writes a sheet of new products, in a few categories and brands. */
function writeAdds(bench: Bench, name: string, rows: number): string {
  const path = join(bench.folder, `${name}.csv`);
  const lines = Array.from({ length: rows }, (_, at) => {
    const row = goodRow(at + 1, { "Ürün Kodu *": `${name}-${at + 1}` });
    return HEADERS.map((header) => `"${String(row[header]).replaceAll('"', '""')}"`).join(";");
  });
  writeFileSync(path, `${HEADERS.join(";")}\n${lines.join("\n")}\n`);
  return path;
}

const IMPORT: readonly string[] = ["--yes", "--report"];

async function playRound(bench: Bench, store: TimedStore, name: string): Promise<Round> {
  const reports = join(bench.folder, `${name}-reports`);
  const file = (words: string): string => join(bench.folder, `${name}-${words}`);
  const importSheet = (sheet: string, home: string): Promise<TimedCommand> =>
    store.run(["import", sheet, ...IMPORT, join(reports, home)], `${name}-${home}`);
  const { lines, ...exported } = await store.export(`${name}-export`);
  const change = (by: number, rows: number, sheet: string): string =>
    store.writeSheet(`${name}-${sheet}.csv`, lines.map(raise(by, rows)));

  const same = change(0, 0, "same");
  const plan: Played = {
    ours: await store.run(["plan", same], `${name}-plan`),
    script: await store.script("plan", same),
  };
  const [mine, others] = ["ours", "script"].map((who) =>
    writeAdds(bench, `${name}-${who}`, sized(bench, 500)),
  );
  const { calls: addPlanCalls } = await store.run(["plan", mine ?? ""], `${name}-add-plan`);
  const adds: Played = {
    ours: await importSheet(mine ?? "", "adds"),
    script: await store.script("adds", others ?? ""),
  };
  const updates: Played = {
    ours: await importSheet(change(1, sized(bench, 1_000), "once"), "updates"),
    script: await store.script("updates", change(2, sized(bench, 1_000), "twice")),
  };
  const synced = sized(bench, SYNCED_ROWS);
  const feed = file("feed.csv");
  const sync = async (by: number): Promise<TimedCommand> => {
    writeFileSync(feed, readSheet(lines, by, synced));
    return await store.run(["sync", feed, "--report", join(reports, "sync")], `${name}-sync`);
  };
  await sync(3);
  return {
    plan,
    adds,
    addPlanCalls,
    updates,
    export: { ours: exported, script: await store.script("export", file("script.jsonl")) },
    sync: { ours: await sync(4), script: await store.script("updates", change(5, synced, "fed")) },
  };
}

/** Raises the stock of the first rows. */
const raise =
  (by: number, rows: number) =>
  (line: StockLine, at: number): StockLine =>
    at < rows ? { ...line, stock: line.stock + by } : line;

const readSheet = (lines: readonly StockLine[], by: number, rows: number): string =>
  `Ürün Kodu;Stok\n${lines
    .map(raise(by, rows))
    .map(({ product_code, stock }) => `${product_code};${stock}\n`)
    .join("")}`;

export async function measureStore(bench: Bench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [latencyMs, limit] of LATENCIES) {
    using store = await openTimedStore(bench, { products: sized(bench, 5_000), latencyMs });
    const rounds: Round[] = [];
    for (let n = 0; n < bench.rounds; n += 1) {
      rounds.push(await playRound(bench, store, `at-${latencyMs}-${n}`));
    }
    figures.push(...describe(bench, rounds, { latencyMs, limit }));
  }
  return figures;
}

interface Pace {
  readonly latencyMs: number;
  readonly limit: number;
}

function describe(bench: Bench, rounds: readonly Round[], pace: Pace): readonly Figure[] {
  const { latencyMs, limit } = pace;
  const at = `${latencyMs} ms an answer`;
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  const ratio = (what: string, name: JobName, max: number): Figure => {
    const told = (who: keyof Played): string =>
      `${seconds(middle((round) => round[name][who].ms))}, ${middle((round) => round[name][who].calls)} calls`;
    return {
      row: 15,
      what: `${what}, ${at}`,
      ours: told("ours"),
      peer: `script ${told("script")}`,
      value: middle((round) => round[name].ours.ms) / middle((round) => round[name].script.ms),
      limit: max,
      unit: "x",
    };
  };
  const adds = sized(bench, 500);
  const beside = middle(({ adds: { ours }, addPlanCalls }) => ours.calls - addPlanCalls);
  return [
    ratio(`plan of ${sized(bench, 5_000)} unchanged rows`, "plan", limit),
    ratio(`${adds} adds`, "adds", latencyMs === 100 ? MAX_ADD_RATIO : limit),
    ratio(`${sized(bench, 1_000)} updates`, "updates", limit),
    ratio(`export of ${sized(bench, 5_000)} products`, "export", limit),
    ratio(`sync with ${sized(bench, SYNCED_ROWS)} changes`, "sync", limit),
    {
      row: 15,
      what: `${adds} adds, ${at}: calls of each beside listing and names`,
      ours: `${beside} calls`,
      peer: `${adds} rows`,
      value: beside / adds,
      limit: MAX_CALLS_AN_ADD,
      unit: "calls a row",
    },
  ];
}
