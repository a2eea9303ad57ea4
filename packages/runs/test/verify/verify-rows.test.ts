import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import type { RowRecord } from "../../src/row/row-record.ts";
import { createFakeMarketplace, type FakeProduct } from "../../src/testing.ts";
import { toProductId, listed, updateBody } from "../../src/testing/rows.ts";
import { readBackSample, type SampleReadBack } from "../../src/verify/verify-rows.ts";

const sentStock = (product: string, stock: number): RowRecord => ({
  row: 2,
  cells: [],
  code: `code of ${product}`,
  codeKey: `code of ${product}`,
  state: "done",
  action: "update",
  productId: toProductId(product),
  payload: updateBody(product, { stock_count: stock, title: "Another title" }),
  changes: [{ field: "stock_count", old: 1, new: stock }],
  issues: [],
  attempts: 1,
  note: null,
  updatedAtMs: 0,
});

const withStock = (product: string, stock: number): FakeProduct =>
  listed(product, product, { stock });

async function readBack(
  records: readonly RowRecord[],
  products: readonly FakeProduct[],
): Promise<SampleReadBack & { readonly log: readonly string[] }> {
  const marketplace = createFakeMarketplace({ products });
  const clock = createFakeClock();
  const options = { fields: new Set(["stock_count"]), priceUnit: "minor", clock } as const;
  const reading = readBackSample({ ...options, records, marketplace });
  await clock.advance(3_000);
  return { ...(await reading), log: marketplace.log };
}

describe("readBackSample", () => {
  it("finds no difference in one reading where the compared fields are shown as they were sent", async () => {
    const { read, different, log } = await readBack(
      [sentStock("p1", 9), sentStock("p2", 0)],
      [withStock("p1", 9), withStock("p2", 0)],
    );

    expect({ read, different }).toEqual({ read: 2, different: [] });
    expect(log).toEqual(["LIST approved p1,p2"]);
  });

  it("returns a row whose product shows another value twice, with the shown value", async () => {
    const { different, log } = await readBack(
      [sentStock("p1", 9), sentStock("p2", 0)],
      [withStock("p1", 8), withStock("p2", 0)],
    );

    expect(
      different.map(({ record, shown }) => [record.code, shown.status, shown.product.stock]),
    ).toEqual([["code of p1", "approved", 8]]);
    expect(log).toEqual(["LIST approved p1,p2", "LIST approved p1"]);
  });

  it("counts no difference for a product that the store does not show", async () => {
    const { read, different } = await readBack([sentStock("p1", 9)], []);

    expect({ read, different }).toEqual({ read: 0, different: [] });
  });
});
