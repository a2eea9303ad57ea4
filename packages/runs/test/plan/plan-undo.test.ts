import { describe, expect, it } from "vitest";

import { planUndoRow, type UndoDecision, type UndoInput } from "../../src/plan/plan-undo.ts";
import type { StoreProduct } from "../../src/ports/product.ts";
import type { RowRecord } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { toProductId, price, SHEET, updateBody } from "../../src/testing/rows.ts";

const product = (more: Partial<StoreProduct>): StoreProduct => ({ id: toProductId("p1"), ...more });

const PRICE = updateBody("p1", { price: price(1_500) });

const recordOf = ({ payload, action }: Pick<RowRecord, "payload" | "action">): RowRecord => ({
  row: 2,
  cells: [],
  code: "A2",
  codeKey: "a2",
  state: "done",
  productId: toProductId("p1"),
  issues: [],
  attempts: 1,
  note: null,
  updatedAtMs: 0,
  changes: [],
  payload,
  action,
});

const earlierRow = (fields: Partial<Parameters<typeof updateBody>[1]>): RowRecord => ({
  ...recordOf({ payload: updateBody("p1", fields), action: "update" }),
  row: 9,
});

const percent = (value: number) =>
  ({ has_discount: true, discount_type: 2, discount_value: value }) as const;

function undo(
  { payload = PRICE, action = "update" }: Partial<Pick<RowRecord, "payload" | "action">>,
  more: Partial<UndoInput>,
): UndoDecision {
  return planUndoRow({
    record: recordOf({ payload, action }),
    priceUnit: "minor",
    refused: new Set(),
    zeroStock: false,
    checkUpdate: checkFakeUpdate,
    before: product({ price: 1_000 }),
    now: product({ price: 1_500 }),
    location: {
      sheet: SHEET,
      row: 2,
      column: "",
      cell: "",
      value: "A2",
    },
    formatValue: (_field, value) => String(value),
    nameField: (field) => field,
    ...more,
  });
}

const PRICED = {
  price: price(1_500),
  currency: "USD",
  has_discount: true,
  discount_type: 2,
  discount_value: 20,
  title: "New",
  stock_count: 9,
} as const;

const SHOWN = {
  price: 1_500,
  currency: "USD",
  has_discount: true,
  discount_type: 2,
  discount_value: 20,
  title: "New",
  stock: 9,
} as const;

const OLD = { price: 1_000, currency: "TL", has_discount: false, title: "Old", stock: 3 } as const;

const codesOf = ({ decision }: UndoDecision): readonly string[] =>
  decision.issues.map(({ code }) => code);

describe("planUndoRow", () => {
  it("restores a value that still is the one we sent", () => {
    const { outcome, decision } = undo({}, {});

    expect(outcome).toBe("restore");
    expect(decision).toMatchObject({
      state: "ready",
      action: "update",
      payload: { product_id: "p1", price: 1_000 },
      changes: [{ field: "price", old: 1_500, new: 1_000 }],
      issues: [],
    });
  });

  it("keeps a value that was changed since, and reports both values", () => {
    const kept = undo({}, { now: product({ price: 1_700 }) });

    expect([kept.outcome, kept.decision.state]).toEqual(["kept", "skipped"]);
    expect(kept.decision.payload).toBeNull();
    expect(kept.decision.issues[0]?.message.en).toContain("price: 1500 → 1700");
  });

  it("restores the other fields of a product where one field was changed since", () => {
    const payload = updateBody("p1", { price: price(1_500), title: "New" });
    const before = product({ price: 1_000, title: "Old" });

    const mixed = undo({ payload }, { before, now: product({ price: 1_500, title: "Theirs" }) });

    expect([mixed.outcome, mixed.left]).toEqual(["partly", { hidden: [], kept: ["title"] }]);
    expect(mixed.decision.payload).toEqual({ product_id: "p1", price: 1_000 });
    expect(codesOf(mixed)).toEqual(["W_UNDO_KEPT"]);
  });

  it("restores a row in part where the listing does not show some of its fields", () => {
    const payload = updateBody("p1", { price: price(1_500), brand_model: "New" });

    const partly = undo({ payload }, { now: product({ price: 1_500 }) });

    expect([partly.outcome, partly.left]).toEqual([
      "partly",
      { hidden: ["brand_model"], kept: [] },
    ]);
    expect(partly.decision.changes.map(({ field }) => field)).toEqual(["price"]);
    expect(codesOf(partly)).toEqual(["W_UNDO_HIDDEN"]);
  });

  it("does nothing where the old value is back already", () => {
    const back = undo({}, { now: product({ price: 1_000 }) });

    expect([back.outcome, back.decision.state]).toEqual(["already", "unchanged"]);
  });

  it.each([
    ["the unit of prices is not known", { priceUnit: "unknown" }],
    ["the listing did not show the product", { before: undefined }],
  ] as const)("restores nothing where %s", (_name, more) => {
    const hidden = undo({}, more);

    expect(hidden.outcome).toBe("not-undoable");
    expect(codesOf(hidden)).toEqual(["W_UNDO_HIDDEN"]);
  });

  it("restores all fields of a discount together", () => {
    const payload = updateBody("p1", { has_discount: false });
    const before = product({ has_discount: true, discount_type: 2, discount_value: 10 });

    const { decision } = undo({ payload }, { before, now: product({ has_discount: false }) });

    const discount = { has_discount: true, discount_type: 2, discount_value: 10 };
    expect(decision.payload).toEqual({ product_id: "p1", ...discount });
  });

  it("keeps a discount of which one field was changed since", () => {
    const payload = updateBody("p1", { has_discount: true, discount_type: 2, discount_value: 20 });
    const now = product({ has_discount: true, discount_type: 2, discount_value: 30 });

    const { outcome } = undo({ payload }, { before: product({ has_discount: false }), now });

    expect(outcome).toBe("kept");
  });

  it("sets the stock of an added product to 0 on request, because an add cannot be undone", () => {
    const add = { action: "add" } as const;
    const now = product({ stock: 7 });

    const told = undo(add, { now });
    const emptied = undo(add, { now, zeroStock: true });
    const empty = undo(add, { now: product({ stock: 0 }), zeroStock: true });
    const ignored = undo(add, { now, zeroStock: true, refused: new Set(["stock_count"]) });

    expect([told.outcome, codesOf(told)]).toEqual(["added", ["W_UNDO_ADD"]]);
    expect([empty.outcome, codesOf(empty)]).toEqual(["already-empty", ["W_UNDO_ADD_EMPTY"]]);
    expect(emptied.outcome).toBe("empty");
    expect(emptied.decision.payload).toEqual({ product_id: "p1", stock_count: 0 });
    expect(codesOf(ignored)).toEqual(["W_FIELD_REFUSED"]);
  });

  it("leaves a product alone that the listing does not show now", () => {
    const missing = undo({}, { now: undefined });

    expect([missing.outcome, codesOf(missing)]).toEqual(["not-undoable", ["W_UNDO_MISSING"]]);
  });

  const WHOLE_PRICE = { price: 1_000, currency: "TL", has_discount: false };

  it.each([
    [["title"], { title: "Old" }],
    [["stock_count"], { stock_count: 3 }],
    [["price"], WHOLE_PRICE],
    [["discount_value"], WHOLE_PRICE],
    [["title", "price"], { title: "Old", ...WHOLE_PRICE }],
    [undefined, { title: "Old", stock_count: 3, ...WHOLE_PRICE }],
  ] as const)("restores of the chosen fields %j only those", (fields, expected) => {
    const payload = updateBody("p1", PRICED);

    const { outcome, decision } = undo(
      { payload },
      { fields, before: product(OLD), now: product(SHOWN) },
    );

    expect(outcome).toBe("restore");
    expect(decision.payload).toEqual({ product_id: "p1", ...expected });
  });

  it("names a chosen field that was changed since, and is silent about the others", () => {
    const payload = updateBody("p1", PRICED);
    const now = product({ ...SHOWN, title: "Theirs", stock: 1 });

    const kept = undo({ payload }, { fields: ["title"], before: product(OLD), now });

    expect(kept.outcome).toBe("kept");
    expect(kept.decision.issues.map(({ message }) => message.en).join()).toContain("New → Theirs");
    expect(kept.decision.issues.map(({ message }) => message.en).join()).not.toContain("stock");
  });

  describe("with rows of earlier runs", () => {
    const first = product({ price: 1_000, title: "First", stock: 3 });
    const second = product({ price: 1_200, title: "Second", stock: 3 });
    const earlier = [
      { record: earlierRow({ title: "Third" }), before: second },
      { record: earlierRow({ price: price(1_200), title: "Second" }), before: first },
    ];
    const latest = { payload: PRICE } as const;
    const before = product({ price: 1_200, title: "Third", stock: 3 });

    it("brings each field back to what it was before the first of them", () => {
      const now = product({ price: 1_500, title: "Third", stock: 8 });

      const { outcome, decision } = undo(latest, { earlier, before, now });

      expect(outcome).toBe("restore");
      expect(decision.payload).toEqual({ product_id: "p1", price: 1_000, title: "First" });
    });

    it("brings a discount back to what it was before the first of them", () => {
      const record = { ...earlierRow({}), payload: updateBody("p1", percent(20)) };

      const { decision } = undo(
        { payload: updateBody("p1", percent(30)) },
        {
          earlier: [{ record, before: product({ has_discount: false }) }],
          before: product(percent(20)),
          now: product(percent(30)),
        },
      );

      expect(decision.payload).toEqual({ product_id: "p1", has_discount: false });
    });

    it("leaves a field that does not show the latest of our values any more", () => {
      const now = product({ price: 1_500, title: "Second", stock: 8 });

      const { outcome, left, decision } = undo(latest, { earlier, before, now });

      expect([outcome, left]).toEqual(["partly", { hidden: [], kept: ["title"] }]);
      expect(decision.payload).toEqual({ product_id: "p1", price: 1_000 });
    });

    it("finds a product that was taken back already", () => {
      const undone = { payload: updateBody("p1", { price: price(1_000), title: "First" }) };
      const again = { record: recordOf({ ...latest, action: "update" }), before };

      const { outcome } = undo(undone, {
        earlier: [again, ...earlier],
        before: product({ price: 1_500, title: "Third" }),
        now: first,
      });

      expect(outcome).toBe("already");
    });

    it("knows no old value where the first of them was not listed", () => {
      const unlisted = [
        ...earlier.slice(0, 1),
        { record: earlierRow({ title: "B" }), before: undefined },
      ];
      const now = product({ price: 1_500, title: "Third" });

      const { left, decision } = undo(latest, { earlier: unlisted, before, now });

      expect(left).toEqual({ hidden: ["title"], kept: [] });
      expect(decision.payload).toEqual({ product_id: "p1", price: 1_200 });
    });
  });
});
