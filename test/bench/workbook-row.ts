/** Row 3: the guarded reader of workbooks against the libraries in this process, as time only. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { type Bench, compareCases, type Figure, sized } from "./bench-tools.ts";
import { type CaseCost } from "./case-report.ts";
import { makeWorkbook } from "./make-workbook.ts";
import { type ReadCost } from "./read-workbook.ts";

const PROGRAM = fileURLToPath(new URL("./read-workbook.ts", import.meta.url));

async function read(reader: string, path: string): Promise<CaseCost> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, reader, path]);
  const { ms, cpuMs, peakMb, wrong }: ReadCost = JSON.parse(stdout);
  return { ms, cpuMs, peakMb, counts: { wrong } };
}

export async function measureWorkbook(bench: Bench): Promise<readonly Figure[]> {
  const rows = sized(bench, 100_000);
  const path = join(bench.folder, "read.xlsx");
  makeWorkbook(path, rows);
  const costs = await compareCases(bench, {
    ours: () => read("ours, guarded process", path),
    exceljs: () => read("exceljs, stream", path),
    readExcelFile: () => read("read-excel-file", path),
    hucre: () => read("hucre, stream", path),
  });
  const { ours, ...peers } = costs;
  const limits = { exceljs: 0.5, readExcelFile: 1, hucre: 1 } as const;
  const against = (name: keyof typeof limits): Figure => ({
    row: 3,
    what: `reading ${rows} rows x 25, ${ours.counts["wrong"]} cells wrong`,
    ours: `${(ours.ms / 1000).toFixed(2)} s`,
    peer: `${name} ${(peers[name].ms / 1000).toFixed(2)} s, ${peers[name].counts["wrong"]} cells wrong`,
    value: ours.ms / peers[name].ms,
    limit: limits[name],
    unit: "x",
  });
  return [against("exceljs"), against("readExcelFile"), against("hucre")];
}
