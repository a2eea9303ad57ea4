import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { expect, it } from "vitest";

import { readOutcomes, type RowOutcome } from "../src/row-outcomes.ts";

const ID = idSchemas.product.parse("p-1");

async function read(rows: readonly StoredRow[]): Promise<readonly RowOutcome[]> {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  return (await Array.fromAsync(readOutcomes(connection, run, "tr"))).flat();
}

const update = (stock: number, old: number, state: "ready" | "held" = "ready"): StoredRow => ({
  cells: ["A"],
  action: "update",
  state,
  payload: { product_id: ID, stock_count: stock },
  changes: [{ field: "stock_count", old, new: stock }],
  ...(state === "held" && { issues: [createIssue({ code: "E_GUARD_PRICE_DROP" })] }),
});

it("says what becomes of each row of a plan, in the order of the sheet", async () => {
  const outcomes = await read([
    update(5, 1),
    update(5, 1, "held"),
    { cells: ["A"], state: "unchanged", action: null },
    { cells: ["A"], state: "invalid", action: null, issues: [createIssue({ code: "E_REQUIRED" })] },
  ]);

  expect(outcomes.map(({ row, kind }) => [row, kind])).toEqual([
    [2, "update"],
    [3, "held"],
    [4, "unchanged"],
    [5, "failed"],
  ]);
  expect(outcomes.slice(2).map(({ values }) => values)).toEqual(["", ""]);
});

it("compares the values that are sent, and not those that the store has", async () => {
  const [same, other, changed] = await read([update(5, 1), update(5, 3), update(6, 1)]);

  expect(other?.values).toBe(same?.values);
  expect(changed?.values).not.toBe(same?.values);
});

const withImage = (name: string): StoredRow => ({
  ...update(5, 1),
  payload: { product_id: ID, images: [`https://images.example/${name}.jpg`] },
  changes: [{ field: "images", old: [], new: [`https://images.example/${name}.jpg`] }],
});

it("tells images apart, and not only how many there are", async () => {
  const [a, again, b] = await read(["a", "a", "b"].map(withImage));

  expect(again?.values).toBe(a?.values);
  expect(b?.values).not.toBe(a?.values);
});
