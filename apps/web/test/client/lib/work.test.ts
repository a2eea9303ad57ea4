import { describe, expect, it } from "vitest";

import {
  columnsToChoose,
  isChosen,
  tickColumn,
  toColumns,
  toFilters,
} from "../../../client/work/exports.tsx";
import { findRules } from "../../../client/work/rules.tsx";
import type { ExportKindView } from "../../../src/api/index.ts";

const kind = (...keys: readonly string[]): ExportKindView => ({
  kind: "orders",
  label: "",
  filters: keys.map((key) => ({ key, label: key, type: "text", choices: [], empty: null })),
  columns: [
    { key: "code", label: "Kod", isFurther: false },
    { key: "stock", label: "Stok", isFurther: false },
    { key: "views", label: "Görüntülenme", isFurther: true },
  ],
});

const offered = (typed: Readonly<Record<string, string>>): readonly string[] =>
  columnsToChoose(kind(), typed).map(({ key }) => key);

describe("an export", () => {
  it("offers further columns only with all that the store gives", () => {
    expect(offered({})).toEqual(["code", "stock"]);
    expect(offered({ template: "full" })).toEqual(["code", "stock", "views"]);
  });

  it("asks for chosen columns in the order of the file, and for none where all are chosen", () => {
    const columns = columnsToChoose(kind(), {});

    expect(toColumns(columns, new Set(["stock", "views"]))).toEqual(["stock"]);
    expect(toColumns(columns, new Set(["stock", "code"]))).toEqual([]);
    expect(toColumns(columns, null)).toEqual([]);
    const without = tickColumn(columns, null, ["stock", false]);
    expect(columns.map(({ key }) => isChosen(without, key))).toEqual([true, false]);
    expect(tickColumn(columns, without, ["stock", true])).toBeNull();
    expect(isChosen(tickColumn(columns, new Set(), ["stock", true]), "stock")).toBe(true);
  });

  it("leaves out empty filters and those of a kind that was chosen before", () => {
    expect(toFilters(kind("days", "since"), { days: " 7 ", since: "", status: "veto" })).toEqual({
      days: "7",
    });
  });
});

describe("the search in rules", () => {
  const rules = [
    { field: "brand", label: "Marka", value: "IŞIK", target: "Işık" },
    { field: "category", label: "Kategori", value: "Sofra", target: "Ev > Sofra" },
  ];
  const found = (text: string): readonly string[] =>
    findRules(rules, text).map(({ value }) => value);

  it("finds names, meanings and fields in any case", () => {
    expect(found("isik")).toEqual(["IŞIK"]);
    expect(found("EV >")).toEqual(["Sofra"]);
    expect(found("kategori")).toEqual(["Sofra"]);
    expect(found(" ")).toEqual(["IŞIK", "Sofra"]);
    expect(found("yok")).toEqual([]);
  });
});
