/**
 * Compares the readers of workbooks that could stand behind `openSheet`, each in a process of its own,
 * in turn, round by round. Prints the table that `workbook-readers.txt` keeps.
 *
 *     node test/bench/workbook-readers.ts --rows 100000 --rounds 3
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { BENCH_COLUMNS, makeWorkbook } from "./make-workbook.ts";
import { type ReadCost, READER_NAMES } from "./read-workbook.ts";

const PROGRAM = fileURLToPath(new URL("./read-workbook.ts", import.meta.url));
const SAMPLE_MS = 20;

/** What a reader cost, with the peak of the process that it may have started. */
interface Measured extends ReadCost {
  readonly childPeakMb: number;
}

async function measure(reader: string, path: string): Promise<Measured> {
  const child = spawn(process.execPath, [PROGRAM, reader, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let childPeakKb = 0;
  const sampling = setInterval(() => {
    childPeakKb = Math.max(childPeakKb, ...peaksOfChildren(child.pid ?? 0));
  }, SAMPLE_MS);
  const output = await text(child.stdout);
  clearInterval(sampling);
  if (output === "") throw new Error(`${reader} read nothing.`);
  const cost: ReadCost = JSON.parse(output);
  return { ...cost, childPeakMb: Math.round(childPeakKb / 1024) };
}

/** Linux only; elsewhere there is nothing to see. */
function peaksOfChildren(parent: number): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readStatus(name))
      .filter((status) => status.includes(`PPid:\t${parent}\n`))
      .map((status) => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  } catch {
    return [];
  }
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function toLine(reader: string, rounds: readonly Measured[], base: readonly Measured[]): string {
  const ratio = median(rounds.map(({ ms }, index) => ms / (base[index]?.ms ?? ms)));
  const columns = [
    String(median(rounds.map(({ ms }) => ms))),
    ratio.toFixed(2),
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
    for (const reader of readers) measured.get(reader)?.push(await measure(reader, path));
  }
  console.log(`${values.rows} rows x ${BENCH_COLUMNS} columns, median of ${values.rounds} rounds`);
  console.log(`${"reader".padEnd(24)}       ms  : first       MB child MB     wrong`);
  const base = measured.get(readers[0] ?? "") ?? [];
  for (const [reader, rounds] of measured) console.log(toLine(reader, rounds, base));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
