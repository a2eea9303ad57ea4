import type { Connection } from "@catalog/connection";
import { createTestConnection, RUN_ID, storeRun } from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { findRowUndo, findUndo } from "../../../src/apply/release/find-undo.ts";

/** Stores a run that undoes another one, and has sent its update if `isSent`. */
async function storeUndo(
  connection: Connection,
  id: string,
  { undoOf, isSent = true }: { readonly undoOf: string; readonly isSent?: boolean },
): Promise<void> {
  const done = { to: "done", cause: "answer", productId: productId.parse("p-1") } as const;
  const row = { cells: ["KOD-1"], action: "update", ...(isSent && { outcome: done }) } as const;
  await storeRun(connection, { id, command: "undo", header: ["Ürün Kodu"], rows: [row] });
  await connection.runs.update(id, { progress: { undoOf } });
}

describe("findUndo", () => {
  it("finds the run that has taken back updates", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID });

    expect(await findUndo(connection, { id: RUN_ID })).toMatchObject({ id: "undo-1" });
    expect(await findUndo(connection, { id: "undo-1" })).toBeUndefined();
  });

  it("ignores an undo that was only planned", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID, isSent: false });

    expect(await findUndo(connection, { id: RUN_ID })).toBeUndefined();
  });

  it("ignores an undo that was undone", async () => {
    const { connection } = await createTestConnection();
    await storeUndo(connection, "undo-1", { undoOf: RUN_ID });
    await storeUndo(connection, "undo-2", { undoOf: "undo-1" });

    expect(await findUndo(connection, { id: RUN_ID })).toBeUndefined();
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
