/** Row 9: the calls that imports make, all of them counted, by the program's own account. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { BENCH_HEADERS, createBenchProducts } from "./bench-sheet.ts";
import {
  type Bench,
  type Credentials,
  type Figure,
  type MeasureRow,
  runCommand,
  serve,
  sized,
  toEnvironment,
} from "./bench-tools.ts";

const PAGE_ROWS = 50;
/** Where the stock stands in a row of the sheet. */
const STOCK_COLUMN = 8;
/** The listing is read twice, for products that change their status meanwhile. */
const PASSES = 2;

interface Counted {
  readonly requests: { readonly read: number; readonly write: number; readonly total: number };
}

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

function writeRows(bench: Bench, name: string, rows: readonly (readonly string[])[]): string {
  const path = join(bench.folder, `${name}.csv`);
  const lines = [BENCH_HEADERS, ...rows].map((cells) => cells.map(quote).join(";"));
  writeFileSync(path, `${lines.join("\r\n")}\r\n`);
  return path;
}

export const measureCallCounts: MeasureRow = async (bench) => {
  const products = sized(bench, 10_000);
  const make = createBenchProducts();
  const cellsFrom = (first: number, count: number): (readonly string[])[] =>
    Array.from({ length: count }, (_, at) => make(first + at).cells);
  const old = cellsFrom(1, products);
  const [changes, news] = [Math.ceil(products / 100), Math.ceil(products / 10)];
  const changed = old.map((cells, at) => (at < changes ? cells.with(STOCK_COLUMN, "1000") : cells));
  using sandbox = await serve(bench, ["sandbox", "--json"]);
  const told: Credentials = JSON.parse(sandbox.line);
  const env = { ...toEnvironment(told), CATALOG_HOME: join(bench.folder, "count") };
  const count = async (name: string, rows: readonly (readonly string[])[]): Promise<Counted> => {
    const path = writeRows(bench, name, rows);
    const words = ["--yes", "--json", "--quiet", "--concurrency", "8"];
    const folder = join(bench.folder, name);
    const written = await runCommand(bench, ["import", path, ...words, "--report", folder], env);
    const counted: Counted = JSON.parse(written);
    return counted;
  };
  await count("first", old);
  const pages = Math.ceil(products / PAGE_ROWS) * PASSES;
  const figure = (
    what: string,
    { requests }: Counted,
    [value, limit]: readonly number[],
  ): Figure => ({
    row: 9,
    what: `${what} over ${products} products`,
    ours: `${requests.total} calls: ${requests.write} writes, ${requests.read} reads`,
    peer: `${pages} pages of the listing`,
    value: value ?? Number.NaN,
    limit: limit ?? Number.NaN,
    unit: "calls",
  });
  const same = await count("same", old);
  const few = await count("few", changed);
  const added = await count("added", cellsFrom(products + 1, news));
  const perRow = (added.requests.total - pages) / news;
  return [
    figure(`writes for ${products} unchanged rows`, same, [same.requests.write, 0]),
    figure(`writes for ${changes} changed rows`, few, [few.requests.write, changes]),
    figure(`calls for each of ${news} new rows`, added, [perRow, 1.05]),
  ];
};
