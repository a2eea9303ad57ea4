import { describe, expect, it } from "vitest";

import type { StoreProduct } from "../../src/ports/product.ts";
import type { RowRecord } from "../../src/row/row-record.ts";
import { addBody, toProductId, updateBody } from "../../src/testing/rows.ts";
import { judgeVerification } from "../../src/verify/verification.ts";

const done = (more: Partial<RowRecord>): RowRecord => ({
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
  action: "update",
  payload: null,
  ...more,
});

const STOCK_UP = done({
  payload: updateBody("p1", { stock_count: 9 }),
  changes: [{ field: "stock_count", old: 5, new: 9 }],
});

const product = (more: Partial<StoreProduct>): StoreProduct => ({ id: toProductId("p1"), ...more });

describe("judgeVerification", () => {
  it("calls a field proven that was changed and is shown as it was sent", () => {
    const judged = judgeVerification(STOCK_UP, {
      seen: product({ stock: 9 }),
      priceUnit: "unknown",
    });

    expect(judged).toEqual({ status: "visible", fields: [], proven: ["stock_count"] });
  });

  it("returns a field that shows its old value, with both values", () => {
    const judged = judgeVerification(STOCK_UP, {
      seen: product({ stock: 5 }),
      priceUnit: "unknown",
    });

    const field = { field: "stock_count", sent: 9, seen: 5, isOld: true };
    expect(judged).toEqual({ status: "mismatch", fields: [field], proven: [] });
  });

  it("does not call a third value old", () => {
    const { fields } = judgeVerification(STOCK_UP, {
      seen: product({ stock: 4 }),
      priceUnit: "unknown",
    });

    expect(fields).toMatchObject([{ seen: 4, isOld: false }]);
  });

  it("ignores a value that a later request has replaced", () => {
    const lastSent = { stock_count: 3 };
    const seen = product({ stock: 3 });

    expect(judgeVerification(STOCK_UP, { seen, priceUnit: "unknown", lastSent }).status).toBe(
      "visible",
    );
  });

  it("compares prices only in a known unit", () => {
    const record = done({ action: "add", payload: addBody("A2") });
    const seen = product({ title: addBody("A2").title, price: 1 });

    expect(judgeVerification(record, { seen, priceUnit: "unknown" }).status).toBe("visible");
    expect(judgeVerification(record, { seen, priceUnit: "major" })).toMatchObject({
      status: "mismatch",
      fields: [{ field: "price", seen: 100 }],
    });
  });

  it("returns not-visible for a product that is not shown", () => {
    expect(judgeVerification(STOCK_UP, { seen: undefined, priceUnit: "minor" }).status).toBe(
      "not-visible",
    );
  });
});
