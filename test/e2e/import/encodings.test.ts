import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import iconv from "iconv-lite";
import { expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, HEADERS, type ProductRow } from "../../helpers/product-sheet.ts";

const MAX_MS = 120_000;

const TITLES = ["ÜRÜN SETİ", "TEPSİ", "KEMER SETİ", "FİNCAN SETİ", "TENCERE SETİ", "SÜT ŞİŞESİ"];

/** Headers as machine keys, which have no letter that tells an encoding. */
const KEYS =
  "product_code;title;sub_title;category;brand;brand_model;description;price;stock;warranty_type;warranty_period;shipping_template;image_1";

const upper = (text: unknown): string => String(text).toLocaleUpperCase("tr");

const titleOf = (number: number): string => `${TITLES[number % TITLES.length] ?? ""} ${number}`;

function writeCsv(shop: TestStore, rows: readonly ProductRow[], encoding: string): string {
  const lines = rows.map((row) =>
    HEADERS.map((header) => `"${String(row[header] ?? "").replaceAll('"', '""')}"`).join(";"),
  );
  const text = [KEYS, ...lines].join("\r\n");
  const file = join(shop.folder, "liste.csv");
  writeFileSync(file, iconv.encode(text, encoding));
  return file;
}

const titles = (shop: TestStore): readonly string[] =>
  shop.sandbox
    .products()
    .map(({ title }) => title)
    .toSorted();

it(
  "adds 300 products in capitals from a file of Excel with the titles of the file",
  { timeout: MAX_MS },
  async () => {
    const shop = await openTestStore();
    const rows = Array.from({ length: 300 }, (_, index) => {
      const title = titleOf(index);
      const texts = { "Başlık *": title, "Alt Başlık *": title, "Açıklama *": `${title}: UZUN` };
      const cells = goodRow(index + 1, { ...texts, "Fiyat *": 20 });
      const capitals = Object.entries(cells).map(([header, cell]) =>
        header.startsWith("Görsel") ? [header, cell] : [header, upper(cell)],
      );
      return Object.fromEntries(capitals);
    });

    const { code } = await shop.run("import", writeCsv(shop, rows, "windows-1254"), "--yes");

    expect(code).toBe(0);
    expect(titles(shop)).toEqual(rows.map((row) => String(row["Başlık *"])).toSorted());
  },
);

it("sends nothing of a file with an ambiguous encoding, and shows both readings", async () => {
  const shop = await openTestStore();
  const file = join(shop.folder, "liste.csv");
  writeFileSync(file, iconv.encode("product_code;title;price\nYOK-1;Ülker;5\n", "windows-1254"));

  const plan = await shop.run("plan", file);
  const imported = await shop.run("import", file, "--yes", "--lang", "en");
  const given = await shop.run("plan", file, "--encoding", "windows-1254", "--json");

  expect([plan.code, imported.code]).toEqual([3, 3]);
  expect(plan.err).toContain("windows-1254: “Ülker”; macturkish: “İlker”");
  expect(imported.err).toContain("--encoding windows-1254");
  expect(JSON.parse(given.out).counts).toMatchObject({ rows: 1 });
  expect(titles(shop)).toEqual([]);
});

it(
  "sends text that was encoded twice only when told to repair it",
  { timeout: MAX_MS },
  async () => {
    const shop = await openTestStore();
    const file = writeCsv(shop, [goodRow(1, { "Başlık *": "Kaşık" })], "utf-8");
    const twice = new TextDecoder("windows-1252").decode(readFileSync(file));
    writeFileSync(file, twice);

    const refused = await shop.run("import", file, "--yes");
    const repaired = await shop.run("import", file, "--yes", "--encoding", "utf-8-twice");

    expect(refused.code).toBe(3);
    expect(refused.err.replaceAll(/\s+/gu, " ")).toContain("--encoding utf-8-twice");
    expect(repaired.code).toBe(0);
    expect(titles(shop)).toEqual(["Kaşık"]);
  },
);

it(
  "syncs a feed whose ambiguous letters are not sent, and refuses one with ambiguous codes",
  { timeout: MAX_MS },
  async () => {
    const shop = await openTestStore({ products: 3 });
    const [product] = shop.sandbox.products();
    const feed = join(shop.folder, "stok.csv");
    const write = (code: string, title: string): void =>
      writeFileSync(
        feed,
        iconv.encode(`product_code;stock;note\n${code};9;${title}\n`, "windows-1254"),
      );

    write(product?.product_code ?? "", "Ülker");
    const told = await shop.run("sync", feed);
    write("KOD-Ü", "Tava");
    const refused = await shop.run("sync", feed);

    expect(told.code).toBe(0);
    expect(shop.sandbox.products()[0]).toMatchObject({ stock_count: 9 });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("--encoding");
  },
);
