/** Row 3: the reader of workbooks in a process of its own against the libraries in this process. */

import { join } from "node:path";

import { type Bench, compareCases, type Figure, sized } from "../bench-tools.ts";
import type { CaseCost } from "../case-report.ts";
import { makeWorkbook } from "../make-workbook.ts";
import { measureReader } from "../reader-process.ts";

const OURS = "ours, guarded process";

async function read(reader: string, path: string): Promise<CaseCost> {
  const { ms, bothCpuMs, peakMb, childPeakMb, wrong, rows } = await measureReader(reader, path);
  return { ms, cpuMs: bothCpuMs, peakMb, counts: { wrong, childPeakMb, rows } };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/**
 * The CPU time of both processes is compared, as the clock would measure other users of the
 * machine.
 */
export async function measureWorkbook(bench: Bench): Promise<readonly Figure[]> {
  const rows = sized(bench, 100_000);
  const path = join(bench.folder, "read.xlsx");
  makeWorkbook(path, rows);
  const costs = await compareCases(bench, {
    ours: () => read(OURS, path),
    exceljs: () => read("exceljs, stream", path),
    readExcelFile: () => read("read-excel-file", path),
    hucre: () => read("hucre, stream", path),
  });
  const { ours, ...peers } = costs;
  const limits = { exceljs: 0.5, readExcelFile: 1, hucre: 1 } as const;
  const against = (name: keyof typeof limits): Figure => ({
    row: 3,
    what: `reading ${rows} rows x 25, ${ours.counts["wrong"]} cells wrong, CPU of both processes`,
    ours: `${seconds(ours.cpuMs)}, by the clock ${seconds(ours.ms)}`,
    peer: `${name} ${seconds(peers[name].cpuMs)}, by the clock ${seconds(peers[name].ms)}, ${peers[name].counts["wrong"]} cells wrong`,
    value: ours.cpuMs / peers[name].cpuMs,
    limit: limits[name],
    unit: "x",
  });
  const large = sized(bench, 1_000_000);
  const largePath = join(bench.folder, "large.xlsx");
  makeWorkbook(largePath, large);
  return [
    against("exceljs"),
    against("readExcelFile"),
    against("hucre"),
    memory(rows, ours, 250),
    memory(large, await read(OURS, largePath), 350),
  ];
}

const memory = (rows: number, { ms, peakMb, counts }: CaseCost, limit: number): Figure => ({
  row: 3,
  what: `reading ${rows} rows x 25, peak memory of the guarded process`,
  ours: `${counts["childPeakMb"]} MB, the other process ${Math.round(peakMb)} MB, ${seconds(ms)}`,
  peer: "",
  value: counts["childPeakMb"] ?? Infinity,
  limit,
  unit: "MB",
});
