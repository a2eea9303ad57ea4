import { describe, expect, it } from "vitest";

import {
  columnsToChoose,
  isChosen,
  tickColumn,
  toColumns,
  toFilters,
} from "../../client/work/exports.tsx";
import { toCron, toTimes } from "../../client/work/feed-dialog.tsx";
import { findRules } from "../../client/work/rules.tsx";
import { isSound, readNumber, toLimitsBody, toTyped } from "../../client/work/settings.tsx";
import type { ExportKindView } from "../../src/api/index.ts";
import type { SettingsView } from "../../src/api/work.ts";

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
    { field: "brand", label: "Marka", value: "IŞIK", target: "Işık", isShared: false },
    { field: "category", label: "Kategori", value: "Sofra", target: "Ev > Sofra", isShared: true },
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

const guard = { label: "", default: 50, min: 0, max: 100 };
const SETTINGS: SettingsView = {
  name: null,
  baseUrl: "https://market.example",
  storeId: "s-1",
  home: "/home",
  priceUnit: { unit: null, source: "unknown" },
  callsPerHour: { value: 900, source: "saved" },
  guards: [
    { ...guard, name: "priceDropPercent", value: 20, source: "saved" },
    { ...guard, name: "zeroStockPercent", value: 50, source: "default" },
  ],
};

it("shows saved values only, and saves what it shows", () => {
  const typed = toTyped(SETTINGS);

  expect(typed).toEqual({ priceDropPercent: "20", zeroStockPercent: "", callsPerHour: "900" });
  expect(toLimitsBody(typed, SETTINGS)).toEqual({
    guards: { priceDropPercent: 20 },
    callsPerHour: 900,
  });
});

it("gives an emptied limit its default again", () => {
  const typed = { priceDropPercent: " ", zeroStockPercent: "12,5", callsPerHour: "" };

  expect(toLimitsBody(typed, SETTINGS)).toEqual({
    guards: { zeroStockPercent: 12.5 },
    callsPerHour: null,
  });
});

it.each([
  ["12,5", 12.5],
  ["30", 30],
  ["", undefined],
  ["1.000,5", undefined],
  ["-3", undefined],
  ["%30", undefined],
])("reads %j as %j", (text, value) => {
  expect(readNumber(text)).toBe(value);
});

it.each([
  ["", true],
  ["100", true],
  ["100,5", false],
  ["yarısı", false],
])("takes %j: %j", (text, sound) => {
  expect(isSound(guard, text)).toBe(sound);
});

describe("the choices of times", () => {
  for (const cron of [
    "*/15 * * * *",
    "*/30 * * * *",
    "0 * * * *",
    "30 9 * * *",
    "0 8 * * 1-5",
    "*/7 * * * *",
  ]) {
    it(`finds the choice of ${cron} and its pattern again`, () => {
      expect(toCron(toTimes(cron))).toBe(cron);
    });
  }

  it("has no pattern for a day without a time, and an own pattern without a word", () => {
    const times = { at: "", own: " " };

    expect([toCron({ ...times, choice: "day" }), toCron({ ...times, choice: "own" })]).toEqual([
      "",
      "",
    ]);
  });
});
