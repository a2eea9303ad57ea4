import { expect, it } from "vitest";

import type { StoreProduct } from "../../src/ports/product.ts";
import type { FieldChange, Payload, RowRecord } from "../../src/row/row-record.ts";
import { changesFrom, judgeRecheck, type RecheckInput } from "../../src/send/judge-recheck.ts";
import { toProductId, price, updateBody, toId } from "../../src/testing/rows.ts";

const PLANNED: StoreProduct = {
  id: toProductId("p1"),
  product_code: "B1",
  title: "Cup",
  price: 65,
  currency: "TL",
  stock: 4,
  has_discount: false,
  images: ["https://cdn.example/1.jpg"],
};

function record(payload: Payload, changes: readonly FieldChange[] = []): RowRecord {
  return {
    row: 2,
    cells: [],
    code: "B1",
    codeKey: "b1",
    state: "ready",
    action: "update",
    productId: toProductId("p1"),
    payload,
    changes,
    issues: [],
    attempts: 0,
    note: null,
    updatedAtMs: 0,
  };
}

const BODY = updateBody("p1", { price: price(7_000), stock_count: 9 });

const look = (more: Partial<RecheckInput>): ReturnType<typeof judgeRecheck> =>
  judgeRecheck({
    record: record(BODY),
    planned: PLANNED,
    now: PLANNED,
    priceUnit: "major",
    wasSent: false,
    ...more,
  });

it("passes a row that overwrites the values of its plan", () => {
  expect(look({})).toEqual({ kind: "same", before: PLANNED });
});

it("returns the three values of every field that has changed, prices in minor units", () => {
  const now = { ...PLANNED, price: 75, stock: 3 };

  expect(look({ now })).toEqual({
    kind: "overtaken",
    fields: [
      { field: "price", old: 6_500, now: 7_500, new: 7_000 },
      { field: "stock_count", old: 4, now: 3, new: 9 },
    ],
    before: now,
  });
});

it("holds a changed price in an unknown unit, and returns it as it is listed", () => {
  const found = look({ now: { ...PLANNED, price: 75 }, priceUnit: "unknown" });

  expect(found).toMatchObject({
    kind: "overtaken",
    fields: [{ field: "price", old: 65, now: 75, new: 7_000 }],
  });
});

it("holds a change of the currency", () => {
  const found = look({ now: { ...PLANNED, currency: "USD" } });

  expect(found).toMatchObject({ fields: [{ field: "currency", old: "TL", now: "USD" }] });
});

it("holds a changed discount where the row removes the discount", () => {
  const planned = { ...PLANNED, has_discount: true, discount_type: 2, discount_value: 10 };
  const row = record(updateBody("p1", { has_discount: false }));

  const found = look({ record: row, planned, now: { ...planned, discount_value: 30 } });

  expect(found).toMatchObject({ kind: "overtaken", fields: [{ old: 10, now: 30 }] });
});

const others: readonly (readonly [name: string, now: Partial<StoreProduct>])[] = [
  ["a field that the row does not write", { title: "Mug" }],
  ["a field that has the row's value already", { price: 70 }],
];
it.each(others)("passes a row where only this has changed: %s", (_name, changes) => {
  const now = { ...PLANNED, ...changes };

  expect(look({ now })).toEqual({ kind: "same", before: now });
});

it("holds a field that was emptied, and one that was filled", () => {
  const body = updateBody("p1", { title: "Mug", sub_title: "A mug" });
  const now = { ...PLANNED, title: null, subtitle: "Theirs" };

  expect(look({ record: record(body), now })).toMatchObject({
    fields: [
      { field: "title", old: "Cup", now: null, new: "Mug" },
      { field: "sub_title", old: null, now: "Theirs", new: "A mug" },
    ],
  });
});

it("holds a row whose product is gone, and passes one whose product was never listed", () => {
  expect(look({ now: undefined })).toEqual({ kind: "gone" });
  expect(look({ now: undefined, planned: undefined })).toEqual({ kind: "same" });
});

it("compares a product that was not listed when it was planned with the values sent last", () => {
  const planned = undefined;

  expect(look({ planned, lastSent: { stock_count: 4 } })).toMatchObject({ kind: "same" });
  expect(look({ planned, lastSent: { stock_count: 7 } })).toMatchObject({
    fields: [{ field: "stock_count", old: 7, now: 4, new: 9 }],
  });
  expect(look({ planned })).toMatchObject({ kind: "same" });
});

it("ignores a field whose listed value does not matter", () => {
  const ignored = new Set(["stock_count"]);

  expect(look({ now: { ...PLANNED, stock: 3 }, ignored })).toMatchObject({ kind: "same" });
});

it("keeps the value from before our own lost request as the overwritten one", () => {
  const now = { ...PLANNED, price: 70, title: "Theirs" };

  const found = look({ now, wasSent: true, priceUnit: "unknown" });

  expect(found).toEqual({ kind: "same", before: { ...now, price: 65 } });
});

it("keeps the brand from before our own lost request with its name", () => {
  const [old, ours] = [toId("BrandId", "b-1"), toId("BrandId", "b-2")];
  const planned = { ...PLANNED, brand_id: old, brand_name: "Eski" };
  const now = { ...PLANNED, brand_id: ours, brand_name: "Yeni" };
  const body = { ...BODY, brand_id: ours };

  const found = look({ record: record(body, []), planned, now, wasSent: true });

  expect(found).toMatchObject({ before: { brand_id: old, brand_name: "Eski" } });
});

it("updates the old values of a held row's changes from the listing", () => {
  const changes = [
    { field: "price", old: 6_500, new: 7_000 },
    { field: "brand_model", new: "C2" },
  ];

  expect(changesFrom(record(BODY, changes), { ...PLANNED, price: 75 }, "major")).toEqual([
    { field: "price", old: 7_500, new: 7_000 },
    { field: "brand_model", new: "C2" },
  ]);
});
