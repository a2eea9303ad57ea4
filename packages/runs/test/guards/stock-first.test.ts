import { describe, expect, it } from "vitest";

import { GUARD_CODES, PRICE_UNIT_CODE, toGuardIssue } from "../../src/guards/guard-issue.ts";
import { GUARDS } from "../../src/guards/guard-settings.ts";
import {
  hasSent,
  isStockAlone,
  joinParts,
  openBody,
  sendsStock,
  sentBody,
  splitStock,
  toCarriedOut,
} from "../../src/guards/stock-first.ts";
import { type FieldChange, isManualRelease } from "../../src/row/row-record.ts";
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

const issue = (code: string) => ({
  code,
  sheet: "S",
  row: 2,
  column: "C",
  cell: "A2",
  value: "",
  message: { tr: "", en: "" },
});

const held = (...codes: readonly string[]) => ({
  state: "held" as const,
  action: "update" as const,
  changes: [PRICE, STOCK],
  issues: codes.map(issue),
});

const PRICE_GUARDS = new Set([
  "price-drop",
  "price-rise",
  "price-scale",
  "discount-price",
  "currency-change",
  "below-cost",
]);

describe("sendsStock", () => {
  it.each(GUARDS.names.map((guard) => [guard, PRICE_GUARDS.has(guard)] as const))(
    "says of a row that %s holds: %s",
    (guard, sends) => {
      expect(sendsStock(held(GUARD_CODES[guard]))).toBe(sends);
      expect(sendsStock(held(PRICE_UNIT_CODE, GUARD_CODES[guard]))).toBe(sends);
    },
  );

  it.each([
    ["the unit of prices is unknown", held(PRICE_UNIT_CODE), true],
    ["a warning stands beside it", held(PRICE_UNIT_CODE, "W_NOT_COMPARABLE"), true],
    ["the product has changed", held(PRICE_UNIT_CODE, "E_CHANGED"), false],
    ["nothing says why it is held", held(), false],
    ["it is planned", { ...held(PRICE_UNIT_CODE), state: "ready" as const }, false],
    ["it adds a product", { ...held(PRICE_UNIT_CODE), action: "add" as const }, false],
    ["it has no stock", { ...held(PRICE_UNIT_CODE), changes: [PRICE] }, false],
    ["it has nothing else", { ...held(PRICE_UNIT_CODE), changes: [STOCK] }, false],
    [
      "the listing does not show its stock",
      { ...held(PRICE_UNIT_CODE), changes: [PRICE, { field: "stock_count", new: 0 }] },
      false,
    ],
    [
      "its stock was sent",
      { ...held(PRICE_UNIT_CODE), changes: [PRICE, { ...STOCK, part: "sent" as const }] },
      false,
    ],
    [
      "its stock rises",
      { ...held(PRICE_UNIT_CODE), changes: [PRICE, { ...STOCK, new: 99 }] },
      true,
    ],
  ])("says of a held row, where %s: %#", (_, row, sends) => {
    expect(sendsStock(row)).toBe(sends);
  });
});

it.each([
  ["released-approve", true],
  ["released-resend", true],
  ["price-unit", false],
  ["stock-first", false],
])("isManualRelease takes the cause %s for a person's: %s", (cause, isManual) => {
  const event = { runId: "r", row: 2, seq: 1, evidence: {}, atMs: 0, cause } as const;

  expect(isManualRelease({ ...event, from: "held", to: "ready" })).toBe(isManual);
});
