import { describe, expect, it } from "vitest";

import {
  canTake,
  listMissing,
  needsDecision,
  type Scope,
  toChosenFields,
  toDecimals,
  toGivenChange,
  toGuesses,
  toLeftOut,
} from "../../../client/steps/columns/column-choices.ts";
import type { ColumnView, FieldView } from "../../../src/api/index.ts";

const column = (header: string, change: Partial<ColumnView>): ColumnView => ({
  index: 0,
  letter: "A",
  header,
  field: null,
  label: "",
  reason: "",
  confidence: "open",
  isChosen: false,
  samples: [],
  problem: null,
  guess: null,
  unclear: null,
  ...change,
});

it("asks a person about unknown columns and columns with a problem", () => {
  expect(needsDecision(column("?", {}))).toBe(true);
  expect(needsDecision(column("Out", { field: "-" }))).toBe(false);
  expect(needsDecision(column("Price", { field: "price", confidence: "likely" }))).toBe(false);
  const problem = { code: "E", message: "Two columns are the price." };
  expect(needsDecision(column("Price", { field: "price", confidence: "sure", problem }))).toBe(
    true,
  );
});

it("keeps the answers about numbers of other columns", () => {
  const ask = { cells: 2, example: "36,000", readings: { comma: "36", point: "36000" } };
  const columns = [
    column("Price", { unclear: { ...ask, answer: "point" } }),
    column("Stock", { unclear: { ...ask, answer: null } }),
    column("Code", {}),
  ];

  expect(toDecimals(columns, { header: "Stock" }, "comma")).toEqual({
    Price: "point",
    Stock: "comma",
  });
});

it("sends what a person chose, and no guess", () => {
  const columns = [
    column("A", { field: "price", isChosen: true }),
    column("B", { field: "-", isChosen: true }),
    column("C", { field: "title", confidence: "likely" }),
    column("D", {}),
  ];

  expect(toChosenFields(columns)).toEqual({ A: "price", B: "-" });
});

it("accepts the fields that unknown headers may be", () => {
  const columns = [
    column("A", { guess: "price" }),
    column("B", {}),
    column("C", { field: "stock", guess: "price" }),
  ];

  expect(toGuesses(columns)).toEqual({ A: "price" });
});

it("leaves out the columns with the header of the one that is taken, and keeps other decisions", () => {
  const first = column("Fiyat", { index: 1, field: "price" });
  const second = column("Fiyat", { index: 2, field: null });
  const out = { field: "-", isChosen: true } as const;
  const others = [column("Stok", { index: 3, ...out }), column("Stok", { index: 4 })];

  expect(toLeftOut(second, [first, second, ...others])).toEqual([1, 3]);
  const taken = column("Fiyat", { index: 1, ...out });
  expect(toLeftOut(taken, [taken, second])).toEqual([2]);
  expect(toChosenFields([taken, second])).toEqual({});
});

it("offers a column with a header of several until a person has taken it", () => {
  const stock = { header: "Stok", field: "stock_count" };
  const left = { field: "-", isChosen: true };
  const [one, other] = [column("Stok", stock), column("Stok", { ...stock, index: 1 })];
  const taken = [one, column("Stok", { ...left, index: 1 })];

  expect([one, other].map((each) => canTake(each, [one, other]))).toEqual([true, true]);
  expect(taken.map((each) => canTake(each, taken))).toEqual([false, true]);
  expect(canTake(one, [one])).toBe(false);
});

const FIELD = "shipping_template";
const EMPTY = { constants: {}, defaults: {}, forNew: {} };
const give = (text: string, scope: Scope) => ({ field: FIELD, text, scope });
const FAST = { [FIELD]: "Hızlı" };

describe("toGivenChange", () => {
  it("keeps a value in the file, beside others, unless it is meant for later files as well", () => {
    const view = { ...EMPTY, constants: { brand: "A" }, forNew: { sub_title: "B" } };

    expect(toGivenChange(view, give("Hızlı", "all"))).toEqual({
      constants: { brand: "A", ...FAST },
    });
    expect(toGivenChange(view, give("Hızlı", "file"))).toEqual({
      forNew: { sub_title: "B", ...FAST },
    });
    expect(toGivenChange(view, give("Hızlı", "store"))).toEqual({ defaults: FAST });
  });

  it("takes a value from where it stood once it is meant for other products", () => {
    const places = {
      all: { ...EMPTY, constants: FAST },
      file: { ...EMPTY, defaults: FAST, forNew: FAST },
      store: { ...EMPTY, defaults: FAST },
    };

    expect(toGivenChange(places.all, give("Hızlı", "file"))).toEqual({
      constants: {},
      forNew: FAST,
    });
    expect(toGivenChange(places.all, give("Hızlı", "store"))).toEqual({
      constants: {},
      defaults: FAST,
    });
    expect(toGivenChange(places.file, give("Hızlı", "all"))).toEqual({
      constants: FAST,
      forNew: {},
    });
    expect(toGivenChange(places.file, give("Hızlı", "store"))).toEqual({
      defaults: FAST,
      forNew: {},
    });
    for (const [scope, kept] of [
      ["all", { constants: FAST }],
      ["file", { forNew: FAST }],
    ] as const) {
      expect(toGivenChange(places.store, give("Hızlı", scope))).toEqual({
        ...kept,
        defaults: { [FIELD]: "" },
      });
    }
  });

  it("leaves a default of the store with another text, which was there before", () => {
    const view = { ...EMPTY, defaults: { [FIELD]: "Standart" } };

    expect(toGivenChange(view, give("Hızlı", "all"))).toEqual({ constants: FAST });
    expect(toGivenChange(view, give("Hızlı", "file"))).toEqual({ forNew: FAST });
  });

  it("empties a value where it was given", () => {
    const standard = { ...EMPTY, defaults: { [FIELD]: "Standart" } };

    expect(toGivenChange({ ...standard, constants: FAST }, give("", "all"))).toEqual({
      constants: {},
    });
    expect(toGivenChange({ ...standard, forNew: FAST }, give("", "file"))).toEqual({
      forNew: {},
    });
    expect(toGivenChange(standard, give("", "store"))).toEqual({ defaults: { [FIELD]: "" } });
  });
});

const field = (key: string, isForAll = true): FieldView => ({
  key,
  label: key,
  isRequired: true,
  isForAll,
  isForNew: false,
});
const [title, brand, price] = [field("title", false), field("brand"), field("price")];
const view = { fields: [title, brand, price], missing: [brand], constants: {} };

describe("fields that no column has", () => {
  it("are asked for where the file can add products", () => {
    expect(listMissing(view, false)).toEqual({ own: [], givable: [brand], isFolded: false });
  });

  it("are folded where a file lacks what products differ in, as it can add none", () => {
    const list = { ...view, missing: [title, brand] };

    expect(listMissing(list, false)).toEqual({ own: [title], givable: [brand], isFolded: true });
  });

  it("are asked for where the store may keep a default for what products differ in", () => {
    const subtitle = { ...field("sub_title", false), isForNew: true };
    const file = { fields: [subtitle], missing: [subtitle], constants: {} };

    expect(listMissing(file, false)).toEqual({ own: [], givable: [subtitle], isFolded: false });
  });

  it("are folded where a person chose to add nothing", () => {
    expect(listMissing(view, true).isFolded).toBe(true);
  });

  it("stay with the value that was given for all rows", () => {
    const given = { ...view, missing: [], constants: { price: "10" } };

    expect(listMissing(given, false).givable).toEqual([price]);
  });
});
