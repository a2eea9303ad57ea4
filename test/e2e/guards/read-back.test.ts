import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import type { Fault } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import type { Json } from "../../helpers/call-catalog.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import {
  goodRow,
  goodRows,
  type ProductRow,
  writeCsv,
  writeText,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";

const importRows = (shop: TestStore, rows: readonly ProductRow[], ...args: readonly string[]) =>
  shop.json("import", writeCsv(shop.folder, "urunler.csv", rows), ...args, "--yes");

const importStocks = (shop: TestStore, stocks: readonly string[], ...args: readonly string[]) =>
  shop.json("import", stockSheet(shop, stocks), "--yes", ...args);

const stockSheet = ({ folder }: TestStore, stocks: readonly string[]): string =>
  writeText(folder, "stok.csv", ["Ürün Kodu;Stok", ...stocks]);

describe("reading back", () => {
  it("finds the products that were added", async () => {
    const shop = await openTestStore();

    const { verification, exit } = await importRows(shop, goodRows(3));

    expect(exit).toBe(0);
    expect(verification).toEqual({ accepted: 0, visible: 3, mismatch: 0, not_visible: 0 });
  });

  it("makes no call when it is switched off", async () => {
    const shop = await openTestStore();

    const { verification, planned } = await importRows(shop, goodRows(2), "--no-verify");

    expect(verification).toEqual({ accepted: 2, visible: 0, mismatch: 0, not_visible: 0 });
    expect(planned).toMatchObject({ add: 2, requests: 2 });
  });

  it("reports that the store ignores the stock, and omits it from then on", async () => {
    const shop = await openTestStore({ personality: { "update-stock": "ignored" } });
    await importRows(shop, goodRows(2));

    const first = await importStocks(shop, ["TST-00001;77", "TST-00002;78"]);
    const second = await importStocks(shop, ["TST-00001;79"]);
    const tried = await importStocks(shop, ["TST-00001;80"], "--try-refused");

    expect(first.verification).toMatchObject({ mismatch: 2, visible: 0 });
    expect(first.warnings.join("\n")).toContain("stock_count");
    expect(second.counts).toMatchObject({ unchanged: 0, skipped: 1, updated: 0 });
    expect(second.issues.map(({ code }: Json) => code)).toContain("W_FIELD_REFUSED");
    expect(tried.counts).toMatchObject({ updated: 1 });
  });

  it("never calls a row unchanged whose stock the store refuses, and ends with 5", async () => {
    const shop = await openTestStore({ personality: { "update-stock": "refused" } });
    await importRows(shop, goodRows(3));
    const rows = ["TST-00001;77", "TST-00002;78", "TST-00003;79"];
    await importStocks(shop, rows);
    const titled = ["Ürün Kodu;Başlık;Stok", "TST-00001;Yeni başlık;77"];
    const mixed = writeText(shop.folder, "karma.csv", titled);

    const planned = await shop.json("plan", stockSheet(shop, rows));
    const second = await importStocks(shop, rows);
    const told = await shop.run("import", "stok.csv", "--yes", "--lang", "tr");
    const applied = await shop.json("apply", planned.run);
    const partly = await shop.json("import", mixed, "--yes");
    const same = await importStocks(shop, [`TST-00001;${shop.sandbox.products()[0]?.stock_count}`]);

    const left = { rows: 3, partly: 0, fields: ["stock_count"] };
    expect(planned).toMatchObject({ exit: 5, unsendable: left });
    expect(second).toMatchObject({
      exit: 5,
      counts: { rows: 3, skipped: 3, unchanged: 0, updated: 0 },
      unsendable: left,
    });
    expect([told.code, applied.exit]).toEqual([5, 5]);
    const output = told.out.replaceAll(/\s+/gu, " ");
    expect(output).toContain("3 gönderilemeyecek (mağaza güncellemede almıyor: Stok)");
    expect(output).toContain("Sonuç 3 gönderilemedi (mağaza güncellemede almıyor: Stok)");
    const unsendable = { rows: 0, partly: 1 };
    expect(partly).toMatchObject({ exit: 5, counts: { updated: 1 }, unsendable });
    expect(same).toMatchObject({ exit: 0, counts: { unchanged: 1 }, unsendable: { rows: 0 } });
    const explained = await shop.run("explain", second.run, "2", "--lang", "tr");
    expect(explained.out).toContain("gönderilemedi: mağaza bu alanın güncellemesini almıyor");
    const { files } = await shop.json("report", second.run);
    const kept = JSON.parse(readFileSync(files.summary, "utf8"));
    expect(kept).toMatchObject({ exit: 5, unsendable: left });
    expect(readFileSync(join(files.dir, "result.csv"), "utf8")).toContain("Gönderilemedi");
    const listed = await shop.run("runs", "--lang", "tr");
    expect(listed.out).toContain("3 gönderilemedi");
  });
});

const ROWS = 3;

/** Refuses the second add with this status, although it carries it out. */
const refused = (status: number): Fault => ({
  kind: "refused-after",
  endpoint: "product.add",
  nth: 2,
  status,
});

describe("an add that is refused after it was carried out", () => {
  it.each([200, 422])("is found when the store shows it (%i)", async (status) => {
    const shop = await openTestStore({ faults: [refused(status)] });

    const imported = await importRows(shop, goodRows(ROWS));

    expect(imported).toMatchObject({ exit: 0, counts: { rows: ROWS, added: ROWS } });
    expect(shop.sandbox.stats().adds).toBe(ROWS);
    expect(shop.sandbox.inspect().doubles).toEqual({});
  });

  it("is held by retry, by the same file and by failed.xlsx when the store hides it", async () => {
    const shop = await openTestStore({
      faults: [refused(422)],
      personality: { "new-product": "after-approval" },
    });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(ROWS));
    const first = await shop.json("import", file, "--yes");

    const retried = await shop.json("retry", first.run, "--yes");
    const again = await shop.json("import", file, "--yes");
    const corrected = await shop.json("import", first.files.failed, "--yes");

    expect(first).toMatchObject({ exit: 5, counts: { rows: ROWS, added: 2, rejected: 1 } });
    expect(retried).toMatchObject({ exit: 5, counts: { rows: 1, held: 1 } });
    expect(again).toMatchObject({ exit: 5, counts: { rows: ROWS, unchanged: 2, held: 1 } });
    expect(corrected).toMatchObject({ exit: 5, counts: { rows: 1, held: 1 } });
    expect(shop.sandbox.inspect().doubles).toEqual({});
    expect(shop.sandbox.products()).toHaveLength(ROWS);
  });
});

it("reads back an update that was refused after it was carried out", async () => {
  const shop = await openTestStore({
    products: 3,
    faults: [{ kind: "refused-after", endpoint: "product.update", nth: 1, status: 422 }],
  });
  const [product] = shop.sandbox.products();
  const row = { "Ürün Kodu *": product?.product_code ?? "", "Başlık *": "Yeni başlık" };
  const file = await writeWorkbook(shop.folder, "liste.xlsx", [row]);

  const ended = await shop.json("import", file, "--yes");

  expect(ended).toMatchObject({ exit: 0, counts: { rows: 1, updated: 1 } });
  expect(shop.sandbox.products()[0]?.title).toBe("Yeni başlık");
});

const CANARY_ROWS = 6;
const CANARY = 3;

describe("kill -9 in the middle of a canary", () => {
  it("lets the next process send the rest of the canary first", async () => {
    const shop = await openTestStore({ latencyMs: 30 });
    const file = writeCsv(shop.folder, "urunler.csv", goodRows(CANARY_ROWS));
    const { child, finished } = shop.start("import", file, "--yes", "--json", "--canary", "3");
    while (shop.sandbox.stats().adds < 1) await wait(2);
    child.kill("SIGKILL");
    await finished;
    const sent = shop.sandbox.stats().adds;
    const [{ run }] = (await shop.json("runs")).runs;

    const resumed = await shop.json("resume", run);

    expect(sent).toBeLessThan(CANARY);
    expect(shop.sandbox.inspect().doubles).toEqual({});
    // The request under way is either found, or its row is unknown and the others stay.
    const isUnknown = resumed.exit === 6;
    const { added, held, pending } = resumed.counts;
    expect({ added, held, pending }).toEqual(
      isUnknown
        ? { added: CANARY - 1, held: 1, pending: CANARY_ROWS - CANARY }
        : { added: CANARY_ROWS, held: 0, pending: 0 },
    );
    expect([...resumed.notes, ...resumed.warnings].join("\n")).toContain(
      isUnknown ? "tanesinin sonucu belli değil" : "3 tanesi gönderildiği gibi görünüyor",
    );
  });
});

describe("a canary that reveals the unit of prices", () => {
  it("lets the guards check the remaining rows once", async () => {
    const shop = await openTestStore({ products: 5, personality: { prices: "major" } });
    const products = shop.sandbox.products();
    // The last but one price falls by two thirds.
    const rows = products.map(({ product_code, price }, index) => ({
      "Ürün Kodu *": product_code,
      "Fiyat *": Math.round(index === 3 ? price / 3 : price + 100) / 100,
    }));
    const file = writeCsv(shop.folder, "fiyat.csv", [goodRow(1), ...rows]);
    const first = await shop.json("import", file, "--yes", "--canary", "1");
    const before = shop.sandbox.products()[3]?.price;
    const released = await shop.json("release", first.run, "--rows", "6", "--resend", "--yes");

    expect(first).toMatchObject({ exit: 5, counts: { added: 1, updated: 4, held: 1 } });
    expect(first.issues).toMatchObject([{ code: "E_GUARD_PRICE_DROP", cell: "H6" }]);
    expect(before).toBe(products[3]?.price);
    expect(released).toMatchObject({ exit: 0, counts: { updated: 5 } });
  });
});

describe("a canary that the store shows otherwise", () => {
  it("ends the import with the rest unsent, and a report of the differences", async () => {
    const shop = await openTestStore({ products: 5, personality: { "update-stock": "ignored" } });
    const codes = shop.sandbox.products().map(({ product_code: code }) => `${code};999\n`);
    const file = writeText(shop.folder, "stok.csv", `Ürün Kodu;Stok\n${codes.join("")}`);

    expect(await shop.json("import", file, "--yes", "--canary", "1")).toMatchObject({
      state: "stopped",
      exit: 6,
      counts: { updated: 1, pending: 4 },
      verification: { mismatch: 1 },
      issues: [{ code: "W_MISMATCH", cell: "B2", column: "Stok" }],
      error: { code: "E_CANARY" },
    });
    expect(shop.sandbox.stats().byEndpoint["product.update"]).toBe(1);
  });
});
