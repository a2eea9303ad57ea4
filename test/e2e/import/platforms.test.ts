import { expect, it } from "vitest";

import {
  mapPlatformFile,
  PLATFORM_HEADER_SETS,
  type PlatformHeaderSet,
} from "../../../packages/mapping/test/helpers/platform-header-sets.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, writeText } from "../../helpers/product-sheet.ts";

const ROWS = 4;

/** Headers of the templates, whose values are taken as they are. */
const OWN: Readonly<Record<string, string>> = {
  product_code: "Ürün Kodu *",
  title: "Başlık *",
  sub_title: "Alt Başlık *",
  category: "Kategori *",
  brand: "Marka *",
  brand_model: "Model *",
  description: "Açıklama *",
  warranty_type: "Garanti Tipi *",
  warranty_period: "Garanti Süresi *",
  shipping_template: "Teslimat Şablonu *",
};

/** The text of a field; all products have one category, so that a constant category fits. */
function valueOf(field: string, n: number): string {
  const own = OWN[field];
  if (own !== undefined) return String(goodRow(n * 5)[own] ?? "");
  const texts: Readonly<Record<string, string>> = {
    price: `${100 + n}.90`,
    list_price: n % 2 === 0 ? "0" : `${200 + n}.90`,
    discount_value: n % 2 === 0 ? "" : `${50 + n}.90`,
    stock: String(n),
    currency: "TRY",
    condition: "new",
    image_1: `https://ornek.example/${n}-1.jpg`,
    images: `https://ornek.example/${n}-2.jpg, https://ornek.example/${n}-3.jpg`,
    "never-sent": "1",
    "other-id": "1",
  };
  return texts[field] ?? "";
}

const REQUIRED = [
  "title",
  "sub_title",
  "category",
  "brand",
  "brand_model",
  "description",
  "price",
  "stock",
  "warranty_type",
  "warranty_period",
  "shipping_template",
] as const;

/** The file, and the flags for what it does not hold or a person has to decide. */
function writeFile(shop: TestStore, set: PlatformHeaderSet): readonly string[] {
  const asked = answer(set);
  const fields = mapPlatformFile(set).columns.map(({ header, target }) =>
    target.kind === "field" ? target.field : (asked.get(header) ?? target.kind),
  );
  const lines = Array.from({ length: ROWS }, (_, index) =>
    fields.map((field, column) =>
      isLeftEmpty(set.header[column] ?? "", field, fields.indexOf(field) === column, set)
        ? ""
        : quote(
            /^handleid$/iu.test(set.header[column] ?? "")
              ? String(index + 1)
              : valueOf(field, index + 1),
          ),
    ),
  );
  const text = [set.header.map(quote), ...lines].map((cells) => cells.join("\t")).join("\n");
  const hasImages = fields.some((field) => field.startsWith("image"));
  const missing = REQUIRED.filter((field) => !fields.includes(field));
  return [
    writeText(shop.folder, "liste.tsv", text),
    ...[...asked].flatMap(([header, field]) => ["--map", `${header}=${field}`]),
    ...[...missing, ...(hasImages ? [] : ["image_1"])].flatMap((field) => [
      "--set",
      `${field}=${valueOf(field, 1)}`,
    ]),
  ];
}

/** Shops that write a discount in several columns: its kind, its value, its dates. */
const DIVIDED_DISCOUNTS: ReadonlySet<string> = new Set(["prestashop", "wix"]);

/**
 * Every image stands once, no product is deleted, no variant costs more, and discounts of several
 * columns are not given.
 */
const isLeftEmpty = (
  header: string,
  field: string,
  isFirst: boolean,
  { empty, platform }: PlatformHeaderSet,
): boolean =>
  empty.includes(header) ||
  (field === "images" && !isFirst) ||
  ["Silindi mi?", "surcharge"].includes(header) ||
  (DIVIDED_DISCOUNTS.has(platform) && /discount/iu.test(header));

/**
 * What a person answers: the first price is the price where the file has no other, the first stock
 * the stock, and an id or a code of the shop the product code.
 */
function answer({ asked, fields }: PlatformHeaderSet): ReadonlyMap<string, string> {
  const taken = new Set(fields.map((field) => field.split("=").at(-1)));
  const answers = new Map<string, string>();
  for (const header of asked) {
    const [, field = "product_code"] = KINDS.find(([kind]) => kind.test(header)) ?? [];
    answers.set(header, taken.has(field) ? "-" : field);
    taken.add(field);
  }
  return answers;
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/fiyat|price/iu, "price"],
  [/stok$/iu, "stock"],
];

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

it.each(PLATFORM_HEADER_SETS)("imports the products of a file: $name", async (set) => {
  const shop = await openTestStore();
  const flags = writeFile(shop, set);
  const fields = new Set([
    ...answer(set).values(),
    ...mapPlatformFile(set).columns.flatMap(({ target }) =>
      target.kind === "field" ? [target.field] : [],
    ),
  ]);

  if (DIVIDED_DISCOUNTS.has(set.platform)) fields.delete("discount_value");

  const {
    counts,
    issues,
    platform,
    exit: code,
  } = await shop.json("import", ...flags, "--yes", "--images", "off");
  expect(issues).toEqual([]);
  expect([code, counts.added, platform]).toEqual([
    0,
    ROWS,
    set.platform === "none" ? null : set.platform,
  ]);
  const added = shop.sandbox
    .products()
    .filter(({ product_code: product }) => product.startsWith("TST-"))
    .toSorted((a, b) => a.stock_count - b.stock_count);
  expect(added).toHaveLength(ROWS);
  for (const [index, product] of added.entries()) {
    const n = index + 1;
    for (const field of ["title", "description"] as const) {
      if (fields.has(field)) expect(product[field]).toBe(valueOf(field, n));
    }
    if (fields.has("stock")) expect(product.stock_count).toBe(n);
    if (fields.has("price")) expect(paid(product)).toEqual(expectedPrice(n, fields));
    if (fields.has("images")) {
      expect(product.images).toEqual(expectedImages(n, fields));
    }
  }
});

type Product = ReturnType<TestStore["sandbox"]["products"]>[number];

const paid = ({ price, discount_type: type, discount_value: value }: Product): unknown => ({
  price,
  reduced: type === 3 ? value : undefined,
});

function expectedPrice(n: number, fields: ReadonlySet<string>): unknown {
  const price = (100 + n) * 100 + 90;
  if (n % 2 === 0) return { price, reduced: undefined };
  if (fields.has("discount_value")) return { price, reduced: (50 + n) * 100 + 90 };
  return fields.has("list_price")
    ? { price: (200 + n) * 100 + 90, reduced: price }
    : { price, reduced: undefined };
}

const expectedImages = (n: number, fields: ReadonlySet<string>): readonly string[] =>
  [...(fields.has("image_1") ? [1] : []), 2, 3].map(
    (image) => `https://ornek.example/${n}-${image}.jpg`,
  );
