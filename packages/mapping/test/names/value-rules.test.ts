import { describe, expect, it } from "vitest";

import { type ValueRules, valueRules } from "../../src/names/value-rules.ts";
import { BRAND } from "../helpers/catalog.ts";
import { brief, mapOne, mapSheet } from "../helpers/map-sheet.ts";

const rules = (...list: readonly (readonly [string, string, string])[]): ValueRules => {
  const known = Map.groupBy(list, ([field, value]) => valueRules.key(field, value));
  return {
    find(field, text) {
      const [first, ...further] = known.get(valueRules.key(field, text)) ?? [];
      return first && [first[2], ...further.map(([, , target]) => target)];
    },
  };
};

const HEADER = "SKU|Kategori|Marka|Garanti Tipi|Renk";

describe("a value rule", () => {
  it("takes the first meaning that the list has, and last the text itself", async () => {
    const rows = [
      ["K1", "Kaşık", "KA"],
      ["K2", "Kaşık", "Kuzey Ahşap"],
    ];
    const { rows: mapped } = await mapSheet({
      header: "SKU|Kategori|Marka",
      rows,
      rules: rules(
        ["brand", "KA", "Yok"],
        ["brand", "KA", "Kuzey Ahşap"],
        ["brand", "Kuzey Ahşap", "Yok"],
      ),
    });

    expect(mapped.map(({ issues, changes }) => [brief(issues), changes.brand_id])).toEqual([
      [[], BRAND.kuzey],
      [[], BRAND.kuzey],
    ]);
  });

  it("replaces the text by its target, whatever the text's case", async () => {
    const row = await mapOne(HEADER, ["K1", "KAŞIKLAR", "k.a home", "Bayi", "Kahve"], {
      rules: rules(
        ["category", "kaşıklar", "Ev > Mutfak > Kaşık"],
        ["brand", "K.A HOME", "Kuzey Ahşap"],
        ["warranty_type", "bayi", "Tedarikçi Garantili"],
        ["property:Renk", "kahve", "Açık Kahve"],
      ),
    });

    expect(row.issues).toEqual([]);
    expect(row.changes).toMatchObject({ brand_id: BRAND.kuzey, warranty_type: 3 });
    expect(row.changes.properties).toHaveLength(1);
  });

  it("applies in its own field only", async () => {
    const row = await mapOne(HEADER, ["K1", "Kaşık", "Kahve"], {
      rules: rules(["property:Renk", "kahve", "Açık Kahve"]),
    });

    expect(brief(row.issues)).toEqual(["C2 E_BRAND_UNKNOWN"]);
  });

  it("does not apply to a text that differs in a sign", async () => {
    const rows = [
      ["K1", "Kaşık", "K.A+"],
      ["K2", "Kaşık", "k.a"],
    ];

    const { rows: mapped } = await mapSheet({
      header: "SKU|Kategori|Marka",
      rows,
      rules: rules(["brand", "K.A", "Kuzey Ahşap"]),
    });

    expect(mapped.map(({ issues }) => brief(issues))).toEqual([["C2 E_BRAND_UNKNOWN"], []]);
  });

  it("is named in the issue where its target is unknown, with the cell's own value", async () => {
    const row = await mapOne(HEADER, ["K1", "Kaşık", "KA"], {
      rules: rules(["brand", "KA", "Yok"]),
    });

    expect(row.issues).toMatchObject([{ code: "E_RULE_TARGET", cell: "C2", value: "KA" }]);
    expect(row.issues[0]?.message.tr).toContain("“Yok”");
    expect(row.issues[0]?.suggestion?.en).toContain('catalog rules remove "Brand" "KA"');
  });
});

describe("the field of a rule", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["brand", "brand"],
    ["Marka *", "brand"],
    ["Kargo Şablonu", "shipping_template"],
    ["Özellik: Renk", "property:Renk"],
    ["property:Renk", "property:Renk"],
    ["Fiyat", undefined],
    ["İşlem", undefined],
    ["Renk", undefined],
  ];
  for (const [text, field] of cases) {
    it(`named ${text} is ${field ?? "none"}`, () => expect(valueRules.readField(text)).toBe(field));
  }

  it("takes names and keywords", () => {
    expect(valueRules.fields).toContain("condition");
    expect(valueRules.fields).not.toContain("price");
  });
});

describe("findOpenNames", () => {
  it("returns names that do not resolve, with choices and the category whose list lacks them", async () => {
    const row = { row: 2, cells: ["K1", "Kaşık", "Kuzey Ahsab", null, "Siyahh"] };
    const { mapper } = await mapSheet({ header: HEADER, rows: [row.cells] });

    const within = { category: "000000000000000000000003" };
    expect(await mapper.findOpenNames(row)).toEqual([
      { field: "brand", column: "Marka", value: "Kuzey Ahsab", choices: ["Kuzey Ahşap"], within },
      { field: "property:Renk", column: "Renk", value: "Siyahh", choices: ["Siyah"], within },
    ]);
  });

  it("returns nothing for a row that is skipped", async () => {
    const row = { row: 2, cells: ["K1", "Yok", "Atla"] };
    const { mapper } = await mapSheet({ header: "SKU|Kategori|İşlem", rows: [row.cells] });

    expect(await mapper.findOpenNames(row)).toEqual([]);
  });

  it("includes columns that only the row's category knows", async () => {
    const inside = { row: 2, cells: ["K1", "Kaşık", "A", null, "Siyah"] };
    const { mapper } = await mapSheet({ header: HEADER, rows: [inside.cells] });

    expect(await mapper.findLooseColumns(inside)).toEqual([4]);
    expect(await mapper.findLooseColumns({ row: 3, cells: ["K2", "Yok", "A", null, "x"] })).toEqual(
      [],
    );
  });
});

it("does not send properties when the policy says skip", async () => {
  const row = await mapOne(HEADER, ["K1", "Kaşık", null, null, "Yok"], { properties: "skip" });

  expect(row.issues).toEqual([]);
  expect(row.changes).not.toHaveProperty("properties");
});
