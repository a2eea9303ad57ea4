/**
 * Row 9: all calls of an import into a store that has the products of the sheet already. The sheet
 * is imported again, with some rows changed, and with new rows.
 */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { createBenchProducts, type MakeProduct, writeBenchCsv } from "../bench-sheet.ts";
import { type Bench, type Figure, serve, sized, startCommand } from "../bench-tools.ts";
import { type Credentials, toEnvironment } from "../credentials.ts";

const PAGE_ROWS = 50;
const MAX_CALLS_A_ROW = 1.05;
const STOCK = 8;
const ONE_IN = 100;
/** Maximum output of a run, which grows with its warnings. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface Imported {
  readonly counts: { readonly rows: number };
  readonly requests: { readonly total: number; readonly read: number; readonly write: number };
}

/** Changes the stock of one row in a hundred. */
function createChangedProducts(): MakeProduct {
  const make = createBenchProducts();
  return (row) => {
    const product = make(row);
    const cells = product.cells.map((cell, at) =>
      at === STOCK && row % ONE_IN === 0 ? String(Number(cell) + 100) : cell,
    );
    return { ...product, cells };
  };
}

export async function measureCounts(bench: Bench): Promise<readonly Figure[]> {
  const products = Math.max(ONE_IN, sized(bench, 10_000));
  const more = Math.round(products / 10);
  using sandbox = await serve(bench, ["sandbox", "--json"]);
  const told: Credentials = JSON.parse(sandbox.line);
  const env = { ...toEnvironment(told), CATALOG_HOME: join(bench.folder, "home-9") };

  async function importSheet(name: string, rows: number, make: MakeProduct): Promise<Imported> {
    const path = join(bench.folder, name);
    writeBenchCsv(path, rows, make);
    const words = [
      "import",
      path,
      "--yes",
      "--json",
      "--report",
      join(bench.folder, `${name}-out`),
    ];
    const [program, args, options] = startCommand(bench, words);
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...options.env, ...env },
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    const imported: Imported = JSON.parse(stdout);
    return imported;
  }

  const make = createBenchProducts();
  await importSheet("first.csv", products, make);
  const unchanged = await importSheet("unchanged.csv", products, make);
  const changed = await importSheet("changed.csv", products, createChangedProducts());
  // The first sheet is imported again before the changed one, so that only the new rows are new.
  await importSheet("back.csv", products, make);
  const grown = await importSheet("grown.csv", products + more, make);
  return [
    ...describe(`${products} unchanged rows`, unchanged, 0),
    ...describe(
      `${products} rows, one in ${ONE_IN} changed`,
      changed,
      Math.floor(products / ONE_IN),
    ),
    ...describe(`${products + more} rows, ${more} of them new`, grown, more),
  ];
}

function describe(what: string, imported: Imported, writes: number): readonly Figure[] {
  const { rows } = imported.counts;
  const { total, read, write } = imported.requests;
  const pages = Math.ceil(rows / PAGE_ROWS);
  return [
    {
      row: 9,
      what: `${what}: writes beside the ${writes} that are needed`,
      ours: `${write} writes, ${read} reads`,
      peer: `${pages} pages of the listing`,
      value: Math.abs(write - writes),
      limit: 0,
      unit: "calls",
    },
    {
      row: 9,
      what: `${what}: all calls for each row`,
      ours: `${total} calls`,
      peer: `${rows} rows`,
      value: total / rows,
      limit: MAX_CALLS_A_ROW,
      unit: "calls a row",
    },
  ];
}
