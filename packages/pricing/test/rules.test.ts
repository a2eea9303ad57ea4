import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  applyPriceRule,
  applyStockRule,
  createRuleFinder,
  describeRule,
  formatRules,
  judgeSale,
  parseRules,
  type PriceRule,
  type RowFacts,
  RULE_COLUMNS,
} from "../src/index.ts";

const read = (headers: readonly string[], ...rows: readonly (readonly (string | number)[])[]) =>
  parseRules(
    { row: 1, cells: headers },
    rows.map((cells, index) => ({ row: index + 2, cells })),
  );

const problemsOf = (parsed: ReturnType<typeof parseRules>): readonly string[] =>
  parsed.ok
    ? []
    : parsed.problems.map(({ row, column, message }) => `${row}/${column}: ${message.en}`);

describe("a sheet of rules", () => {
  it("is read with Turkish and English headers, percentages and amounts as people write them", () => {
    const parsed = read(
      ["No", "Kategori", "Markup %", "Sabit ekle", "Yuvarlama", "En az fiyat", "Kaynak"],
      [1, "Ayakkabı", "%12", "1.250,50 TL", ",90", "10", "Maliyet"],
      ["2", "", 7.5, "", 0.99, "", "Bayi Fiyatı"],
    );

    expect(parsed).toEqual({
      ok: true,
      rules: [
        {
          number: 1,
          category: "Ayakkabı",
          markup: "12",
          addition: "1250.5",
          ending: "90",
          min: "10",
          source: "cost",
        },
        { number: 2, markup: "7.5", ending: "99", source: "column:Bayi Fiyatı" },
      ],
    });
  });

  it("reads a percentage of a cell that is formatted as one", () => {
    const parsed = parseRules({ row: 1, cells: ["Kâr ekle %"] }, [
      { row: 2, cells: [0.12], formats: { 0: "0%" } },
    ]);

    expect(parsed).toMatchObject({ ok: true, rules: [{ markup: "12" }] });
  });

  it("names every wrong cell at once", () => {
    const parsed = read(
      ["No", "Kar ekle %", "Kur", "Renk", "Yuvarlama", "Yön"],
      [1, "1.250", "x", "", "9,90", "sola"],
      ["a", "12345", "", "", "", ""],
    );

    expect(problemsOf(parsed).map((line) => line.replace(/: .*/u, ""))).toEqual([
      "1/3",
      "2/1",
      "2/2",
      "2/4",
      "2/5",
      "3/0",
      "3/1",
    ]);
  });

  for (const [what, headers, rows, text] of [
    [
      "two rules with one number",
      ["No", "Kâr ekle %"],
      [
        [1, 10],
        [1, 20],
      ],
      "R1 and R1 have the same number",
    ],
    [
      "a rule that another covers",
      ["No", "Marka", "Kâr ekle %"],
      [
        [1, "", 10],
        [2, "Acme", 20],
      ],
      "R2 is never used: R1 comes first",
    ],
    [
      "rules without an order that overlap",
      ["Marka", "Kategori", "Kâr ekle %"],
      [
        ["Acme", "", 10],
        ["", "Ayakkabı", 20],
      ],
      "R1 and R2 may hold for the same product",
    ],
    ["a rate without its date", ["Para birimi", "Kur"], [["USD", 41]], "go together"],
    ["a rule that does nothing", ["Marka", "Kâr ekle %"], [["Acme", ""]], "changes nothing"],
    ["fees that leave nothing", ["Marj %", "Komisyon %"], [[80, 20]], "nothing is left"],
    ["limits the wrong way round", ["En az fiyat", "En çok fiyat"], [[20, 10]], "lower limit"],
    ["a sheet without rules", ["No", "Kâr ekle %"], [], "no rules"],
  ] as const) {
    it(`refuses ${what}`, () => {
      const problems = problemsOf(read(headers, ...rows));

      expect(problems.join("\n")).toContain(text);
    });
  }

  it("accepts rules without numbers that are for different products", () => {
    const parsed = read(
      ["Marka", "Kâr ekle %", "Fiyat ≥", "Fiyat <"],
      ["Acme", 10, "", 100],
      ["Acme", 5, 100, ""],
      ["Zed", 3, "", ""],
    );

    expect(parsed).toMatchObject({
      ok: true,
      rules: [{ number: 1 }, { number: 2 }, { number: 3 }],
    });
  });
});

const factsOf = (facts: Partial<RowFacts> & { readonly price?: number }): RowFacts => ({
  categories: [],
  brands: [],
  suppliers: [],
  amountOf: (source) => (source === "price" ? (facts.price ?? "missing") : "absent"),
  ...facts,
});

const rule = (number: number, rest: Partial<PriceRule>): PriceRule => ({
  number,
  source: "price",
  ...rest,
});

describe("the rule of a row", () => {
  const rules = [
    rule(1, { category: "Giyim > Ayakkabı", below: "100", markup: "30" }),
    rule(2, { supplier: "acme-*", markup: "20" }),
    rule(3, { brand: "Işıl", markup: "15" }),
    rule(4, { buffer: 2 }),
    rule(9, { markup: "10" }),
  ];
  const findRule = createRuleFinder(rules);
  for (const [what, facts, expected] of [
    ["by its category's path", { categories: ["Moda > GİYİM > ayakkabi > Bot"], price: 9999 }, 1],
    [
      "by the next one where the price is too high",
      { categories: ["Giyim > Ayakkabı"], brands: ["ISIL"], price: 10_000 },
      3,
    ],
    ["by the name of its file", { categories: ["x"], suppliers: ["Acme-2026.xml"], price: 1 }, 2],
    ["by the general one", { categories: ["Ev"], brands: ["Zed"], price: 1 }, 9],
  ] as const) {
    it(`is found ${what}`, () => {
      const found = findRule("price", factsOf(facts));

      expect(found).toMatchObject({ kind: "rule", rule: { number: expected } });
    });
  }

  it("is unknown where an earlier rule needs a category that is not known", () => {
    const found = findRule("price", factsOf({ price: 1 }));

    expect(found).toMatchObject({ kind: "unknown", what: "category", rule: { number: 1 } });
  });

  it("needs no category where the price decides against the rule", () => {
    const found = findRule("price", factsOf({ price: 20_000, brands: ["Zed"] }));

    expect(found).toMatchObject({ kind: "rule", rule: { number: 9 } });
  });

  it("of stock is found apart from that of the price", () => {
    expect(findRule("stock", factsOf({}))).toMatchObject({ rule: { number: 4 } });
  });
});

describe("a rule explains itself", () => {
  it("with its steps and both prices", () => {
    const made = applyPriceRule(rule(3, { markup: "12", ending: "90" }), 11_240);

    expect(made).toEqual({
      value: 12_590,
      text: {
        tr: "R3: +%12, ,90'a yuvarlandı: 112,40 → 125,90",
        en: "R3: +12%, rounded to .90: 112.40 → 125.90",
      },
    });
  });

  it("with a source, rate, fees and limit", () => {
    const made = applyPriceRule(
      rule(4, {
        source: "cost",
        currency: "USD",
        rate: "41.25",
        rateDate: "2026-11-28",
        addVat: "20",
        margin: "10",
        max: "500",
      }),
      1000,
      { commission: "15" },
    );

    expect(made?.text.tr).toBe(
      "R4: Maliyet USD × 41,25 (28.11.2026), +KDV %20, marj %10 + komisyon %15, en çok 500,00: 10,00 → 500,00",
    );
  });

  it("of stock", () => {
    expect(applyStockRule(rule(5, { buffer: 2, stockMax: 10 }), 37).text.tr).toBe(
      "R5: −2 pay, en çok 10: 37 → 10",
    );
  });

  it("in a table, without a price", () => {
    expect(describeRule(rule(1, { markup: "-5", ending: "00", direction: "down" })).does).toEqual({
      tr: "−%5, aşağı tam sayıya yuvarlanır",
      en: "−5%, rounded down to a whole number",
    });
  });
});

describe("a sale below cost", () => {
  it("is explained by its arithmetic", () => {
    expect(judgeSale(12_590, { cost: 10_000, commission: "15", vat: "20" })).toEqual({
      tr: "125,90 − komisyon %15 (18,89) − KDV %20 (20,98) = 86,03 < maliyet 100,00",
      en: "125.90 − commission 15% (18.89) − VAT 20% (20.98) = 86.03 < cost 100.00",
    });
  });
});

const decimal = (min: number, max: number, decimals: number): fc.Arbitrary<string> =>
  fc
    .integer({ min: min * 10 ** decimals, max: max * 10 ** decimals })
    .map((whole) => String(Number((whole / 10 ** decimals).toFixed(decimals))));

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

/** The rule without the columns that are empty. */
function toRule(given: object): PriceRule {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by the generator below
  return Object.fromEntries(kept) as unknown as PriceRule;
}

/** Rules that a sheet can hold. */
const RULES: fc.Arbitrary<PriceRule> = fc
  .record({
    number: fc.integer({ min: 1, max: 999 }),
    name: maybe(fc.constantFrom("Genel", "Ayakkabı +12", "a;b")),
    category: maybe(fc.constantFrom("Giyim", "Giyim > Ayakkabı")),
    brand: maybe(fc.constantFrom("Işıl", "Acme")),
    supplier: maybe(fc.constantFrom("acme-*", "liste.xlsx")),
    from: maybe(decimal(0, 50, 2)),
    below: maybe(decimal(51, 5000, 2)),
    source: fc.constantFrom("price", "cost", "store", "column:Bayi Fiyatı", "column:Cost"),
    addVat: maybe(decimal(0, 30, 4)),
    markup: maybe(decimal(-50, 300, 4)),
    addition: maybe(decimal(-10, 100, 2)),
    margin: maybe(decimal(0, 30, 4)),
    ending: fc.constantFrom(undefined, "00", "90", "99", "05"),
    direction: fc.constantFrom("up", "down", "nearest"),
    min: maybe(decimal(0, 10, 2)),
    max: maybe(decimal(11, 1000, 2)),
    commission: maybe(decimal(0, 30, 3)),
    vat: maybe(decimal(0, 20, 1)),
    buffer: maybe(fc.nat(20)),
    rate: maybe(decimal(1, 100, 3)),
    stockMax: fc.nat(100),
  })
  .map(({ direction, rate, ...rest }) => {
    const exchange = rate !== undefined && { rate, currency: "USD", rateDate: "2026-11-28" };
    const given = { ...rest, ...(rest.ending !== undefined && { direction }), ...exchange };
    return toRule(given);
  });

describe("rules in general", () => {
  it("are the same after they were written and read, in both languages", () => {
    fc.assert(
      fc.property(RULES, fc.constantFrom("tr", "en"), (given, lang) => {
        const { header, rows } = formatRules([given], lang);
        const parsed = read(header, ...rows);

        expect(parsed).toEqual({ ok: true, rules: [given] });
      }),
    );
  });

  it("make prices above zero with two decimals, on their ending unless a limit moves them", () => {
    fc.assert(
      fc.property(RULES, fc.integer({ min: 1, max: 100_000_000 }), (given, source) => {
        const made = applyPriceRule(given, source, given);
        if (made === undefined) return;
        const { value } = made;

        expect(Number.isSafeInteger(value) && value > 0).toBe(true);
        const limits = [given.min, given.max].map((limit) => Math.round(Number(limit) * 100));
        if (given.ending !== undefined && !limits.includes(value)) {
          expect(value % 100).toBe(Number(given.ending));
        }
        expect(applyPriceRule(given, source, given)).toEqual(made);
      }),
    );
  });

  it("keep the order of prices", () => {
    fc.assert(
      fc.property(
        RULES,
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.nat(1_000_000),
        (given, source, more) => {
          const low = applyPriceRule(given, source, given);
          const high = applyPriceRule(given, source + more, given);
          if (low === undefined || high === undefined) return;

          expect(high.value).toBeGreaterThanOrEqual(low.value);
        },
      ),
    );
  });

  it("never show more stock than there is, unless a minimum says so", () => {
    fc.assert(
      fc.property(RULES, fc.nat(10_000), (given, stock) => {
        expect(applyStockRule(given, stock).value).toBeLessThanOrEqual(stock);
      }),
    );
  });

  it("have a header of their own for each column", () => {
    const headers = RULE_COLUMNS.flatMap(({ header }) => [header.tr, header.en]);

    expect(
      read(
        RULE_COLUMNS.map(({ header }) => header.en),
        [],
      ).ok,
    ).toBe(false);
    expect(new Set(headers).size).toBeGreaterThan(RULE_COLUMNS.length);
  });
});
