/**
 * One file in a store with some behavior: imported, imported again from an empty home, synced as a
 * feed, and the store exported.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { openConnection } from "@catalog/connection";
import { runExport } from "@catalog/exporter";
import { syncFeed, applyPlan, planFile } from "@catalog/importer";
import { parseBehavior, type Sandbox, startSandbox } from "@catalog/sandbox";

import { goodRow, HEADERS, type ProductRow } from "../../helpers/product-sheet.ts";
import { toCsv } from "./mixed-rows.ts";
import { createSkippingClock, UNSKIPPED_TIMEOUT_MS } from "./skipping-clock.ts";

/** Number of rows by state. */
type States = Readonly<Record<string, number>>;

export interface Matrix {
  readonly first: States;
  readonly again: States;
  readonly synced: States;
  /** Duplicate products in the store under equal or similar codes of the file. */
  readonly doubles: number;
  readonly products: number;
  /** Products in the exported file. */
  readonly exported: number;
}

const [CODE, , , , , , , , STOCK] = HEADERS;

/** More than one page of every page size. */
const PRODUCTS = 90;

/** Codes of several shapes; the last two are in the store. */
const NEW = ["YENI-1", "yeni-2", "Yeni 3", "çiğ-4"];
const OLD = ["SBX-000001", "SBX-000030"];

type Home = Awaited<ReturnType<typeof openConnection>>;

export async function playMatrix(personality: readonly string[]): Promise<Matrix> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-matrix-"));
  const clock = createSkippingClock(Date.now);
  const chosen = parseBehavior(personality);
  await using sandbox = await startSandbox({ products: PRODUCTS, personality: chosen, clock });
  const v = "v1.0";
  const open = (name: string): Promise<Home> =>
    openConnection({
      home: join(folder, name),
      baseUrl: sandbox.baseUrl,
      storeId: sandbox.storeId,
      credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
      clock,
      timeoutMs: UNSKIPPED_TIMEOUT_MS,
      random: () => 0,
      priceUnit: chosen.prices === undefined || chosen.prices === "minor" ? "minor" : "major",
      versions: chosen.versions === v ? { category: v, brand: v, product: v } : {},
    });
  try {
    await using home = await open("first");
    const first = await importFile(home, folder);
    sandbox.approve();
    await clock.sleep(HOUR_MS);
    await using other = await open("second");
    const again = await importFile(other, folder);
    await clock.sleep(HOUR_MS);
    const synced = await syncStock(home, folder);
    const exported = await exportProducts(home, folder);
    const products = sandbox.products().length;
    return { first, again, synced, doubles: countDoubles(sandbox), products, exported };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deviations from what is expected, in words; empty without any. */
export function judgeMatrix(personality: readonly string[], played: Matrix): readonly string[] {
  const { products, exported, doubles, ...states } = played;
  const expected = { ...USUAL, ...Object.assign({}, ...personality.map((one) => OTHERWISE[one])) };
  return [
    ...Object.entries(states)
      .filter(([step, found]) => !isDeepStrictEqual(found, expected[step]))
      .map(([step, found]) => `${step} ends as ${JSON.stringify(found)}`),
    ...(doubles > 0 ? [`${doubles} products are there twice`] : []),
    ...(products !== PRODUCTS + NEW.length ? [`the store has ${products} products`] : []),
    ...(exported !== products ? [`${exported} of ${products} products are exported`] : []),
  ];
}

const USUAL: Readonly<Record<string, States>> = {
  first: { done: 6 },
  again: { unchanged: 6 },
  synced: { updated: 6 },
};

const OTHERWISE: Readonly<Record<string, Readonly<Record<string, States>>>> = {
  // A home that has sent nothing does not know how the store normalizes codes.
  "stored-code=upper-cased": { again: { unchanged: 3, held: 3 } },
  "stored-code=lower-cased": { again: { unchanged: 4, held: 2 } },
  "update-stock=ignored": { again: { unchanged: 4, done: 2 }, synced: { skipped: 6 } },
  "update-stock=refused": {
    first: { done: 4, rejected: 2 },
    again: { unchanged: 4, rejected: 2 },
    synced: { skipped: 6 },
  },
};

const HOUR_MS = 60 * 60_000;

function fileRows(stock: number): readonly ProductRow[] {
  const added = NEW.map((code, index) => goodRow(index + 1, { [STOCK]: stock, [CODE]: code }));
  // Their prices are left out, as a guard would compare them.
  return [...added, ...OLD.map((code) => ({ [STOCK]: stock, [CODE]: code }))];
}

function writeRows(folder: string, name: string, rows: readonly ProductRow[]): string {
  const path = join(folder, name);
  writeFileSync(path, toCsv(rows.map((cells) => ({ cells, intent: "add", sends: [] }))));
  return path;
}

async function importFile(connection: Home, folder: string): Promise<States> {
  const path = writeRows(folder, "liste.csv", fileRows(7));
  const options = {
    path,
    command: "import",
    lang: "tr",
    mode: "upsert",
    reportDir: folder,
  } as const;
  const { id: runId } = await planFile(connection, options);
  await applyPlan(connection, { runId });
  const rows = await connection.journal.readRows(runId, { limit: 100 });
  return count(rows.map(({ state }) => state));
}

async function syncStock(connection: Home, folder: string): Promise<States> {
  const feed = join(folder, "stok.csv");
  const lines = [...NEW, ...OLD].map((code) => `${code};9`);
  writeFileSync(feed, `${["Ürün Kodu;Stok", ...lines].join("\r\n")}\r\n`);
  const { counts } = await syncFeed(connection, {
    feed,
    lang: "tr",
    reading: {},
    allowed: [],
    reconcileMs: 0,
    reportDir: folder,
  });
  const filled = Object.entries(counts).filter(([name, rows]) => rows > 0 && name !== "rows");
  return Object.fromEntries(filled);
}

async function exportProducts(connection: Home, folder: string): Promise<number> {
  const path = join(folder, "urunler.csv");
  await runExport(connection, {
    kind: "products",
    path,
    format: "csv",
    lang: "tr",
    decimal: "comma",
    filters: {},
    columns: ["product_code"],
    isFresh: true,
  });
  return readFileSync(path, "utf8").trim().split("\r\n").length - 1;
}

/**
 * Codes are compared without case, as a store may change it and the file has none that differ only
 * in it.
 */
function countDoubles(sandbox: Sandbox): number {
  const codes = sandbox.products().map(({ product_code: code }) => code.toLowerCase());
  return codes.length - new Set(codes).size;
}

const count = (names: readonly string[]): States =>
  Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, of]) => [name, of.length]),
  );
