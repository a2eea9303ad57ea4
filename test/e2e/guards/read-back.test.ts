import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, type ProductRow, writeText, writeCsv } from "../../helpers/product-sheet.ts";

interface Summary {
  readonly exit: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly planned: Readonly<Record<string, number>>;
  readonly verification: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly issues: readonly { readonly code: string }[];
  readonly run: string;
}

async function importJson(shop: TestStore, ...args: readonly string[]): Promise<Summary> {
  const { out, err } = await shop.run("import", ...args, "--yes", "--json");
  expect(out, err).not.toBe("");
  return JSON.parse(out);
}

const importRows = async (
  shop: TestStore,
  rows: readonly ProductRow[],
  ...args: readonly string[]
): Promise<Summary> => await importJson(shop, writeCsv(shop.folder, "urunler.csv", rows), ...args);

const stockSheet = (shop: TestStore, name: string, ...rows: readonly string[]): string =>
  writeText(shop.folder, name, `Ürün Kodu;Stok\n${rows.join("\n")}\n`);

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

  it("reports in the first run that the store ignores the stock, and leaves it out from then on", async () => {
    const shop = await openTestStore({ personality: { "update-stock": "ignored" } });
    await importRows(shop, goodRows(2));

    const first = await importJson(
      shop,
      stockSheet(shop, "ilk.csv", "TST-00001;77", "TST-00002;78"),
    );
    const second = await importJson(shop, stockSheet(shop, "iki.csv", "TST-00001;79"));
    const tried = await importJson(
      shop,
      stockSheet(shop, "uc.csv", "TST-00001;80"),
      "--try-refused",
    );

    expect(first.verification).toMatchObject({ mismatch: 2, visible: 0 });
    expect(first.warnings.join("\n")).toContain("stock_count");
    expect(second.counts).toMatchObject({ unchanged: 0, skipped: 1, updated: 0 });
    expect(second.issues.map(({ code }) => code)).toContain("W_FIELD_REFUSED");
    expect(tried.counts).toMatchObject({ updated: 1 });
  }, 90_000);

  it("never calls a row unchanged whose stock the store refuses, and ends with 5", async () => {
    const shop = await openTestStore({ personality: { "update-stock": "refused" } });
    await importRows(shop, goodRows(3));
    const rows = ["TST-00001;77", "TST-00002;78", "TST-00003;79"];
    await importJson(shop, stockSheet(shop, "ilk.csv", ...rows));
    const file = stockSheet(shop, "iki.csv", ...rows);
    const mixed = writeText(
      shop.folder,
      "uc.csv",
      "Ürün Kodu;Başlık;Stok\nTST-00001;Yeni başlık;77\n",
    );
    const equal = stockSheet(
      shop,
      "esit.csv",
      `TST-00001;${shop.sandbox.products()[0]?.stock_count}`,
    );

    const planned = await shop.run("plan", file, "--json");
    const second = await importJson(shop, file);
    const told = await shop.run("import", file, "--yes", "--lang", "tr");
    const applied = await shop.run("apply", JSON.parse(planned.out).run, "--json");
    const partly = await importJson(shop, mixed);
    const same = await importJson(shop, equal);

    const left = { rows: 3, partly: 0, fields: ["stock_count"] };
    expect(JSON.parse(planned.out)).toMatchObject({ exit: 5, unsendable: left });
    expect(second).toMatchObject({
      exit: 5,
      counts: { rows: 3, skipped: 3, unchanged: 0, updated: 0 },
      unsendable: left,
    });
    expect([told.code, applied.code]).toEqual([5, 5]);
    const output = told.out.replaceAll(/\s+/gu, " ");
    expect(output).toContain("3 gönderilemeyecek (mağaza güncellemede almıyor: Stok)");
    expect(output).toContain("Sonuç 3 gönderilemedi (mağaza güncellemede almıyor: Stok)");
    expect(partly).toMatchObject({
      exit: 5,
      counts: { updated: 1 },
      unsendable: { rows: 0, partly: 1 },
    });
    expect(same).toMatchObject({ exit: 0, counts: { unchanged: 1 }, unsendable: { rows: 0 } });
    const explained = await shop.run("explain", second.run, "2", "--lang", "tr");
    expect(explained.out).toContain("gönderilemedi: mağaza bu alanın güncellemesini almıyor");
    const { files } = JSON.parse((await shop.run("report", second.run, "--json")).out);
    const kept = JSON.parse(readFileSync(files.summary, "utf8"));
    expect(kept).toMatchObject({ exit: 5, unsendable: left });
    expect(readFileSync(join(files.dir, "result.csv"), "utf8")).toContain("Gönderilemedi");
    const listed = await shop.run("runs", "--lang", "tr");
    expect(listed.out).toContain("3 gönderilemedi");
  }, 90_000);
});
