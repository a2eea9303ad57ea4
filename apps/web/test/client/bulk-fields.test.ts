import { describe, expect, it } from "vitest";

import {
  type BulkForm,
  EMPTY_FORM,
  parseAmount,
  placeholderOf,
  toBulkChange,
} from "../../client/steps/fix/bulk-fields.tsx";
import { bulkBody } from "../../src/api/drafts.ts";

describe("parseAmount", () => {
  it.each([
    ["12", "12", "12"],
    ["12,5", "12.5", null],
    ["12.5", "12.5", "12.5"],
    ["%12,5", "12.5", null],
    ["1.299,90 TL", "1299.90", null],
    ["1,299.90", null, "1299.90"],
    ["1.299", "1299", null],
    ["1,299", null, "1299"],
    ["12,345", null, "12345"],
    ["-5", null, null],
    ["on", null, null],
    ["1,2,3", null, null],
  ])("reads %s", (typed, tr, en) => {
    const read = [parseAmount(typed, "tr"), parseAmount(typed, "en")];

    // The other sign stands before one or two decimals only.
    expect([read[0], en === null && tr !== null ? null : read[1]]).toEqual([tr, en]);
  });
});

const given = (part: Partial<BulkForm>): BulkForm => ({ ...EMPTY_FORM, ...part });

it.each<readonly [string, Partial<BulkForm>, object | null]>([
  ["nothing", {}, null],
  [
    "8 % down",
    { amount: "8", direction: "down" },
    { kind: "price", of: "list", by: "percent", value: "-8" },
  ],
  [
    "1,5 up to .90",
    { amount: "1,5", by: "amount", rounding: "90", roundTo: "up" },
    { by: "amount", value: "1.5", rounding: { ending: "90", direction: "up" } },
  ],
  ["a stock", { kind: "stock", how: "take", pieces: "3" }, { how: "take", pieces: 3 }],
  ["half a piece", { kind: "stock", pieces: "0,5" }, null],
  ["15 % off", { kind: "discount", amount: "15" }, { give: { as: "percent", value: "15" } }],
  ["12,5 % off", { kind: "discount", amount: "12,5" }, null],
  [
    "12,5 % off, rounded",
    { kind: "discount", amount: "12,5", rounding: "00" },
    { give: { as: "percent", value: "12.5", rounding: { ending: "00", direction: "nearest" } } },
  ],
  ["no discount", { kind: "discount", give: "end" }, { give: null }],
  ["an emptied column", { kind: "set", column: "3" }, { column: 3, value: "" }],
  ["a copy onto itself", { kind: "copy", column: "3", from: "3" }, null],
  ["a copy", { kind: "copy", column: "3", from: "1" }, { from: 1, to: 3 }],
  ["spaces around", { kind: "affix", column: "3", after: " cm" }, { before: "", after: " cm" }],
  ["a template", { kind: "template", column: "3", template: "{Marka}" }, { template: "{Marka}" }],
  ["a text in one column", { kind: "replace", find: "a", inColumn: "2" }, { columns: [2] }],
])("means %s", (_, part, change) => {
  const result = toBulkChange(given(part), "tr");

  expect(result.state === "ready" ? result.change : null).toEqual(
    change === null ? null : expect.objectContaining(change),
  );
  if (result.state !== "ready") return;
  const body = { version: 1, change: result.change, scope: {}, isPreview: true };
  expect(bulkBody.safeParse(body)).toMatchObject({ success: true });
});

it.each([
  [{ header: "Marka *", field: "brand" }, "{Marka}"],
  [{ header: "Marka (salt okunur)", field: "-" }, "{Marka}"],
  [{ header: "", field: "brand" }, "{brand}"],
  [{ header: "a{b}", field: null }, null],
])("names the column %o in a template", (column, name) => {
  expect(placeholderOf(column)).toBe(name);
});

it.each<readonly [string, object]>([
  ["an amount of many digits", { kind: "price", of: "list", by: "amount", value: "1".repeat(20) }],
  ["a third decimal", { kind: "price", of: "list", by: "amount", value: "1.005" }],
  ["a formula", { kind: "price", of: "list", by: "amount", value: "1e5" }],
  ["a price of another kind", { kind: "price", of: "cost", by: "amount", value: "1" }],
  ["half a piece", { kind: "stock", how: "add", pieces: 0.5 }],
  ["fewer than no pieces", { kind: "stock", how: "set", pieces: -1 }],
  ["all of the price off", { kind: "discount", give: { as: "percent", value: "100" } }],
  ["an empty text", { kind: "replace", find: "", replace: "x" }],
  ["a column before the first", { kind: "copy", from: -1, to: 2 }],
  ["a kind that there is not", { kind: "delete" }],
])("refuses %s", (_, change) => {
  const body = { version: 1, change, scope: {}, isPreview: true };

  expect(bulkBody.safeParse(body)).toMatchObject({ success: false });
});
