import { join } from "node:path";

import type {
  PlannedRunId,
  ProductChange,
  ProductDetails,
  ProductsView,
  ProductTalk,
  ProductUndoBody,
  RunView,
} from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeCsv, writeText } from "../../helpers/product-sheet.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, listRunRows, postBody, waitForRun } from "../../helpers/web/runs.ts";

interface Shop {
  readonly shop: TestStore;
  readonly session: WebSession;
  /** The runs that changed the products. */
  readonly runs: readonly string[];
}

/** Imports rows of code, price and stock; returns the run. */
async function importRows(shop: TestStore, name: string, rows: readonly string[]): Promise<string> {
  const text = ["Ürün Kodu;Fiyat;Stok", ...rows, ""].join("\n");
  return (await shop.json("import", writeText(shop.folder, name, text), "--yes")).run;
}

/** Three products of ours, all changed by one run, and the second of them by another one. */
async function openShop(): Promise<Shop> {
  const shop = await openTestStore({ breaks: { "early-token": "two homes are two programs" } });
  await shop.json("import", writeCsv(shop.folder, "urunler.csv", goodRows(3)), "--yes");
  const all = ["TST-00001;26,00;7", "TST-00002;27,00;8", "TST-00003;28,00;9"];
  const first = await importRows(shop, "a.csv", all);
  const second = await importRows(shop, "b.csv", ["TST-00002;29,00;8"]);
  const session = await (await openWeb(shop)).openSession();
  await readStore(session);
  return { shop, session, runs: [first, second] };
}

async function readStore(session: WebSession): Promise<void> {
  await postBody(session, "/products/read", {});
  await waitUntil(async () => {
    const { reading, problem } = await getBody<ProductsView>(session, "/products");
    expect(problem).toBeNull();
    return reading === null;
  });
}

/** The path of the product with the code. */
async function findPath(session: WebSession, code: string): Promise<string> {
  const { origin = "" } = session.headers;
  const answer = await fetch(`${origin}/api/products/order?text=${code}`, session);
  const number = new DataView(await answer.arrayBuffer()).getUint32(0, true);
  return `/products/${number}`;
}

const valuesOf = ({ sandbox }: TestStore): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    sandbox
      .products()
      .filter(({ product_code: code }) => code.startsWith("TST-"))
      .map(({ product_code, price, stock_count }) => [product_code, [price, stock_count]]),
  );

const told = ({ by, field, before, after, run, undoField }: ProductChange) => [
  by,
  field,
  before,
  after,
  run?.name ?? null,
  undoField,
];

/** Plans an undo on the page and sends it as a person does. */
async function undo(session: WebSession, path: string, body: ProductUndoBody): Promise<RunView> {
  const { run } = await postBody<PlannedRunId>(session, `${path}/undo`, body);
  const { planHash } = await getBody<RunView>(session, `/runs/${run}`);
  await postBody(session, `/runs/${run}/send`, { planHash, release: [], hold: [] });
  return await waitForRun(session, run);
}

describe("one product on the page", () => {
  it("shows who changed what, the latest first, and takes one change back", async () => {
    const { shop, session, runs } = await openShop();
    const path = await findPath(session, "TST-00002");
    const changed = valuesOf(shop);

    const before = await getBody<ProductDetails>(session, path);
    const [price] = before.changes;
    const change = { run: runs[1] ?? "", row: price?.run?.row ?? 0, field: "price" };
    const undone = await undo(session, path, { change });
    const after = await getBody<ProductDetails>(session, path);

    expect(before).toMatchObject({ code: "TST-00002", price: "29,00 TL", stock: 8, keptDays: 90 });
    expect(before.changes.map(told)).toEqual([
      ["ours", "price", "27,00", "29,00", "b.csv", "price"],
      ["ours", "price", "21,99", "27,00", "a.csv", null],
      ["ours", "stock_count", "12", "8", "a.csv", "stock_count"],
      ["ours", "product", null, null, "urunler.csv", null],
      ["ours", "price", null, "21,99", "urunler.csv", null],
      ["ours", "stock_count", null, "12", "urunler.csv", null],
    ]);
    expect(price?.person).toMatch(/^Komut satırı/u);
    expect(undone.counts).toMatchObject({ rows: 1, updated: 1 });
    expect(valuesOf(shop)).toEqual({ ...changed, "TST-00002": [2_700, 8] });
    expect(after.changes.map(told)[0]).toEqual([
      "ours",
      "price",
      "29,00",
      "27,00",
      "“b.csv” kısmen geri alındı",
      "price",
    ]);
    expect(after.changes[0]?.person).toMatch(/^Sayfa/u);
  });

  it("takes the product back over all runs, and leaves the others", async () => {
    const { shop, session } = await openShop();
    const path = await findPath(session, "TST-00002");
    const changed = valuesOf(shop);

    const undone = await undo(session, path, {});
    const rows = await listRunRows(session, undone.id);
    const { runs } = await getBody<{ readonly runs: readonly RunView[] }>(session, "/runs");

    expect(valuesOf(shop)).toEqual({ ...changed, "TST-00002": [2_199, 12] });
    expect(rows).toMatchObject([{ code: "TST-00002" }]);
    expect(runs.map(({ name }) => name).slice(0, 3)).toEqual([
      "“TST-00002” geri alındı",
      "b.csv",
      "a.csv",
    ]);
    expect(runs[2]).toMatchObject({ undoneBy: { restored: 1, sent: 3, isPartial: true } });
  });

  it("says what others changed, and does not take that back", async () => {
    const { shop, session } = await openShop();
    const other = shop.at({ CATALOG_HOME: join(shop.folder, "other-home") });
    const text = "Ürün Kodu;Fiyat\nTST-00003;31,50\n";
    const file = writeText(shop.folder, "baskasi.csv", text);
    expect((await other.run("import", file, "--yes", "--price-unit", "minor")).code).toBe(0);
    const path = await findPath(session, "TST-00003");

    const seen = await postBody<ProductDetails>(session, `${path}/read`, {});
    const planned = await postBody<PlannedRunId>(session, `${path}/undo`, {});
    const [row] = await listRunRows(session, planned.run);

    expect(seen.changes.map(told).slice(0, 3)).toEqual([
      ["others", "price", "28,00", "31,50", null, null],
      ["ours", "price", "22,99", "28,00", "a.csv", null],
      ["ours", "stock_count", "13", "9", "a.csv", "stock_count"],
    ]);
    expect(seen.changes[0]?.since).not.toBeNull();
    expect(row?.changes.map(({ field }) => field)).toEqual(["stock_count"]);
    expect(row?.issues.map(({ message }) => message).join()).toContain("28,00 → 31,50");
  });

  it("reads what buyers say of it with two calls, and refuses what it does not know", async () => {
    const shop = await openTestStore({ products: 3 });
    const session = await (await openWeb(shop)).openSession();
    await readStore(session);
    const [product] = shop.sandbox.products();
    const path = await findPath(session, product?.product_code ?? "");
    const details = await getBody<ProductDetails>(session, path);

    const talk = await getBody<ProductTalk>(session, `${path}/talk`);
    const unknown = await session.call("GET", "/products/999999999");
    const wrong = await session.call("POST", `${path}/undo`, { change: { run: "x" } });

    const { comments, questions } = talk;
    expect(details).toMatchObject({ id: product?.id, changes: [] });
    expect(comments?.total).toBeGreaterThan(0);
    expect(comments?.last[0]).toMatchObject({ at: expect.any(String), text: expect.any(String) });
    expect(questions?.read).toBeGreaterThan(0);
    expect(questions?.total).toBeGreaterThan(0);
    expect(questions?.last[0]).toMatchObject({ isAnswered: expect.any(Boolean) });
    expect([unknown.status, wrong.status]).toEqual([404, 400]);
  });
});
