/** What is measured, the reference, and the limit of their ratio. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createBenchProducts } from "./bench-sheet.ts";
import {
  type Bench,
  compareCases,
  type Figure,
  type MeasureRow,
  megabytes,
  memory,
  runCase,
  seconds,
  serve,
  sized,
  timeCommand,
} from "./bench-tools.ts";
import type { CaseCost } from "./case-report.ts";
import { measureMillionCsv, measureMillionWorkbook } from "./rows/million-row.ts";
import { measureNames } from "./rows/names-row.ts";
import { measureNested } from "./rows/nested-row.ts";
import { measurePage } from "./rows/page-row.ts";
import { planRow } from "./rows/plan-row.ts";
import { measureIsolation, measurePostgres } from "./rows/postgres-row.ts";
import { measureProducts } from "./rows/products-row.ts";
import { measureStore } from "./rows/store-row.ts";
import { measureTeam, measureTeamMemory } from "./rows/team-row.ts";
import { measureWorkbook } from "./rows/workbook-row.ts";
import { measureWorkers } from "./rows/workers-row.ts";

const measureResultFile: MeasureRow = async (bench) => {
  const rows = sized(bench, 100_000);
  const path = join(bench.folder, "out.xlsx");
  const costs = await compareCases(bench, {
    peer: () => runCase(bench, ["write-xlsx", "exceljs", rows, path]),
    ours: () => runCase(bench, ["write-xlsx", "ours", rows, path]),
  });
  const what = `result.xlsx of ${rows} rows`;
  return [
    {
      row: 4,
      what,
      ours: `${seconds(costs.ours.ms)}, CPU ${seconds(costs.ours.cpuMs)}`,
      peer: `exceljs ${seconds(costs.peer.ms)}, CPU ${seconds(costs.peer.cpuMs)}, ${megabytes(costs.peer.peakMb)}`,
      value: costs.ours.ms / costs.peer.ms,
      limit: 1.15,
      unit: "x",
    },
    memory(4, what, [costs.ours.peakMb, 400]),
  ];
};

const LATENCY_MS = 50;
const CONCURRENCY = 8;

function writeUpdates(bench: Bench, rows: number): string {
  const path = join(bench.folder, `updates-${rows}.csv`);
  const make = createBenchProducts();
  const lines = Array.from({ length: rows }, (_, at) => `${make(at + 1).cells[0]};${at % 90}`);
  writeFileSync(path, `Ürün Kodu;Stok\n${lines.join("\n")}\n`);
  return path;
}

const measureApply: MeasureRow = async (bench) => {
  const rows = sized(bench, 2_000);
  const path = writeUpdates(bench, rows);
  using server = await serve(bench, ["answering-server.ts", String(LATENCY_MS)]);
  let home = 0;
  const costs = await compareCases(bench, {
    bare: () => runCase(bench, ["calls", server.line, rows]),
    async ours() {
      home += 1;
      const rest = [server.line, join(bench.folder, `apply-${home}`), path, rows] as const;
      await runCase(bench, ["apply", "plan", ...rest]);
      return await runCase(bench, ["apply", "apply", ...rest]);
    },
  });
  const {
    sendingMs = 0,
    sendingCpuMs = 0,
    journalMs = 0,
    writes = 0,
    groups = 0,
  } = costs.ours.counts;
  const idealMs = (writes * LATENCY_MS) / CONCURRENCY;
  const what = `${writes} updates, ${LATENCY_MS} ms each, ${CONCURRENCY} at a time`;
  const cpu = (ms: number): string => `${(ms / writes).toFixed(2)} ms of CPU a row`;
  const ours = `${seconds(sendingMs)}, ${cpu(sendingCpuMs)}`;
  const ideal = `rows x latency / concurrency ${seconds(idealMs)}`;
  const bare = `undici alone ${seconds(costs.bare.ms)}, ${cpu(costs.bare.cpuMs)}`;
  return [
    { row: 6, what, ours, peer: ideal, value: sendingMs / idealMs, limit: 1.05, unit: "x" },
    // Ratio that a machine in use by others makes of the limit itself.
    { row: 6, what, ours, peer: bare, value: sendingMs / costs.bare.ms, limit: 1.05, unit: "x" },
    {
      row: 8,
      what: `the durable write before each call, ${groups} for ${writes} rows`,
      ours: seconds(journalMs),
      peer: `of ${seconds(sendingMs)}`,
      value: journalMs / sendingMs,
      limit: 0.05,
      unit: "share",
    },
  ];
};

const measureResume: MeasureRow = async (bench) => {
  const rows = sized(bench, 50_000);
  const path = writeUpdates(bench, rows);
  using server = await serve(bench, ["answering-server.ts"]);
  const rest = [server.line, join(bench.folder, "resume"), path, rows] as const;
  // The compile cache that every start of the program but the first has.
  const env = { NODE_COMPILE_CACHE: join(bench.folder, "compiled") };
  await runCase(bench, ["apply", "plan", ...rest], env);
  const costs = await compareCases(bench, {
    start: () => timeCommand(bench, ["--version"]),
    ours: () => runCase(bench, ["apply", "first", ...rest], env),
  });
  const { firstMs = 0 } = costs.ours.counts;
  return [
    {
      row: 11,
      what: `resume of ${rows} rows to its first write, over the start of the program`,
      ours: seconds(firstMs),
      peer: `--version ${seconds(costs.start.ms)}`,
      value: firstMs - costs.start.ms,
      limit: 2_000,
      unit: "ms",
    },
  ];
};

/** A store that no command below calls. */
const CLOSED_STORE = {
  CATALOG_BASE_URL: "http://127.0.0.1:1",
  CATALOG_STORE_ID: "5f1d00000000000000000001",
  CATALOG_CLIENT_KEY: "key",
  CATALOG_CLIENT_SECRET: "secret",
};

const inMs = ({ ms, cpuMs }: CaseCost): string =>
  `CPU ${Math.round(cpuMs)} ms, ${Math.round(ms)} ms`;

const measureStart: MeasureRow = async (bench) => {
  const start = (...words: string[]) => timeCommand(bench, words, CLOSED_STORE);
  const commands = {
    "--version": { run: () => start("--version"), times: 3.5, mb: 70 },
    "import --help": { run: () => start("import", "--help"), times: 6.5, mb: 90 },
    "runs --json": { run: () => start("runs", "--json"), times: 12, mb: 110 },
    "schedule list": { run: () => start("schedule", "list"), times: 12.5, mb: 110 },
  };
  // The first start of each compiles for the later ones, and makes the database.
  for (const { run } of Object.values(commands)) await run();
  const cases: Record<string, () => Promise<CaseCost>> = { node: () => start() };
  for (const [name, { run }] of Object.entries(commands)) cases[name] = run;
  const costs = await compareCases({ ...bench, rounds: Math.max(9, bench.rounds) }, cases);
  const node = costs["node"];
  return Object.entries(commands).flatMap(([name, { times, mb }]): readonly Figure[] => {
    const cost = costs[name];
    if (cost === undefined || node === undefined) return [];
    const figure = { row: 10, what: `catalog ${name}`, ours: inMs(cost), unit: "x" } as const;
    return [
      { ...figure, peer: `node -e 0 ${inMs(node)}`, value: cost.cpuMs / node.cpuMs, limit: times },
      memory(10, `catalog ${name}`, [cost.peakMb, mb]),
    ];
  });
};

/** Rows by number, each with its name; rows 6 and 8 are one measurement. */
export const ROWS: ReadonlyMap<number, readonly [name: string, measure: MeasureRow]> = new Map([
  [1, ["plan", planRow(1, 100_000)]],
  [2, ["large-plan", planRow(2, 1_000_000)]],
  [3, ["read-workbook", measureWorkbook]],
  [4, ["result-workbook", measureResultFile]],
  [5, ["read-document", measureNested]],
  [6, ["apply", measureApply]],
  [10, ["start", measureStart]],
  [11, ["resume", measureResume]],
  [15, ["store", measureStore]],
  [20, ["million-csv", measureMillionCsv]],
  [21, ["million-workbook", measureMillionWorkbook]],
  [23, ["page", measurePage]],
  [24, ["postgres", measurePostgres]],
  [25, ["workers", measureWorkers]],
  [26, ["isolation", measureIsolation]],
  [27, ["products", measureProducts]],
  [28, ["team", measureTeam]],
  [29, ["team-memory", measureTeamMemory]],
  [30, ["names", measureNames]],
]);
