/** Feeds of other programs, written by hand after their documents, beside what a person reads in them. */

import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { createSandboxCatalog } from "@catalog/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { formatCsv, goodRow, type ProductRow, writeText } from "../../helpers/product-sheet.ts";

const FOLDER = new URL("fixtures/feeds/", import.meta.url);

/** What a person reads in one file. */
interface ReadFeed {
  readonly file: string;
  readonly platform: string;
  /** What a person answers, one flag each. */
  readonly answers: readonly string[];
  /** Code, title, stock, price with its currency, category and images of each product that is sent. */
  readonly products: readonly string[];
  /** Number of the record and code of what is refused. */
  readonly refused: readonly string[];
}

/**
 * Lines begin with `#` for the file, `@` for the platform, `$` for an answer, `=` for a product, `!`
 * for what is refused.
 */
const FEEDS: readonly ReadFeed[] = readFileSync(new URL("feeds.txt", FOLDER), "utf8")
  .trim()
  .split("\n\n")
  .map((block) => {
    const behind = (mark: string): readonly string[] =>
      block.split("\n").flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(2)] : []));
    return {
      file: behind("#").join(""),
      platform: behind("@").join(""),
      answers: behind("$"),
      products: behind("="),
      refused: behind("!"),
    };
  });

const catalog = createSandboxCatalog();
const categories = new Map(catalog.categories.map(({ id, category_path: path }) => [id, path]));

type Product = ReturnType<TestStore["sandbox"]["products"]>[number];

const addressOf = (image: Product["images"][number]): string =>
  typeof image === "string" ? image : image.url;

/** A product in the form of the table. */
function show(product: Product): string {
  const { price, currency, discount_type: type, discount_value: value } = product;
  const paid = type === 3 ? `${price} → ${value}` : `${price}`;
  const images = product.images.map((image) =>
    addressOf(image).replace("https://ornek.example/", ""),
  );
  const category = categories.get(product.category_id)?.split(" > ").at(-1) ?? "";
  return [
    product.product_code,
    product.title,
    product.stock_count,
    `${paid} ${currency ?? "TL"}`,
    category,
    images.join(" "),
  ].join("; ");
}

/** A product of the store as it was before a file with these values: a bit dearer, and in stock. */
function toOlder(text: string): ProductRow {
  const [code = "", , , price = ""] = text.split("; ");
  const [amount, ...rest] = price.split(" ");
  const currency = rest.at(-1) ?? "";
  const older = (Number(amount) * 1.1) / 100;
  return goodRow(Number(code.replace("VAR-", "")), {
    "Ürün Kodu *": code,
    "Fiyat *": older.toFixed(2),
    "Stok *": 50,
    "Para Birimi": currency,
  });
}

const toArguments = (answer: string): readonly string[] => {
  const at = answer.indexOf(" ");
  return at === -1 ? [answer] : [answer.slice(0, at), answer.slice(at + 1)];
};

describe("feeds of other programs", () => {
  let shop: TestStore;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    shop = await openTestStore({}, (end) => ends.push(end));
    for (const [field, value] of [
      ["sub_title", "Mağazamızdan"],
      ["brand_model", "Serbest"],
      ["warranty_type", "Garantisiz"],
      ["warranty_period", "0 Ay"],
      ["shipping_template", "Standart Teslimat"],
    ] as const) {
      expect((await shop.run("rules", "default", field, value)).code).toBe(0);
    }
    const known = FEEDS.flatMap(({ products }) => products).filter((text) =>
      text.startsWith("VAR-"),
    );
    const rows = known.map((text) => toOlder(text));
    const path = writeText(shop.folder, "magaza.csv", formatCsv(rows));
    expect(await shop.json("import", path, "--yes", "--images", "off")).toMatchObject({ exit: 0 });
  });

  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  it("are all in the table, and need two answers at most", () => {
    const files = readdirSync(FOLDER).filter((name) => name !== "feeds.txt");

    expect(FEEDS.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    expect(FEEDS.filter(({ answers }) => answers.length > 2)).toEqual([]);
  });

  it.each(FEEDS)("are read as a person reads them: $file", async (feed) => {
    const before = new Map(shop.sandbox.products().map((each) => [each.product_code, show(each)]));
    const path = join(shop.folder, feed.file);
    copyFileSync(new URL(feed.file, FOLDER), path);
    const flags = feed.answers.flatMap(toArguments);

    const done = await shop.json("import", path, ...flags, "--yes", "--images", "off");

    const sent = shop.sandbox.products().map((each) => show(each));
    const changed = sent.filter((text) => before.get(text.split(";")[0] ?? "") !== text);
    const refused = done.issues.map(
      ({ row, code }: { readonly row: number; readonly code: string }) => `${row} ${code}`,
    );
    expect(changed.toSorted()).toEqual([...feed.products].toSorted());
    expect([done.platform ?? "none", ...refused]).toEqual([feed.platform, ...feed.refused]);
  });

  it.each(["bayi.xml", "ideasoft-variants.xml", "unknown-two-records.xml"])(
    "are read again without the answers, which are remembered: %s",
    async (file) => {
      const path = join(shop.folder, file);

      const { exit, issues, counts } = await shop.json("plan", path);

      expect([exit, issues, counts.updated]).toEqual([0, [], 0]);
    },
  );
});
