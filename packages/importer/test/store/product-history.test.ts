import type { Connection } from "@catalog/connection";
import { createTestConnection, type StoredRow, storeRun } from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { expect, it } from "vitest";

import { createProductHistory } from "../../src/store/product-history.ts";

const DAY_MS = 86_400_000;
const ID = idSchemas.product.parse("p-1");
const DONE = { to: "done", cause: "answer", productId: ID } as const;

const update = (
  fields: Readonly<Record<string, readonly [old: unknown, next: unknown]>>,
): StoredRow => ({
  cells: ["KOD-1"],
  action: "update",
  payload: {
    product_id: ID,
    ...Object.fromEntries(Object.entries(fields).map(([field, [, next]]) => [field, next])),
  },
  changes: Object.entries(fields).map(([field, [old, next]]) => ({ field, old, new: next })),
  outcome: DONE,
});

interface SentRun {
  readonly id: string;
  readonly row: StoredRow;
  /** The listed product that it overwrites. */
  readonly before: Readonly<Record<string, unknown>>;
}

async function send(connection: Connection, { id, row, before }: SentRun): Promise<void> {
  const header = ["Ürün Kodu"];
  const settings = { noVerify: true };
  await storeRun(connection, { id, header, rows: [row], settings });
  await connection.verificationLog.saveBefore(id, [{ row: 2, product: { id: ID, ...before } }]);
  await connection.runs.update(id, { state: "finished" });
}

/** Changes of the stock by three runs, one of which changes the title as well. */
const RUNS: readonly SentRun[] = [
  { id: "r-1", row: update({ stock_count: [3, 5] }), before: { stock: 3 } },
  {
    id: "r-2",
    row: update({ stock_count: [5, 7], title: ["Eski", "Yeni"] }),
    before: { stock: 5, title: "Eski" },
  },
  { id: "r-3", row: update({ stock_count: [7, 9] }), before: { stock: 7 } },
];

it("reads archived runs, and of deleted ones what no later run has sent again", async () => {
  const { connection, clock } = await createTestConnection();
  const history = createProductHistory(connection);
  const read = async () =>
    (await history.read(ID, "en")).map(({ ours, field, before, after, undoField }) => [
      ours?.run.id,
      field,
      before,
      after,
      undoField,
    ]);
  for (const run of RUNS) {
    await send(connection, run);
    await clock.advance(60_000);
  }
  // The run with the newest event is never archived.
  const other = { ...update({ stock_count: [1, 2] }), cells: ["KOD-2"] };
  const done = { ...DONE, productId: idSchemas.product.parse("p-2") };
  await send(connection, { id: "r-9", row: { ...other, outcome: done }, before: {} });

  const fresh = await read();
  const undo = await history.findUndo(ID);
  await clock.advance(3 * DAY_MS);
  await connection.storage.prune({ keepMs: 90 * DAY_MS });
  const archived = await read();
  await clock.advance(100 * DAY_MS);
  await connection.storage.prune({ keepMs: 90 * DAY_MS });
  const deleted = await read();
  const undoOfRest = await history.findUndo(ID);

  expect(fresh).toEqual([
    ["r-3", "stock_count", "7", "9", "stock_count"],
    ["r-2", "stock_count", "5", "7", null],
    ["r-2", "title", "Eski", "Yeni", "title"],
    ["r-1", "stock_count", "3", "5", null],
  ]);
  expect(undo?.part.earlier).toEqual([
    { runId: "r-2", row: 2 },
    { runId: "r-1", row: 2 },
  ]);
  expect(archived).toEqual(fresh);
  expect(deleted).toEqual(fresh.slice(0, 3));
  expect(undoOfRest?.part.earlier).toEqual([{ runId: "r-2", row: 2 }]);
  expect(undoOfRest).toMatchObject({ run: { id: "r-3" }, product: "KOD-1" });
});

it("finds a product by its id and by its code", async () => {
  const { connection } = await createTestConnection();
  const history = createProductHistory(connection);
  for (const run of RUNS.slice(0, 1)) await send(connection, run);

  expect(await history.find("p-1")).toEqual([ID]);
  expect(await history.find("KOD-1")).toEqual([ID]);
  expect(await history.find("KOD-2")).toEqual([]);
  expect(await history.findUndo(idSchemas.product.parse("p-3"))).toBeUndefined();
});
