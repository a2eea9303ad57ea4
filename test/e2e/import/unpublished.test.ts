import { createSandboxCatalog } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import {
  exportProduct,
  imageOf,
  type Row,
  type Shown,
  SHOPIFY_HEADERS,
} from "../../helpers/shopify-export.ts";

const template = createSandboxCatalog().shippingTemplates[0]?.template_name ?? "";

/** What Shopify does not have. */
const MISSING = [
  "sub_title=Kısa açıklama",
  "brand_model=Model",
  "warranty_type=Garantisiz",
  "warranty_period=0",
  `shipping_template=${template}`,
].flatMap((text) => ["--set", text]);

const OFF = ["--images", "off", "--json"] as const;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function writeRows(shop: TestStore, rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    SHOPIFY_HEADERS.map((header) => quote(row[header] ?? "")).join(","),
  );
  return writeText(shop.folder, "urunler.csv", [SHOPIFY_HEADERS.join(","), ...lines].join("\n"));
}

async function importFile(shop: TestStore, file: string, ...flags: readonly string[]) {
  const { out } = await shop.run("import", file, ...MISSING, ...flags, ...OFF, "--yes");
  return JSON.parse(out);
}

/** Price and stock of the store's products by code. */
const shown = (shop: TestStore): ReadonlyMap<string, Pick<Shown, "price" | "stock">> =>
  new Map(
    shop.sandbox
      .products()
      .map(({ product_code: code, price, stock_count: stock }) => [code, { price, stock }]),
  );

const errorsOf = (issues: readonly { readonly code: string }[]) =>
  issues.map(({ code }) => code).filter((code) => code.startsWith("E_"));

describe("an export of Shopify with products that are not on sale", () => {
  const draft = exportProduct(6);
  const active = exportProduct(9);
  const rows = [
    ...draft.rows.map((row, at) => (at === 0 ? { ...row, Status: "draft" } : row)),
    ...active.rows,
  ];

  it("adds the others, and names those that it leaves out", async () => {
    const shop = await openTestStore();

    const file = writeRows(shop, rows);

    const plan = JSON.parse((await shop.run("plan", file, ...MISSING, ...OFF)).out);
    const { counts } = await importFile(shop, file);

    expect(counts).toMatchObject({ rows: active.rows.length, added: active.expected.length });
    const codes = [...shown(shop).keys()];
    expect(codes).toEqual(expect.arrayContaining(active.expected.map(({ code }) => code)));
    expect(codes.filter((code) => code.startsWith("SH-6-"))).toEqual([]);
    expect(
      plan.warnings.filter((line: string) => line.startsWith("Kaynağında satışta olmayan")),
    ).toEqual([
      expect.stringMatching(
        new RegExp(`${draft.rows.length} satır.*\\(SH-6-0\\).*--map "Status=-"`, "u"),
      ),
    ]);
  });

  it("sends nothing of a file in which none of them is on sale", async () => {
    const shop = await openTestStore();
    const before = shop.sandbox.products().length;
    const drafts = rows.map((row) => ({ ...row, Status: "archived" }));

    const { exit, counts } = await importFile(shop, writeRows(shop, drafts));

    expect([exit, counts.rows, counts.added]).toEqual([0, 0, 0]);
    expect(shop.sandbox.products()).toHaveLength(before);
  });

  it("adds them all where a person leaves the column of the status out", async () => {
    const shop = await openTestStore();
    const file = writeRows(shop, rows);

    const { counts } = await importFile(shop, file, "--map", "Status=-");

    const all = draft.expected.length + active.expected.length;
    expect(counts).toMatchObject({ rows: rows.length, added: all });
  });

  it("refuses a new product whose stock nobody counts, and leaves that of an update", async () => {
    const shop = await openTestStore();
    const [first] = exportProduct(4).rows;
    const row: Row = { ...first, "Image Src": imageOf(4, 1) };
    const untracked = { ...row, "Variant Inventory Tracker": "", "Variant Inventory Qty": "0" };
    const code = row["Variant SKU"] ?? "";

    const refused = await importFile(shop, writeRows(shop, [untracked]));
    const added = await importFile(shop, writeRows(shop, [row]));
    const before = shown(shop).get(code);
    const dearer = { ...untracked, "Variant Price": "110.00" };
    const updated = await importFile(shop, writeRows(shop, [dearer]));

    expect(errorsOf(refused.issues)).toEqual(["E_STOCK_STATE"]);
    expect(added.counts).toMatchObject({ added: 1 });
    expect(updated.counts).toMatchObject({ updated: 1, invalid: 0 });
    expect(shown(shop).get(code)).toEqual({ ...before, price: 11_000 });
  });
});
