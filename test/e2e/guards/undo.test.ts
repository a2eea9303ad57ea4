import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { Json } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeText, writeCsv } from "../../helpers/product-sheet.ts";

const CODES = Array.from({ length: 10 }, (_, index) => `TST-${String(index + 1).padStart(5, "0")}`);

const priceSheet = (
  shop: TestStore,
  name: string,
  prices: Readonly<Record<string, string>>,
): string => {
  const lines = Object.entries(prices).map(([code, price]) => `${code};${price}`);
  return writeText(shop.folder, name, `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
};

/** Price by product code, of the products that the test has added. */
const pricesOf = ({ sandbox }: TestStore): Record<string, number> =>
  Object.fromEntries(
    sandbox
      .products()
      .filter(({ product_code }) => CODES.includes(product_code))
      .map(({ product_code, price }) => [product_code, price]),
  );

const valuesOf = ({ sandbox }: TestStore): Record<string, Json> =>
  Object.fromEntries(
    sandbox
      .products()
      .filter(({ product_code }) => CODES.includes(product_code))
      .map(({ product_code, price, stock_count: stock }) => [product_code, { price, stock }]),
  );

/** Ten products, whose prices are then changed; returns the run that changed them. */
async function changePrices(shop: TestStore): Promise<string> {
  await shop.json("import", writeCsv(shop.folder, "urunler.csv", goodRows(10)), "--yes");
  const prices = Object.fromEntries(CODES.map((code, index) => [code, `${25 + index},50`]));
  const { run, counts } = await shop.json("import", priceSheet(shop, "fiyat.csv", prices), "--yes");
  expect(counts).toMatchObject({ rows: 10, updated: 10 });
  return run;
}

async function editElsewhere(shop: TestStore): Promise<void> {
  const path = priceSheet(shop, "baskasi.csv", { "TST-00003": "31,00", "TST-00007": "33,00" });
  const other = shop.at({ CATALOG_HOME: join(shop.folder, "other-home") });
  expect((await other.run("import", path, "--yes", "--price-unit", "minor")).code).toBe(0);
}

/** Changes five prices, of which a guard holds one, and undoes the run. */
async function undoWithHeld(
  shop: TestStore,
): Promise<{ readonly run: string; readonly undone: Json }> {
  await shop.json("import", writeCsv(shop.folder, "urunler.csv", goodRows(5)), "--yes");
  const prices = Object.fromEntries(CODES.slice(0, 5).map((code) => [code, "26,00"]));
  const path = priceSheet(shop, "fiyat.csv", { ...prices, [CODES[4] ?? ""]: "1,00" });
  const { run, counts } = await shop.json("import", path, "--yes");
  expect(counts).toMatchObject({ updated: 4, held: 1 });
  return { run, undone: await shop.json("undo", run, "--yes") };
}

describe("undo", () => {
  it("restores what still has our value, and names what was changed elsewhere", async () => {
    const shop = await openTestStore({ breaks: { "early-token": "two homes are two programs" } });
    const run = await changePrices(shop);
    await editElsewhere(shop);

    const undone = await shop.json("undo", run, "--yes");

    expect(undone.counts).toMatchObject({ rows: 10, updated: 8, skipped: 2 });
    expect(undone.verification).toMatchObject({ visible: 8, mismatch: 0 });
    const kept = undone.issues.filter(({ code }: Json) => code === "W_UNDO_KEPT");
    expect(kept.map(({ value }: Json) => value)).toEqual(["TST-00003", "TST-00007"]);
    expect(kept[0]?.message.en).toContain("Fiyat: 27,50 → 31,00");
    const prices = CODES.map((_, index) => 2_099 + index * 100);
    expect(Object.values(pricesOf(shop)).toSorted((a, b) => a - b)).toEqual(
      prices
        .with(2, 3_100)
        .with(6, 3_300)
        .toSorted((a, b) => a - b),
    );
  });

  it("plans an undo without sending it, and sends it when it is applied", async () => {
    const shop = await openTestStore();
    const run = await changePrices(shop);
    const changed = pricesOf(shop);

    const planned = await shop.json("undo", run, "--plan");
    const between = pricesOf(shop);
    const applied = await shop.json("apply", planned.run, "--yes");

    expect([planned.exit, planned]).toMatchObject([
      0,
      { state: "planned", planned: { update: 10 } },
    ]);
    expect(between).toEqual(changed);
    expect(applied.counts).toMatchObject({ rows: 10, updated: 10 });
    expect(pricesOf(shop)).not.toEqual(changed);
  });

  it("takes back chosen rows and fields, and leaves all others", async () => {
    const shop = await openTestStore();
    await shop.json("import", writeCsv(shop.folder, "urunler.csv", goodRows(3)), "--yes");
    const lines = CODES.slice(0, 3).map((code) => `${code};26,00;7`);
    const path = writeText(shop.folder, "f.csv", `Ürün Kodu;Fiyat;Stok\n${lines.join("\n")}\n`);
    const { run } = await shop.json("import", path, "--yes");
    const changed = valuesOf(shop);

    const undone = await shop.json("undo", run, "--rows", "3", "--fields", "Fiyat", "--yes");
    const summary = await shop.json("runs", run);
    await shop.json("undo", run, "--rows", "4", "--yes");
    const unknown = await shop.run("undo", run, "--fields", "pirce", "--plan");

    expect(undone.counts).toMatchObject({ rows: 1, updated: 1 });
    expect(undone.warnings.join()).toContain("“f.csv” (Fiyat) geri alınıyor: 1 ürün");
    expect(summary.undone_by).toMatchObject({ run: undone.run, restored: 1, sent: 3 });
    expect((await shop.json("runs", run)).undone_by).toMatchObject({ restored: 2, sent: 3 });
    const [first, second, third] = CODES;
    expect(valuesOf(shop)).toEqual({
      ...changed,
      [second ?? ""]: { price: 2_199, stock: 7 },
      [third ?? ""]: { price: 2_299, stock: 13 },
    });
    expect(valuesOf(shop)[first ?? ""]).toEqual({ price: 2_600, stock: 7 });
    expect(unknown).toMatchObject({ code: 2 });
  });

  it("takes back what several runs have changed of one product, in one run", async () => {
    const shop = await openTestStore({ breaks: { "early-token": "two homes are two programs" } });
    const first = await changePrices(shop);
    const again = { "TST-00003": "40,00", "TST-00007": "41,00" };
    const { run: second } = await shop.json("import", priceSheet(shop, "b.csv", again), "--yes");
    const changed = pricesOf(shop);

    const undone = await shop.json("undo", "--product", "TST-00003", "--yes");
    const repeated = await shop.json("undo", "--product", "TST-00003", "--yes");
    const after = pricesOf(shop);
    await editElsewhere(shop);
    const kept = await shop.json("undo", "--product", "TST-00007", "--yes");

    expect(undone.counts).toMatchObject({ rows: 1, updated: 1 });
    expect(undone.warnings.join()).toContain(
      "“TST-00003” geri alınıyor: 1 ürün eski hâline dönecek",
    );
    expect(after).toEqual({ ...changed, "TST-00003": 2_299 });
    expect(repeated.counts).toMatchObject({ rows: 1, unchanged: 1 });
    expect(kept.counts).toMatchObject({ rows: 1, skipped: 1 });
    expect(kept.issues[0]?.message.en).toContain("Fiyat: 41,00 → 33,00");
    expect((await shop.json("runs", first)).undone_by).toMatchObject({ restored: 1, sent: 10 });
    expect((await shop.json("runs", second)).undone_by).toMatchObject({ restored: 1, sent: 2 });
    const history = await shop.json("explain", "--product", "TST-00003");
    expect(history.changes).toMatchObject([
      { run: undone.run, field: "price", before: "40,00", after: "22,99", origin: "terminal" },
      { run: second, field: "price", before: "27,50", after: "40,00" },
      { run: first, row: 4, field: "price", before: "22,99", after: "27,50" },
      { field: "product", before: null, after: null },
      { field: "price", before: null, after: "22,99" },
      { field: "stock_count" },
    ]);
    const explained = await shop.json("explain", first, "4");
    expect(explained.undone_by).toMatchObject({ run: undone.run, fields: ["price"] });
  });

  it("undoes an undo", async () => {
    const shop = await openTestStore();
    const run = await changePrices(shop);
    const changed = pricesOf(shop);

    const undone = await shop.json("undo", run, "--yes");
    const between = pricesOf(shop);
    const again = await shop.json("undo", undone.run, "--yes");

    expect(undone.counts).toMatchObject({ updated: 10 });
    expect(between).not.toEqual(changed);
    expect(again.counts).toMatchObject({ updated: 10 });
    expect(pricesOf(shop)).toEqual(changed);
  });

  it("cannot remove an added product, but sets its stock to 0 when asked to", async () => {
    const shop = await openTestStore();
    const path = writeCsv(shop.folder, "urunler.csv", goodRows(2));
    const { run } = await shop.json("import", path, "--yes");

    const told = await shop.json("undo", run, "--yes");
    const emptied = await shop.json("undo", run, "--zero-stock", "--yes");

    expect(told).toMatchObject({ exit: 5, state: "finished" });
    expect(told.counts).toMatchObject({ rows: 2, skipped: 2, updated: 0 });
    expect(told.issues.map(({ code }: Json) => code)).toEqual(["W_UNDO_ADD", "W_UNDO_ADD"]);
    expect(emptied.counts).toMatchObject({ rows: 2, updated: 2 });
    const stocks = shop.sandbox
      .products()
      .filter(({ product_code }) => CODES.includes(product_code))
      .map(({ stock_count }) => stock_count);
    expect(stocks).toEqual([0, 0]);
  });

  describe("of a run with a held row", () => {
    it("says how many rows can still be released, and how to close them", async () => {
      const shop = await openTestStore();

      const { run, undone } = await undoWithHeld(shop);
      const { err } = await shop.run("undo", run, "--yes", "--lang", "en");

      const advice = `catalog release ${run} --cancel`;
      expect(undone.warnings.join()).toContain("1 satır hâlâ karar bekliyor");
      expect(undone.warnings.join()).toContain(advice);
      expect(err).toContain(`1 row of ${run} still waits for a decision.`);
      expect(err).toContain(advice);
    });

    it("calls a run undone only where something of it was sent", async () => {
      const shop = await openTestStore();
      await shop.json("import", writeCsv(shop.folder, "urunler.csv", goodRows(1)), "--yes");
      const fallen = priceSheet(shop, "fiyat.csv", { "TST-00001": "0,50" });
      const { run, counts } = await shop.json("import", fallen, "--yes");

      const { err } = await shop.run("undo", run, "--yes", "--lang", "en");

      expect(counts).toMatchObject({ rows: 1, held: 1 });
      expect(err).toContain("has nothing to undo: no row of it was sent.");
      expect(err).toContain(`1 row of ${run} still waits for a decision.`);
      expect(err).not.toContain("undone run");
    });

    it("is mentioned before one of its rows is released, and that row is counted separately", async () => {
      const shop = await openTestStore();
      const { run, undone } = await undoWithHeld(shop);

      const released = await shop.run("release", run, "--resend", "--yes", "--lang", "en");
      const [, again] = [released, await shop.run("release", run, "--lang", "en")];

      expect(released.err).toMatch(/^! This run was undone on .*\s/u);
      expect(released.err).toContain(undone.run);
      expect(released.err).not.toContain("1/5");
      expect(released.out).toContain(
        "Now         1 updated\nIn all      5 updated (the whole run)\n",
      );
      expect(again.err).not.toContain("undone");
    });

    it("counts the released rows apart in the document", async () => {
      const shop = await openTestStore();
      const { run } = await undoWithHeld(shop);

      const document = await shop.json("release", run, "--resend", "--yes");

      expect(document).toMatchObject({
        counts: { updated: 5 },
        counts_now: { rows: 1, updated: 1 },
      });
    });
  });
});
