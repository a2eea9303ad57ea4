import { describe, expect, it } from "vitest";

import { planUndoRow, type UndoDecision, type UndoInput } from "../../src/plan/plan-undo.ts";
import type { StoreProduct } from "../../src/ports/product.ts";
import type { RowRecord } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { toProductId, price, SHEET, updateBody } from "../../src/testing/rows.ts";

const product = (more: Partial<StoreProduct>): StoreProduct => ({ id: toProductId("p1"), ...more });

const PRICE = updateBody("p1", { price: price(1_500) });

function undo(
  { payload = PRICE, action = "update" }: Partial<Pick<RowRecord, "payload" | "action">>,
  more: Partial<UndoInput>,
): UndoDecision {
  const record: RowRecord = {
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
  };
  return planUndoRow({
    record,
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
});
