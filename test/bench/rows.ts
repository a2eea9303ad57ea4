/** What is measured, the reference, and the limit of their ratio. */

import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
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
import { measureAuto } from "./rows/auto-row.ts";
import { measureCounts } from "./rows/count-row.ts";
import { measureDraft } from "./rows/draft-row.ts";
import { measureExport } from "./rows/export-row.ts";
import { measureMillionCsv, measureMillionWorkbook } from "./rows/million-row.ts";
import { measurePage } from "./rows/page-row.ts";
import { planRow } from "./rows/plan-row.ts";
import { measurePostgres } from "./rows/postgres-row.ts";
import { measureAdds, measureStore } from "./rows/store-row.ts";
import { measureWorkbook } from "./rows/workbook-row.ts";
import { measureWorkers } from "./rows/workers-row.ts";

const writeRow =
  (row: number, writer: "result" | "export", limits: readonly [ratio: number, mb: number]) =>
  async (bench: Bench): Promise<readonly Figure[]> => {
    const rows = sized(bench, row === 4 ? 100_000 : 400_000);
    const path = join(bench.folder, "out.xlsx");
    const costs = await compareCases(bench, {
      peer: () => runCase(bench, ["write-xlsx", "exceljs", rows, path]),
      ours: () => runCase(bench, ["write-xlsx", writer, rows, path]),
    });
    const what = `${writer}.xlsx of ${rows} rows`;
    const ratio: Figure = {
      row,
      what,
      ours: `${seconds(costs.ours.ms)}, CPU ${seconds(costs.ours.cpuMs)}`,
      peer: `exceljs ${seconds(costs.peer.ms)}, CPU ${seconds(costs.peer.cpuMs)}, ${megabytes(costs.peer.peakMb)}`,
      value: costs.ours.ms / costs.peer.ms,
      limit: limits[0],
      unit: "x",
    };
    return [ratio, memory(row, what, [costs.ours.peakMb, limits[1]])];
  };

const measureCalls: MeasureRow = async (bench) => {
  const calls = sized(bench, 20_000);
  using server = await serve(bench, ["answering-server.ts"]);
  const costs = await compareCases(bench, {
    peer: () => runCase(bench, ["calls", "bare", server.line, calls]),
    ours: () => runCase(bench, ["calls", "client", server.line, calls]),
  });
  const micros = (ms: number): string => `${Math.round((ms * 1000) / calls)} us`;
  return [
    {
      row: 7,
      what: `CPU per call, ${calls} calls answered at once`,
      ours: micros(costs.ours.cpuMs),
      peer: `undici ${micros(costs.peer.cpuMs)}`,
      value: costs.ours.cpuMs / costs.peer.cpuMs,
      limit: 1.6,
      unit: "x",
    },
    memory(7, `${calls} calls`, [costs.ours.peakMb, 250]),
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
    bare: () => runCase(bench, ["calls", "bare", server.line, rows]),
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

const measureHostile: MeasureRow = async (bench) => {
  const path = join(bench.folder, "hostile.csv");
  const file = openSync(path, "w");
  writeSync(file, 'Ürün Kodu;Başlık\nA-1;"açık\n');
  const line = `${"tırnak kapanmıyor ".repeat(58)}\n`.repeat(1_000);
  const lines = sized(bench, 1_000);
  for (let at = 0; at < lines; at += 1) writeSync(file, line);
  closeSync(file);
  const costs = await compareCases(bench, { ours: () => runCase(bench, ["refuse-csv", path]) });
  const what = `an open quote in ${lines} MB, refused at row ${costs.ours.counts["refusedAtRow"]}`;
  return [
    {
      row: 12,
      what,
      ours: seconds(costs.ours.ms),
      peer: "",
      value: costs.ours.ms,
      limit: 1_000,
      unit: "ms",
    },
    memory(12, what, [costs.ours.peakMb, 200]),
  ];
};

const measureNames: MeasureRow = async (bench) => {
  // With fewer values the building of the index would dominate.
  const [brands, values] = [20_000, Math.max(1_000, sized(bench, 5_000))];
  const costs = await compareCases(bench, {
    ours: () => runCase(bench, ["suggest-names", brands, values]),
  });
  const { suggested = 0 } = costs.ours.counts;
  return [
    {
      row: 14,
      what: `${values} misspelt values among ${brands} brands, ${suggested} with suggestions`,
      ours: `${(costs.ours.cpuMs / values).toFixed(2)} ms of CPU a value, by the clock ${(costs.ours.ms / values).toFixed(2)} ms`,
      peer: "",
      value: costs.ours.cpuMs / values,
      limit: 5,
      unit: "ms",
    },
  ];
};

/** Rows by number; rows 6 and 8 are one measurement. */
export const ROWS: ReadonlyMap<number, MeasureRow> = new Map([
  [1, planRow(1, 100_000)],
  [2, planRow(2, 1_000_000)],
  [3, measureWorkbook],
  [4, writeRow(4, "result", [1.15, 400])],
  [5, measureExport],
  [6, measureApply],
  [7, measureCalls],
  [9, measureCounts],
  [10, measureStart],
  [11, measureResume],
  [12, measureHostile],
  [13, writeRow(13, "export", [1.1, 250])],
  [14, measureNames],
  [15, measureStore],
  [16, measureAdds],
  [17, measureAuto],
  [20, measureMillionCsv],
  [21, measureMillionWorkbook],
  [22, measureDraft],
  [23, measurePage],
  [24, measurePostgres],
  [25, measureWorkers],
]);

/** Names of rows, instead of their numbers. */
export const ROW_NAMES: ReadonlyMap<string, number> = new Map([
  ["plan", 1],
  ["large-plan", 2],
  ["read-workbook", 3],
  ["result-workbook", 4],
  ["export", 5],
  ["apply", 6],
  ["call", 7],
  ["journal", 6],
  ["count", 9],
  ["start", 10],
  ["resume", 11],
  ["hostile-csv", 12],
  ["export-workbook", 13],
  ["names", 14],
  ["store", 15],
  ["adds", 16],
  ["auto", 17],
  ["million-csv", 20],
  ["million-workbook", 21],
  ["draft", 22],
  ["page", 23],
  ["postgres", 24],
  ["workers", 25],
]);
