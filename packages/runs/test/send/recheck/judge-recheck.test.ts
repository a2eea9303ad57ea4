import { type StoreProduct } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { type FieldChange, type Payload } from "../../../src/row/row-decision.ts";
import { type RowRecord } from "../../../src/row/row-record.ts";
import { changesFrom, judgeLook, type LookInput } from "../../../src/send/recheck/judge-recheck.ts";
import { id, price, updateBody } from "../../helpers/products.ts";

const PLANNED: StoreProduct = {
  id: id("p1"),
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
    productId: id("p1"),
    payload,
    changes,
    issues: [],
    attempts: 0,
    note: null,
    updatedAtMs: 0,
  };
}

const BODY = updateBody("p1", { price: price(7_000), stock_count: 9 });

const look = (more: Partial<LookInput>): ReturnType<typeof judgeLook> =>
  judgeLook({
    record: record(BODY),
    planned: PLANNED,
    now: PLANNED,
    priceUnit: "major",
    hasDeparted: false,
    ...more,
  });

describe("judgeLook", () => {
  it("lets a row go that overwrites what its plan saw", () => {
    expect(look({})).toEqual({ kind: "same", before: PLANNED });
  });

  it("tells the three values of every field that has changed, prices in minor units", () => {
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

  it("notices a change of price while nobody knows the unit, and tells it as it is listed", () => {
    const found = look({ now: { ...PLANNED, price: 75 }, priceUnit: "unknown" });

    expect(found).toMatchObject({
      kind: "overtaken",
      fields: [{ field: "price", old: 65, now: 75, new: 7_000 }],
    });
  });

  it("notices another currency, which makes the price another amount", () => {
    const found = look({ now: { ...PLANNED, currency: "USD" } });

    expect(found).toMatchObject({ fields: [{ field: "currency", old: "TL", now: "USD" }] });
  });

  it("notices a discount that was changed where the row takes the discount away", () => {
    const planned = { ...PLANNED, has_discount: true, discount_type: 2, discount_value: 10 };
    const row = record(updateBody("p1", { has_discount: false }));

    const found = look({ record: row, planned, now: { ...planned, discount_value: 30 } });

    expect(found).toMatchObject({ kind: "overtaken", fields: [{ old: 10, now: 30 }] });
  });

  const others: readonly (readonly [name: string, now: Partial<StoreProduct>])[] = [
    ["a field that the row does not write", { title: "Mug" }],
    ["a field that shows what the row wants already", { price: 70 }],
  ];
  it.each(others)("lets a row go where only that has changed: %s", (_name, changes) => {
    const now = { ...PLANNED, ...changes };

    expect(look({ now })).toEqual({ kind: "same", before: now });
  });

  it("notices that a field was emptied, and that an empty one was filled", () => {
    const body = updateBody("p1", { title: "Mug", sub_title: "A mug" });
    const now = { ...PLANNED, title: null, subtitle: "Theirs" };

    expect(look({ record: record(body), now })).toMatchObject({
      fields: [
        { field: "title", old: "Cup", now: null, new: "Mug" },
        { field: "sub_title", old: null, now: "Theirs", new: "A mug" },
      ],
    });
  });

  it("holds a row whose product is gone, and not one whose product was never shown", () => {
    expect(look({ now: undefined })).toEqual({ kind: "gone" });
    expect(look({ now: undefined, planned: undefined })).toEqual({ kind: "same" });
  });

  it("compares a product that the plan did not see with what was sent last", () => {
    const planned = undefined;

    expect(look({ planned, lastSent: { stock_count: 4 } })).toMatchObject({ kind: "same" });
    expect(look({ planned, lastSent: { stock_count: 7 } })).toMatchObject({
      fields: [{ field: "stock_count", old: 7, now: 4, new: 9 }],
    });
    expect(look({ planned })).toMatchObject({ kind: "same" });
  });

  it("leaves out a field for which the row is right whatever the store shows", () => {
    const ignored = new Set(["stock_count"]);

    expect(look({ now: { ...PLANNED, stock: 3 }, ignored })).toMatchObject({ kind: "same" });
  });

  it("does not take what a lost request of ours has written for what it overwrote", () => {
    const now = { ...PLANNED, price: 70, title: "Theirs" };

    const found = look({ now, hasDeparted: true, priceUnit: "unknown" });

    expect(found).toEqual({ kind: "same", before: { ...now, price: 65 } });
  });

  it("lets the rest of a listing say from where a held row changes its fields", () => {
    const changes = [
      { field: "price", old: 6_500, new: 7_000 },
      { field: "brand_model", new: "C2" },
    ];

    expect(changesFrom(record(BODY, changes), { ...PLANNED, price: 75 }, "major")).toEqual([
      { field: "price", old: 7_500, new: 7_000 },
      { field: "brand_model", new: "C2" },
    ]);
  });
});
