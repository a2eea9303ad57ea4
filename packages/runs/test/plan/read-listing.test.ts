import { expect, it } from "vitest";

import type { ListingProgress } from "../../src/plan/read-listing.ts";
import { listedProducts, openPlanFixture } from "../helpers/plan-fixture.ts";

it("tells each page of the store until all are read, also of statuses without products", async () => {
  const products = listedProducts(120);
  const { planAll } = await openPlanFixture(
    products.map(({ product }) => product.product_code ?? null),
    products,
  );
  const told: ListingProgress[] = [];

  await planAll({ onListing: (progress) => void told.push(progress) });

  // Three pages of approved products, and a page of each of the other statuses.
  expect(told).toEqual([1, 2, 3, 4, 5].map((done) => ({ step: "store", done, total: 5 })));
});
