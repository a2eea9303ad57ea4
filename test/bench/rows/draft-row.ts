/** Row 22: a draft is checked, one of its cells is corrected, and views of its rows are listed. */

import { join } from "node:path";

import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import {
  compareCases,
  type Figure,
  type MeasureRow,
  memory,
  runCase,
  serve,
  sized,
} from "../bench-tools.ts";
import { type Credentials, toEnvironment } from "../credentials.ts";

const ROW = 22;

/** What a person waits for, with the longest wait. */
const WAITS = [
  ["editMs", "one cell corrected and checked, the slowest of three", 200],
  ["orderErrorsMs", "rows with errors", 300],
  ["searchMs", "rows with a text", 300],
  ["orderAllMs", "all rows", 300],
] as const;

export const measureDraft: MeasureRow = async (bench) => {
  const rows = sized(bench, 100_000);
  const path = join(bench.folder, "draft.csv");
  writeBenchCsv(path, rows, createBenchProducts(true));
  using sandbox = await serve(bench, ["sandbox", "--json"]);
  const told: Credentials = JSON.parse(sandbox.line);
  const home = join(bench.folder, "home-draft");
  const { ours } = await compareCases(bench, {
    ours: () => runCase(bench, ["draft", told.base_url, home, path, rows], toEnvironment(told)),
  });
  const { counts } = ours;
  const what = `draft of ${rows} rows, ${counts["errors"]} with errors, read and checked`;
  return [
    {
      row: ROW,
      what,
      ours: `${Math.round(counts["checkMs"] ?? 0)} ms, slices of ${Math.round(counts["delayP99Ms"] ?? 0)} ms (p99)`,
      peer: "",
      value: counts["checkMs"] ?? 0,
      limit: 30_000,
      unit: "ms",
    },
    ...WAITS.map(([name, label, limit]): Figure => ({
      row: ROW,
      what: `the same draft: ${label}`,
      ours: `${(counts[name] ?? 0).toFixed(1)} ms`,
      peer: "",
      value: counts[name] ?? 0,
      limit,
      unit: "ms",
    })),
    memory(ROW, what, [ours.peakMb, 300]),
  ];
};
