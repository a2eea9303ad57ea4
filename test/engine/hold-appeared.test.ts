import { holdAppeared } from "@catalog/runs";
import { createFakeMarketplace, codeKey, RUN, SHEET } from "@catalog/runs/testing";
import { expect, it } from "vitest";

import { openPlanFixture, readAll, listedProducts } from "./helpers/plan-fixture.ts";

it("holds the adds whose code the store shows now, and leaves the others", async () => {
  const { journal, planAll } = await openPlanFixture(["B0", "B7"]);
  await planAll();
  const marketplace = createFakeMarketplace({ products: listedProducts(1) });

  const held = await holdAppeared({ runId: RUN, journal, marketplace, codeKey, sheet: SHEET });

  const rows = await readAll(journal);
  expect(held).toBe(1);
  expect(rows.map(({ state }) => state)).toEqual(["held", "ready"]);
  expect(rows[0]?.issues).toMatchObject([{ code: "E_APPEARED" }]);
});

it("makes no call when no add is ready", async () => {
  const { journal, marketplace, planAll } = await openPlanFixture(["B0"], listedProducts(1), {
    2: { action: "skip" },
  });
  await planAll();
  const before = marketplace.log.length;

  await holdAppeared({ runId: RUN, journal, marketplace, codeKey, sheet: SHEET });

  expect(marketplace.log.length).toBe(before);
});

it("checks a row that a dead process started and never sent", async () => {
  const { journal, planAll } = await openPlanFixture(["B0"]);
  await planAll();
  await journal.claim([{ runId: RUN, row: 2 }]);
  const marketplace = createFakeMarketplace({ products: listedProducts(1) });

  const held = await holdAppeared({ runId: RUN, journal, marketplace, codeKey, sheet: SHEET });

  expect(held).toBe(1);
  expect((await readAll(journal)).map(({ state }) => state)).toEqual(["held"]);
});
