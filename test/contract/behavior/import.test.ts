import type { Fault, SandboxOptions } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import type { Finished } from "../../helpers/processes/catalog-process.ts";
import { goodRow, goodRows, type ProductRow, writeCsv } from "../../helpers/product-sheet.ts";

type Counts = Readonly<Record<string, number>>;

interface Imported {
  readonly exit: number | null;
  /** Counts of rows by class, without empty classes. */
  readonly counts: Counts;
}

/** Parses the document of `import --json`; an import that planned nothing has no counts. */
function read({ code, out }: Finished): Imported {
  const { counts = {} }: { readonly counts?: Counts } = JSON.parse(out);
  const filled = Object.entries(counts).filter(([, rows]) => rows > 0);
  return { exit: code, counts: Object.fromEntries(filled) };
}

/**
 * Asserts what holds after every import: each row in one class, no duplicate product, no violation.
 */
function assertWhole({ sandbox }: TestStore, { counts: { rows = 0, ...classes } }: Imported): void {
  expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(rows);
  expect(sandbox.inspect()).toMatchObject({ doubles: {}, violations: [] });
}

const lost = (nth: number, kind: Fault["kind"] = "reset-after"): Fault => ({
  kind,
  endpoint: "product.add",
  nth,
});

const CODE = "Ürün Kodu *";

const withCodes = (...codes: readonly string[]): readonly ProductRow[] =>
  codes.map((code, index) => goodRow(index + 1, { [CODE]: code }));

/** The guards of prices are switched off, as these files do not test them. */
const ANY_PRICE = ["--allow", "price-drop,price-rise,price-scale"];

/** Six new products, and the store's oldest one, which its listing shows last. */
const NEW_AND_OLD: readonly ProductRow[] = [...goodRows(6), goodRow(7, { [CODE]: "SBX-000001" })];

/** A hundred approved products: two full pages. */
const FULL_PAGES = 124;

const AS_USUAL = [
  { exit: 0, counts: { rows: 7, added: 6, updated: 1 } },
  { exit: 0, counts: { rows: 7, unchanged: 7 } },
] as const;

const ADDED = [
  { exit: 0, counts: { rows: 3, added: 3 } },
  { exit: 0, counts: { rows: 3, unchanged: 3 } },
] as const;

interface Case {
  readonly name: string;
  readonly sandbox: SandboxOptions;
  readonly rows: readonly ProductRow[];
  /** Results of the first import, and of the same file again. */
  readonly expected: readonly [Imported, Imported];
}

const CASES: readonly Case[] = [
  ...(["this-page", "too-high", "zero", "text"] as const).map((total) => ({
    name: `a total that is ${total}`,
    sandbox: { products: FULL_PAGES, personality: { total } },
    rows: NEW_AND_OLD,
    expected: AS_USUAL,
  })),
  ...(["error", "last-page"] as const).map((past) => ({
    name: `a page past the end that is ${past}`,
    sandbox: { products: FULL_PAGES, personality: { "page-past-end": past } },
    rows: NEW_AND_OLD,
    expected: AS_USUAL,
  })),
  {
    name: "prices in whole currency",
    sandbox: { products: FULL_PAGES, personality: { prices: "major" } },
    rows: NEW_AND_OLD,
    expected: AS_USUAL,
  },
  {
    name: "a lost answer and a filter that finds prefixes",
    sandbox: { personality: { "code-filter": "prefix" }, faults: [lost(1)] },
    rows: withCodes("T-1", "T-10", "T-100"),
    expected: ADDED,
  },
  {
    name: "a lost answer and a filter that is ignored",
    sandbox: { products: 60, personality: { "code-filter": "ignored" }, faults: [lost(2, "html")] },
    rows: withCodes("T-1", "T-10", "T-100"),
    expected: ADDED,
  },
  {
    name: "an error after the effect where a double would be merged",
    sandbox: { personality: { "duplicate-code": "merged" }, faults: [lost(3, "error-after")] },
    rows: withCodes("T-1", "T-2", "T-3"),
    expected: ADDED,
  },
  {
    name: "half an answer where a double would be made",
    sandbox: { faults: [lost(2, "truncated-without-length")] },
    rows: withCodes("T-1", "T-2", "T-3"),
    expected: ADDED,
  },
  {
    name: "codes that the server writes in capitals",
    sandbox: { personality: { "stored-code": "upper-cased" } },
    rows: withCodes("t-1", "t-2", "t-3"),
    expected: ADDED,
  },
  {
    name: "new products that nobody sees",
    sandbox: { personality: { "new-product": "after-approval" } },
    rows: withCodes("T-1", "T-2", "T-3"),
    expected: ADDED,
  },
  {
    name: "a lost answer and new products that nobody sees",
    sandbox: { personality: { "new-product": "after-approval" }, faults: [lost(2)] },
    rows: withCodes("T-1", "T-2", "T-3"),
    expected: [
      { exit: 5, counts: { rows: 3, added: 2, held: 1 } },
      { exit: 5, counts: { rows: 3, unchanged: 2, held: 1 } },
    ],
  },
  {
    name: "a new token that kills the old one",
    sandbox: { personality: { "new-token": "kills-old" } },
    rows: withCodes("T-1", "T-2", "T-3"),
    expected: ADDED,
  },
  {
    name: "prices that are texts",
    sandbox: { products: FULL_PAGES, personality: { prices: "text" } },
    rows: NEW_AND_OLD,
    expected: AS_USUAL,
  },
];

describe("an import", () => {
  it.each(CASES)("handles $name", async ({ sandbox, rows, expected }) => {
    const shop = await openTestStore(sandbox);
    const file = writeCsv(shop.folder, "urunler.csv", rows);

    const first = read(await shop.run("import", file, "--yes", "--json", ...ANY_PRICE));
    assertWhole(shop, first);
    const second = read(await shop.run("import", file, "--yes", "--json", ...ANY_PRICE));
    assertWhole(shop, second);

    expect([first, second]).toEqual(expected);
    expect(shop.sandbox.stats().tokens).toBe(1);
  });

  it.each(["401", "200"] as const)(
    "continues with a new token when its own expires on the way, with the answer %s",
    async (value) => {
      const shop = await openTestStore({ latencyMs: 15, personality: { "auth-error": value } });
      const file = writeCsv(shop.folder, "urunler.csv", goodRows(30));

      const { finished } = shop.start("import", file, "--yes", "--json", ...ANY_PRICE);
      while (shop.sandbox.stats().adds < 3) await new Promise((resolve) => setImmediate(resolve));
      shop.sandbox.endTokens();
      const imported = read(await finished);

      expect(imported).toEqual({ exit: 0, counts: { rows: 30, added: 30 } });
      assertWhole(shop, imported);
      expect(shop.sandbox.stats()).toMatchObject({ adds: 30, tokens: 2 });
    },
  );
});
