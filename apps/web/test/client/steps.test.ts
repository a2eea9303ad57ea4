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
} from "../../client/steps/columns/column-choices.ts";
import { describePlanned, describeSent, sortDrafts } from "../../client/steps/file/draft-list.tsx";
import { isOpenSetting, tickedSheets } from "../../client/steps/file/file-step.tsx";
import { TEXTS } from "../../client/texts/texts.ts";
import type { ColumnView, DraftSummary, FieldView, SentSummary } from "../../src/api/index.ts";

it("asks for the setting that keeps a file from being read, and for no other one", () => {
  const encoding = { problem: { code: "E_ENCODING", message: "" } };

  expect(isOpenSetting(encoding, "encoding")).toBe(true);
  expect(isOpenSetting(encoding, "delimiter")).toBe(false);
  expect(isOpenSetting({ problem: null }, "sheet")).toBe(false);
});

const sheetOf = (name: string, hasProducts: boolean | null) => ({
  name,
  rows: 2,
  hasMoreRows: false,
  hasProducts,
});

const SHEETS = [sheetOf("Yaz", true), sheetOf("Notlar", false), sheetOf("Kış", true)];

describe("the ticks of the sheets", () => {
  it("begin with the sheets that have headers of products, where none is chosen", () => {
    expect(tickedSheets({ sheet: null, sheets: SHEETS })).toEqual(["Yaz", "Kış"]);
  });

  it("show what is read", () => {
    const sheet = { value: ["Kış"], isGuessed: true };

    expect(tickedSheets({ sheet, sheets: SHEETS })).toEqual(["Kış"]);
  });
});

const draft = (id: string, state: SentSummary["state"] | null): DraftSummary => ({
  id,
  name: `${id}.xlsx`,
  by: null,
  state: "ready",
  updatedAt: "2026-01-01T00:00:00.000Z",
  rows: 3,
  errors: 0,
  run: state === null ? null : `r-${id}`,
  isUnusable: false,
  isOfStore: false,
  sent:
    state === null ? null : { state, waiting: 1, held: 0, wrong: 0, cancelled: 0, undone: null },
  planned: null,
});

it("puts files that are half sent before those that were not sent", () => {
  const { open, sent } = sortDrafts([
    draft("new", null),
    draft("done", "finished"),
    draft("cut", "stopped"),
    draft("old", null),
    draft("going", "sending"),
  ]);

  expect(open.map(({ id }) => id)).toEqual(["cut", "going", "new", "old"]);
  expect(sent.map(({ id }) => id)).toEqual(["done"]);
});

it("says of a file that was sent what waits and what is wrong", () => {
  const { tr, en } = TEXTS;
  const rest = {
    state: "finished",
    waiting: 0,
    held: 1,
    wrong: 1,
    cancelled: 0,
    undone: null,
  } as const;

  expect(describeSent(rest, tr.upload)).toBe("Gönderildi, 1 onay bekliyor, 1 hatalı");
  expect(describeSent({ ...rest, held: 0, wrong: 0 }, tr.upload)).toBe("Gönderildi");
  expect(describeSent({ ...rest, state: "stopped", waiting: 1_474 }, en.upload)).toBe(
    "Half sent, 1,474 unsent, 1 to approve, 1 wrong",
  );
});

it("says that a run was taken back, or given up with a part of its rows", () => {
  const { upload } = TEXTS.tr;
  const sent = { state: "finished", waiting: 0, held: 0, wrong: 0 } as const;

  const undone = { restored: 249, sent: 249, isPartial: false };
  const partly = { restored: 1242, sent: 1249, isPartial: true };
  expect(describeSent({ ...sent, cancelled: 0, undone }, upload)).toBe("Geri alındı");
  expect(describeSent({ ...sent, cancelled: 0, undone: partly }, upload)).toBe(
    "Kısmen geri alındı (1.242 / 1.249)",
  );
  expect(describeSent({ ...sent, cancelled: 15_665, undone: null }, upload)).toBe(
    "Gönderildi, 15.665 satırdan vazgeçildi",
  );
});

it("calls a plan good only where a row of it can be sent", () => {
  const { upload } = TEXTS.tr;

  expect(describePlanned({ ready: 2, held: 1 }, upload)).toEqual({
    text: "Gönder: 2 satır",
    isGood: true,
  });
  expect(describePlanned({ ready: 0, held: 1 }, upload)).toEqual({
    text: "1 onay bekliyor",
    isGood: false,
  });
  expect(describePlanned({ ready: 0, held: 0 }, upload)).toEqual({
    text: "Gönderilecek satır yok",
    isGood: false,
  });
});

const column = (header: string, change: Partial<ColumnView>): ColumnView => ({
  index: 0,
  letter: "A",
  header,
  field: null,
  label: "",
  reason: "",
  confidence: "open",
  isChosen: false,
  isUsed: false,
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
