/**
 * Measures the toolkit against reference programs and prints a table; every ratio is of one run on
 * one machine.
 *
 *     pnpm bench                          all rows at a tenth of their size, three rounds
 *     pnpm bench --row 10 --row plan     some of them, by number or by name
 *     pnpm bench --scale 1 --rounds 5     at their full size
 *     pnpm bench --json ../figures.json   the same figures in another file than `figures.json` here
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import type { Figure } from "./bench-tools.ts";
import { ROWS } from "./rows.ts";

const { values } = parseArgs({
  options: {
    row: { type: "string", multiple: true },
    rounds: { type: "string", default: "3" },
    scale: { type: "string", default: "0.1" },
    json: { type: "string", default: fileURLToPath(new URL("./figures.json", import.meta.url)) },
  },
});

const WHOLE_UNITS: ReadonlySet<Figure["unit"]> = new Set(["ms", "MB", "calls"]);

const isMet = ({ value, limit }: Figure): boolean => value <= limit;

function formatFigure(figure: Figure): string {
  const { row, what, ours, peer, value, limit, unit } = figure;
  const digits = WHOLE_UNITS.has(unit) ? 0 : 2;
  const compared = `${value.toFixed(digits)} ${unit}, limit ${limit} ${unit}`;
  const verdict = isMet(figure) ? "met   " : "MISSED";
  return `${String(row).padStart(2)}  ${verdict}  ${compared.padEnd(28)} ${what}\n${" ".repeat(12)}${ours}${peer === "" ? "" : `; ${peer}`}\n`;
}

const wanted = values.row?.map((row) => {
  const found = [...ROWS].find(([number, [name]]) => row === name || Number(row) === number);
  if (found !== undefined) return found;
  const names = [...ROWS].map(([number, [name]]) => `${number} ${name}`);
  throw new RangeError(`there is no row ${row}; the rows are ${names.join(", ")}`);
}) ?? [...ROWS];
const folder = mkdtempSync(join(tmpdir(), "catalog-bench-"));
const bench = { folder, rounds: Number(values.rounds), scale: Number(values.scale) };
const figures: Figure[] = [];
try {
  process.stdout.write(
    `Node ${process.versions.node}, ${availableParallelism()} cores, scale ${bench.scale}, ${bench.rounds} rounds\n\n`,
  );
  for (const [, [, measure]] of wanted) {
    for (const figure of await measure(bench)) {
      figures.push(figure);
      process.stdout.write(formatFigure(figure));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const verdicts = figures.map(isMet);
const machine = { node: process.versions.node, cores: availableParallelism() };
const document = { ...machine, rounds: bench.rounds, scale: bench.scale, figures, verdicts };
writeFileSync(values.json, `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`\n${verdicts.filter(Boolean).length} of ${verdicts.length} met\n`);
// The server of PostgreSQL that a row has started would keep the process; it ends with it.
process.exit();
