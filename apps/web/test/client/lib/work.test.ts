import { describe, expect, it } from "vitest";

import { parseColumns, toFilters } from "../../../client/work/exports/export-body.ts";
import { findRules } from "../../../client/work/rules/find-rules.ts";
import type { ExportKindView } from "../../../src/api/index.ts";

const kind = (...keys: readonly string[]): ExportKindView => ({
  kind: "orders",
  label: "",
  filters: keys.map((key) => ({ key, label: key, type: "text", choices: [] })),
});

describe("an export", () => {
  it("takes the headers of columns however they are separated, each once", () => {
    expect(parseColumns(" Kod, Stok;Fiyat\nKod,, ")).toEqual(["Kod", "Stok", "Fiyat"]);
    expect(parseColumns("  ")).toEqual([]);
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
