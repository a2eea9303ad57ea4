/**
 * Rows 1 and 2: planning a file against a listing of the same products. CPU times are compared, as
 * a busy machine and a slow disk change them less than the clock.
 */

import { join } from "node:path";

import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import {
  compareCases,
  type Figure,
  type MeasureRow,
  memory,
  runCase,
  seconds,
  serve,
  sized,
} from "../bench-tools.ts";
import type { CaseCost } from "../case-report.ts";
import { type Credentials, toEnvironment } from "../credentials.ts";

/** CPU time without that of the benchmark itself. */
const allCpuMs = ({ cpuMs, counts }: CaseCost): number => cpuMs - (counts["makingCpuMs"] ?? 0);

/** The same without the storing of the listing. */
const planCpuMs = (cost: CaseCost): number => allCpuMs(cost) - (cost.counts["storingCpuMs"] ?? 0);

export const planRow =
  (row: 1 | 2, fullRows: number): MeasureRow =>
  async (bench) => {
    const rows = sized(bench, fullRows);
    const [good = "", bad = "", warm = ""] = ["good", "bad", "warm"].map((name) =>
      join(bench.folder, `${name}-${row}.csv`),
    );
    writeBenchCsv(good, rows, createBenchProducts());
    writeBenchCsv(warm, 400, createBenchProducts());
    if (row === 1) writeBenchCsv(bad, rows, createBenchProducts(true));
    using sandbox = await serve(bench, ["sandbox", "--json"]);
    const told: Credentials = JSON.parse(sandbox.line);
    const home = join(bench.folder, `home-${row}`);
    const plan = (path: string, count: number): Promise<CaseCost> =>
      runCase(bench, ["plan", told.base_url, home, path, count], toEnvironment(told));
    await plan(warm, 400);
    const cases = {
      peer: () => runCase(bench, ["papaparse", good]),
      good: () => plan(good, rows),
    };
    const costs =
      row === 1
        ? await compareCases(bench, { ...cases, bad: () => plan(bad, rows) })
        : { ...(await compareCases(bench, cases)), bad: undefined };
    const what = `plan of ${rows} rows (${costs.good.counts["unchanged"]} unchanged)`;
    const [ours, peerMs] = [planCpuMs(costs.good), costs.peer.cpuMs];
    const ratio: Figure = {
      row,
      what: `${what}, CPU`,
      ours: seconds(ours),
      peer: `papaparse ${seconds(peerMs)}`,
      value: ours / peerMs,
      limit: row === 1 ? 9 : 10.8,
      unit: "x",
    };
    const all = allCpuMs(costs.good);
    const withListing: Figure = {
      row,
      what: "the same with the storing of the listing",
      ours: seconds(all),
      peer: `papaparse ${seconds(peerMs)}`,
      value: all / peerMs,
      limit: 11,
      unit: "x",
    };
    if (costs.bad === undefined) return [ratio, memory(row, what, [costs.good.peakMb, 260])];
    const withBad = planCpuMs(costs.bad);
    const share: Figure = {
      row,
      what: `the same with ${costs.bad.counts["invalid"]} bad rows`,
      ours: seconds(withBad),
      peer: `without bad rows ${seconds(ours)}`,
      value: withBad / ours,
      limit: 1.15,
      unit: "x",
    };
    return [ratio, withListing, share];
  };
