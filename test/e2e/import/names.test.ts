import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createNameIndexes, type NameIndexes } from "@catalog/mapping";
import { createFakeNames } from "@catalog/mapping/testing";
import { createSandboxCatalog } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { ASKED, type Mutation, READABLE } from "../../helpers/category-mutations.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeText, writeWorkbook } from "../../helpers/product-sheet.ts";

/** Rows of one category with the same misspelt brand. */
function misspelt(count: number): { readonly rows: ProductRow[]; readonly brand: string } {
  const { "Kategori *": category = "", "Marka *": brand } = goodRow(5);
  const name = String(brand);
  const wrong = { "Kategori *": category, "Marka *": `${name}q` };
  return {
    rows: Array.from({ length: count }, (_, index) => goodRow(index + 1, wrong)),
    brand: name,
  };
}

describe("412 rows with one unknown brand", () => {
  it("are reported in one line and resolved by one rule, which later runs use", async () => {
    const shop = await openTestStore();
    const { rows, brand } = misspelt(412);
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", rows);

    const plan = await shop.run("plan", file);
    const first = await shop.json("plan", file);
    const rule = await shop.run("rules", "add", "Marka", `${brand}q`, brand);
    const second = await shop.json("plan", file);

    expect(plan.out.split(`“${brand}q” adında`)).toHaveLength(2);
    expect(plan.out.replaceAll(/\s+/gu, " ")).toContain("(412 satırda; ayrıca ");
    expect(plan.out).toContain(`rules add Marka "${brand}q" "${brand}"`);
    expect(first).toMatchObject({
      exit: 3,
      counts: { invalid: 412 },
      open_names: [{ field: "brand", value: `${brand}q`, rows: 412, choices: [brand] }],
    });
    expect(rule.code).toBe(0);
    expect(second).toMatchObject({
      exit: 0,
      planned: { add: 412 },
      open_names: [],
      notes: expect.arrayContaining([`1 kural uygulandı: ${brand}q → ${brand}`]),
    });
  });
});

/** The brand of {@link goodRow} and a model of it. */
function findListed() {
  const { "Kategori *": path, "Marka *": brand } = goodRow(1);
  const catalog = createSandboxCatalog();
  const category = catalog.categories.find((each) => each.category_path === path);
  const listed = catalog.brands(category?.id ?? "").find(({ name }) => name === brand);
  const [model] = catalog.models(category?.id ?? "", listed?.id ?? "");
  return { brand: String(brand), model: String(model?.name), modelId: String(model?.id) };
}

describe("a name that differs from a listed one in a sign", () => {
  it("is sent as free text where it is a model, and refused where it is a brand", async () => {
    const shop = await openTestStore();
    const { brand, model, modelId } = findListed();
    const rows = [
      goodRow(1, { "Model *": `${model}+` }),
      goodRow(1, { "Model *": model.toUpperCase(), "Ürün Kodu *": "TST-2" }),
      goodRow(1, { "Marka *": `${brand}+`, "Ürün Kodu *": "TST-3" }),
    ];
    const file = await writeWorkbook(shop.folder, "modeller.xlsx", rows);
    // The rule for the name without the sign must not apply to the name with it.
    await shop.run("rules", "add", "Model", model, modelId);

    const run = await shop.json("import", file, "--yes");

    expect(run).toMatchObject({
      exit: 5,
      counts: { rows: 3, added: 2, invalid: 1 },
      open_names: [
        { field: "brand", value: `${brand}+`, choices: expect.arrayContaining([brand]) },
      ],
    });
    const sent = shop.sandbox.products().map((each) => [each.product_code, each.brand_model]);
    expect(sent).toEqual(
      expect.arrayContaining([
        ["TST-00001", `${model}+`],
        ["TST-2", modelId],
      ]),
    );
  });
});

describe("columns that were mapped by hand", () => {
  it("are recognized again by their headers, and by their name", async () => {
    const shop = await openTestStore({ products: 3 });
    const [product] = shop.sandbox.products();
    const text = `Malzeme;Bakiye Miktarı\n${product?.product_code};77\n`;
    const file = writeText(shop.folder, "stok.csv", text);
    const maps = ["--map", "Malzeme=product_code", "--map", "Bakiye Miktarı=stock"];

    const before = await shop.run("plan", file);
    const accepted = await shop.run("import", file, "--yes", ...maps, "--profile", "erp");
    const unnamed = await shop.json("plan", file);
    const named = await shop.json("plan", file, "--profile", "erp");

    expect(before.code).toBe(3);
    expect(accepted.code).toBe(0);
    expect(accepted.err).toContain("“erp” profiline kaydedildi");
    expect(unnamed).toMatchObject({
      exit: 0,
      notes: expect.arrayContaining([expect.stringContaining("Bu başlıklar tanındı (erp)")]),
    });
    expect(named.notes.join("\n")).toContain("“erp” profili kullanıldı");
  });
});

describe("our workbook, filled in by another program", () => {
  it("maps every column without a question", async () => {
    const shop = await openTestStore();
    const folder = fileURLToPath(new URL("../../files/templates/fixtures", import.meta.url));

    const run = await shop.json("import", join(folder, "filled-in-libreoffice.xlsx"), "--yes");

    expect(run).toMatchObject({
      exit: 0,
      counts: { rows: 2, added: 2 },
      warnings: [],
      open_names: [],
      issues: [],
    });
    expect(shop.sandbox.products().map(({ product_code, price }) => [product_code, price])).toEqual(
      expect.arrayContaining([
        ["00042", 129_990],
        ["8690000000000", 1999],
      ]),
    );
  });
});

it("the workbook of a category has the marketplace's lists for it", async () => {
  const shop = await openTestStore();
  const catalog = createSandboxCatalog();
  const category = catalog.categories.find(({ id }) => catalog.isLeaf(id));
  const path = category?.category_path ?? "";

  const made = await shop.json("template", "--category", path, "--out", "kategori.xlsx");
  const plan = await shop.run("plan", "kategori.xlsx");

  const { lists } = made;
  const brands = catalog.brands(category?.id ?? "").length;
  expect(lists).toContainEqual({ column: "Kategori *", count: 1 });
  expect(lists).toContainEqual({ column: "Marka *", count: brands });
  // An empty workbook of ours is told apart from an unreadable one.
  expect(plan.err).toContain("ürün satırı yok");
});

const { categories } = createSandboxCatalog();
const index = await createNameIndexes(createFakeNames({ categories })).categories();
const leaves = index.items.filter(({ children }) => children.length === 0);

const SAMPLES = 30;

/** The same numbers in every run. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

type Outcome = "right" | "among three" | "others" | "wrong";

type CategoryNode = Awaited<ReturnType<NameIndexes["categories"]>>["items"][number];

function judge(text: string, rights: readonly CategoryNode[]): Outcome {
  const found = index.resolve(text);
  if (found.kind === "found") {
    // A name of several words may begin with the whole name of another category.
    const isNamed = found.item.category.name === text;
    return rights.includes(found.item) || isNamed ? "right" : "wrong";
  }
  if (found.kind === "not-leaf") return "others";
  const shown = found.kind === "unknown" ? found.suggestions : found.candidates;
  return shown.slice(0, 3).some((node) => rights.includes(node)) ? "among three" : "others";
}

function measure(mutations: Readonly<Record<string, Mutation>>): Readonly<Record<Outcome, number>> {
  const random = createRandom();
  const counts = { right: 0, "among three": 0, others: 0, wrong: 0 };
  const pick = (): CategoryNode => {
    const node = leaves[Math.floor(random() * leaves.length)];
    if (node === undefined) throw new Error("there is no category");
    return node;
  };
  for (const mutate of Object.values(mutations)) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const [node, other] = [pick(), pick()];
      const text = mutate(node.parts, other.parts, random);
      counts[judge(text, text.includes(", ") ? [node, other] : [node])] += 1;
    }
  }
  return counts;
}

describe("the path of a category", () => {
  it.each(Object.entries(READABLE))("is read without a question: %s", (_, mutation) => {
    expect(measure({ mutation })).toEqual({
      right: SAMPLES,
      "among three": 0,
      others: 0,
      wrong: 0,
    });
  });
});

describe("a text that only resembles a path", () => {
  it("is never read as another category, and nearly always has the right one among three", () => {
    const { wrong, others } = measure(ASKED);
    const total = Object.keys(ASKED).length * SAMPLES;

    expect(wrong).toBe(0);
    // 10 of 600 with the 807 categories of the sandbox.
    expect(others / total).toBeLessThan(0.03);
  });
});
