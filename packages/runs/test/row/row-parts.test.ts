import { describe, expect, it } from "vitest";

import { toGuardIssue } from "../../src/guards/guard-issue.ts";
import {
  hasSent,
  isStockAlone,
  joinParts,
  openBody,
  sentBody,
  splitStock,
  toCarriedOut,
} from "../../src/guards/stock-first.ts";
import type { FieldChange } from "../../src/row/row-record.ts";
import { price, updateBody } from "../../src/testing/rows.ts";

const STOCK: FieldChange = { field: "stock_count", old: 15, new: 0 };
const PRICE: FieldChange = { field: "price", old: 1_000, new: 100 };
const WHOLE = [PRICE, STOCK];

const rowOf = (changes: readonly FieldChange[]) => ({
  state: "held" as const,
  payload: updateBody("p1", { price: price(100), stock_count: 0 }),
  changes,
  issues: [
    toGuardIssue(
      { guard: "price-drop", field: "price", old: 1_000, new: 100, percent: -90 },
      LOCATION,
      { stock_count: 0 },
    ),
  ],
});

const LOCATION = { sheet: "Ürünler", row: 2, column: "Fiyat", cell: "B2", value: "1,00" };

describe("a row that goes in two requests", () => {
  it("sends its stock, then the rest, and knows at each step what it has sent", () => {
    const split = rowOf(splitStock(WHOLE));
    const carriedOut = toCarriedOut(split, { to: "done", cause: "answer" });
    const rest = rowOf(carriedOut.changes ?? []);

    expect([openBody(split), isStockAlone(split), hasSent(split)]).toEqual([
      { product_id: "p1", stock_count: 0 },
      true,
      false,
    ]);
    expect(carriedOut).toMatchObject({
      to: "held",
      cause: "stock-sent",
      evidence: { answer: "answer", sent: { stock_count: 0 } },
    });
    expect(split.issues[0]?.message.en).toContain("stock (0) does not wait for the price");
    expect(carriedOut.issues?.[0]?.message).toMatchObject({
      tr: expect.stringContaining("Satırın yeni stoğu (0) gönderildi."),
      en: expect.not.stringContaining("does not wait"),
    });
    expect([openBody(rest), isStockAlone(rest), sentBody(rest)]).toEqual([
      { product_id: "p1", price: 100 },
      false,
      { stock_count: 0 },
    ]);
    expect(toCarriedOut(rest, { to: "done", cause: "answer" })).toEqual({
      to: "done",
      cause: "answer",
    });
    expect(sentBody({ ...rest, state: "done" })).toEqual(rest.payload);
  });

  it("is whole again where it is held before its stock was sent", () => {
    expect(joinParts(splitStock(WHOLE))).toEqual(WHOLE);
  });

  it.each(["rejected", "ready", "ambiguous"] as const)("keeps a request that ends %s", (to) => {
    const outcome = { to, cause: "answer" } as const;

    expect(toCarriedOut(rowOf(splitStock(WHOLE)), outcome)).toBe(outcome);
  });

  it("sends a row as it is where nothing waits", () => {
    const row = rowOf(WHOLE);

    expect([openBody(row), hasSent(row), sentBody(row)]).toEqual([row.payload, false, {}]);
  });
});
