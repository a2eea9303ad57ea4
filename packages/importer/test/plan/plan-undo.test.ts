import type { Connection } from "@catalog/connection";
import {
  createTestConnection,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import {
  findRowUndo,
  findUndo,
  isPartialUndo,
  type PlannedUndo,
  type RunUndo,
  warnOfUndo,
} from "../../src/plan/plan-undo.ts";

const NOTHING = {
  restore: 0,
  partly: 0,
  empty: 0,
  already: 0,
  "already-empty": 0,
  added: 0,
  kept: 0,
  "not-undoable": 0,
};

async function warn(
  states: readonly NonNullable<StoredRow["state"]>[],
  undo: PlannedUndo = { ...NOTHING, restore: 1 },
  left: { readonly hidden: string[]; readonly kept: string[] } = { hidden: [], kept: [] },
) {
  const { connection } = await createTestConnection();
  const rows = states.map((state, at): StoredRow => ({ cells: [`K-${at}`], state }));
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  return { id: run.id, warnings: await warnOfUndo(connection, run, { undo, left }) };
}

it("says how many rows of the run wait, and how to close them", async () => {
  const { id, warnings } = await warn(["held", "held", "unchanged"]);

  const [, held] = warnings;
  expect(held?.code).toBe("W_UNDO_HELD");
  expect(held?.message.tr).toMatch(
    /2 satır hâlâ karar bekliyor.* catalog release r-\S+ --cancel$/u,
  );
  expect(held?.message.en).toContain(`2 rows of ${id} still wait`);
});

it("counts one row as one in English", async () => {
  const { id, warnings } = await warn(["held"]);

  expect(warnings[1]?.message.en).toContain(`1 row of ${id} still waits`);
});

it("says nothing of held rows where none waits", async () => {
  const { warnings } = await warn(["unchanged"]);

  expect(warnings.map(({ code }) => code)).toEqual(["W_UNDO"]);
});

it("says of added products that they stay, or that their stock becomes 0", async () => {
  const { warnings } = await warn(["unchanged"], {
    ...NOTHING,
    restore: 2,
    empty: 58,
    "already-empty": 3,
    added: 1_200,
  });

  expect(warnings[0]?.message.tr).toMatch(
    /^“[^“”]+” geri alınıyor: 2 ürün eski hâline dönecek, eklenen 58 ürünün stoğu 0 yapılacak \(ürün silinemez\), eklenen 1\.200 ürün mağazada kalacak \(ürün silinemez\), eklenen 3 ürünün stoğu zaten 0\.$/u,
  );
  expect(warnings[0]?.message.en).toContain("58 added, whose stock becomes 0");
});

it("counts the products of which some fields stay apart, and names those fields", async () => {
  const undo = { ...NOTHING, restore: 2, partly: 1 };

  const hidden = await warn(["unchanged"], undo, {
    hidden: ["category_id", "brand_model"],
    kept: [],
  });
  const both = await warn(["unchanged"], undo, { hidden: ["category_id"], kept: ["price"] });

  expect(hidden.warnings[0]?.message.tr).toMatch(
    /: 2 ürün eski hâline dönecek, 1 ürün kısmen eski hâline dönecek \(Kategori, Model geri alınamaz\)\.$/u,
  );
  expect(hidden.warnings[0]?.message.en).toMatch(
    /: 2 to restore, 1 to restore in part \(Category, Model cannot be undone\)\.$/u,
  );
  expect(both.warnings[0]?.message.tr).toContain(
    "(Kategori geri alınamaz; Fiyat o zamandan beri değişmiş, olduğu gibi kalacak)",
  );
});

/** Stores a run that undoes another one, and has sent its update if `isSent`. */
async function storeUndo(
  connection: Connection,
  id: string,
  { undoOf, isSent = true }: { readonly undoOf: string; readonly isSent?: boolean },
): Promise<void> {
  const done = { to: "done", cause: "answer", productId: idSchemas.product.parse("p-1") } as const;
  const row = { cells: ["KOD-1"], action: "update", ...(isSent && { outcome: done }) } as const;
  await storeRun(connection, { id, command: "undo", header: ["Ürün Kodu"], rows: [row] });
  await connection.runs.update(id, { progress: { undoOf } });
}

const RUN = { id: RUN_ID, facts: null } as const;

const DONE = { to: "done", cause: "answer", productId: idSchemas.product.parse("p-1") } as const;
const SENT: StoredRow = { cells: ["KOD-1"], action: "update", outcome: DONE };
const PAYLOAD = { product_id: DONE.productId, stock_count: 1 };
const HELD: StoredRow = { cells: ["KOD-2"], state: "held", payload: PAYLOAD };
const SKIPPED: StoredRow = { cells: ["KOD-3"], state: "skipped" };
const UNCHANGED: StoredRow = { cells: ["KOD-4"], state: "unchanged" };

/** Stores a run with these rows, which undoes another one if it is given. */
async function storeRows(
  { connection }: { readonly connection: Connection },
  id: string,
  { rows, undoOf }: { readonly rows: readonly StoredRow[]; readonly undoOf?: string },
): Promise<void> {
  const coded = rows.map((row, at) => ({ ...row, cells: [`KOD-${at}`] }));
  await storeRun(connection, { id, command: "undo", header: ["Ürün Kodu"], rows: coded });
  if (undoOf !== undefined) await connection.runs.update(id, { progress: { undoOf } });
}

/** Sends a held row after the decision of a person. */
async function sendHeld({ journal }: Connection, row: number): Promise<void> {
  const key = { runId: RUN_ID, row };
  await journal.recordOutcome({ ...key, from: "held" }, { to: "ready", cause: "released-approve" });
  journal.beginSending(key);
  await journal.recordOutcome({ ...key, from: "sending" }, DONE);
}

const shareOf = (undo: RunUndo | undefined) =>
  undo && [undo.restored, undo.sent, isPartialUndo(undo)];

describe("how much of a run was undone", () => {
  it("is all of it where every row that was sent is as before", async () => {
    const test = await createTestConnection();
    await storeRows(test, RUN_ID, { rows: [SENT, SENT, HELD, SKIPPED] });
    await storeRows(test, "undo-1", { undoOf: RUN_ID, rows: [SENT, UNCHANGED] });

    expect(shareOf(await findUndo(test.connection, RUN))).toEqual([2, 2, false]);
  });

  it("is a part where rows were unticked or have changed since", async () => {
    const test = await createTestConnection();
    await storeRows(test, RUN_ID, { rows: [SENT, SENT, SENT] });
    await storeRows(test, "undo-1", { undoOf: RUN_ID, rows: [SENT, SKIPPED, HELD] });

    expect(shareOf(await findUndo(test.connection, RUN))).toEqual([1, 3, true]);
  });

  it("is a part where a held row is sent after the undo", async () => {
    const test = await createTestConnection();
    await storeRows(test, RUN_ID, { rows: [SENT, HELD] });
    await storeRows(test, "undo-1", { undoOf: RUN_ID, rows: [SENT] });
    await test.clock.advance(1000);
    await sendHeld(test.connection, 3);

    expect(shareOf(await findUndo(test.connection, RUN))).toEqual([1, 2, true]);
  });

  it("is a part where the price of a row is sent after its stock was undone", async () => {
    const test = await createTestConnection();
    const changes = [
      { field: "stock_count", old: 1, new: 2, part: "sent" },
      { field: "price", old: 100, new: 200 },
    ] as const;
    const split: StoredRow = { ...HELD, action: "update", changes };
    const planned = { add: 0, update: 0, unchanged: 0, invalid: 0, duplicate: 0, held: 1 };
    const facts = {
      readBy: "lookups",
      priceUnit: "minor",
      planned: { ...planned, stock: 1, requests: 1, seconds: 1 },
    } as const;
    await storeRows(test, RUN_ID, { rows: [split] });
    await storeRows(test, "undo-1", { undoOf: RUN_ID, rows: [SENT] });

    const before = await findUndo(test.connection, { ...RUN, facts });
    await test.clock.advance(1000);
    await sendHeld(test.connection, 2);
    const after = await findUndo(test.connection, { ...RUN, facts });

    expect([shareOf(before), shareOf(after)]).toEqual([
      [1, 1, false],
      [0, 1, true],
    ]);
  });

  it("counts what an undo of the undo has sent again", async () => {
    const test = await createTestConnection();
    await storeRows(test, RUN_ID, { rows: [SENT, SENT] });
    await storeRows(test, "undo-1", { undoOf: RUN_ID, rows: [SENT, SENT] });
    await storeRows(test, "undo-2", { undoOf: "undo-1", rows: [SENT, HELD] });

    expect(shareOf(await findUndo(test.connection, RUN))).toEqual([1, 2, true]);
  });
});

describe("findUndo", () => {
  it("finds the run that has taken back updates", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID });

    expect(await findUndo(connection, RUN)).toMatchObject({ run: { id: "undo-1" } });
    expect(await findUndo(connection, { ...RUN, id: "undo-1" })).toBeUndefined();
  });

  it("ignores an undo that was only planned", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID, isSent: false });

    expect(await findUndo(connection, RUN)).toBeUndefined();
  });

  it("ignores an undo that was undone", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID });
    await storeUndo(connection, "undo-2", { undoOf: "undo-1" });

    expect(await findUndo(connection, RUN)).toBeUndefined();
  });
});

describe("findRowUndo", () => {
  it("finds the run that has restored the row, and its row", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID });
    const [stored] = await connection.journal.readRows("undo-1", { limit: 1 });
    const row = stored?.row ?? 0;

    const found = await findRowUndo(connection, { id: RUN_ID }, row);

    expect(found).toMatchObject({ run: { id: "undo-1" }, record: { row, state: "done" } });
    expect(await findRowUndo(connection, { id: RUN_ID }, row + 1)).toBeUndefined();
  });

  it("ignores a row that was not sent, and one whose undo was undone", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID, isSent: false });
    await storeUndo(connection, "undo-2", { undoOf: RUN_ID });
    await storeUndo(connection, "undo-3", { undoOf: "undo-2" });
    const [stored] = await connection.journal.readRows("undo-2", { limit: 1 });

    expect(await findRowUndo(connection, { id: RUN_ID }, stored?.row ?? 0)).toBeUndefined();
  });
});
