import { describe, expect, it } from "vitest";

import { GUARD_CODES, PRICE_UNIT_CODE } from "../../src/guards/guard-issue.ts";
import { GUARD_NAMES } from "../../src/guards/guard-settings.ts";
import { sendsStock } from "../../src/guards/stock-first.ts";
import { isManualRelease } from "../../src/row/row-record.ts";
import type { FieldChange } from "../../src/row/row-record.ts";

const PRICE: FieldChange = { field: "price", old: 1_000, new: 100 };
const STOCK: FieldChange = { field: "stock_count", old: 15, new: 0 };

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
]);

describe("sendsStock", () => {
  it.each(GUARD_NAMES.map((guard) => [guard, PRICE_GUARDS.has(guard)] as const))(
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

describe("isManualRelease", () => {
  it.each([
    ["released-approve", true],
    ["released-resend", true],
    ["price-unit", false],
    ["stock-first", false],
  ])("takes the cause %s for a person's: %s", (cause, isManual) => {
    const event = { runId: "r", row: 2, seq: 1, evidence: {}, atMs: 0, cause } as const;

    expect(isManualRelease({ ...event, from: "held", to: "ready" })).toBe(isManual);
  });
});
