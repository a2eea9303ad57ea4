import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { withOldPrice } from "../../src/html/other-changes.ts";

/** The old price of a row that was planned without one, after the unit became known. */
async function readOld(priceUnit: "minor" | "major" | "unknown"): Promise<unknown> {
  const { connection } = await createTestConnection();
  const changes = [{ field: "price", old: undefined, new: 1_500 }];
  const run = await storeRun(connection, {
    header: ["Kod"],
    rows: [{ cells: ["A-1"], action: "update", changes }],
  });
  const product = { id: idSchemas.product.parse("p-1"), product_code: "A-1", price: 12.5 };
  await connection.verificationLog.saveBefore(run.id, [{ row: 2, product }]);
  const planned = { add: 0, update: 1, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };
  const facts: typeof run.facts = {
    readBy: "listing",
    priceUnit,
    planned: { ...planned, requests: 0, seconds: 0 },
  };
  const [row] = await connection.journal.readRows(run.id, { limit: 1 });
  if (row === undefined) throw new Error("the row was not stored");
  return (await withOldPrice(connection, { ...run, facts }, row)).changes[0]?.old;
}

describe("the old price of a row that waited for the unit of prices", () => {
  it("is what its plan read, in the unit that is known by now", async () => {
    expect(await readOld("major")).toBe(1_250);
  });

  it("stays unknown with the unit", async () => {
    expect(await readOld("unknown")).toBeUndefined();
  });
});
