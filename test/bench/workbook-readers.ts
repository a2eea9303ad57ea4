/**
 * Compares the readers of workbooks that `openSheet` could use, each in a process of its own,
 * alternating in rounds. Prints the table that `workbook-readers.txt` holds.
 *
 *     node test/bench/workbook-readers.ts --rows 100000 --rounds 3
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { median } from "./bench-tools.ts";
import { BENCH_COLUMNS, makeWorkbook } from "./make-workbook.ts";
import { READER_NAMES } from "./read-workbook.ts";
import { type Measured, measureReader } from "./reader-process.ts";

function toLine(reader: string, rounds: readonly Measured[], base: readonly Measured[]): string {
  const ratio = median(rounds.map(({ ms }, index) => ms / (base[index]?.ms ?? ms)));
  const columns = [
    String(median(rounds.map(({ ms }) => ms))),
    ratio.toFixed(2),
    String(median(rounds.map(({ bothCpuMs }) => bothCpuMs))),
    String(median(rounds.map(({ peakMb }) => peakMb))),
    String(Math.max(...rounds.map(({ childPeakMb }) => childPeakMb)) || "-"),
    String(Math.max(...rounds.map(({ wrong }) => wrong))),
  ];
  return [reader.padEnd(24), ...columns.map((column) => column.padStart(9))].join("");
}

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "bench-"));
try {
  const path = join(folder, "book.xlsx");
  makeWorkbook(path, Number(values.rows));
  const readers = READER_NAMES.filter(
    (name) => values.only === undefined || name.includes(values.only),
  );
  const measured = new Map<string, Measured[]>(readers.map((name) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const reader of readers) measured.get(reader)?.push(await measureReader(reader, path));
  }
  console.log(`${values.rows} rows x ${BENCH_COLUMNS} columns, median of ${values.rounds} rounds`);
  console.log(`${"reader".padEnd(24)}       ms  : first   CPU ms       MB child MB     wrong`);
  const base = measured.get(readers[0] ?? "") ?? [];
  for (const [reader, rounds] of measured) console.log(toLine(reader, rounds, base));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
