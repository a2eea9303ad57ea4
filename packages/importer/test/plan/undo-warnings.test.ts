import { createTestConnection, type StoredRow, storeRun } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { warnOfUndo } from "../../src/plan/undo-warnings.ts";

const UNDO = { restore: 1, already: 0, kept: 0, "not-undoable": 0 };

async function warn(states: readonly NonNullable<StoredRow["state"]>[]) {
  const { connection } = await createTestConnection();
  const rows = states.map((state, at): StoredRow => ({ cells: [`K-${at}`], state }));
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  return { id: run.id, warnings: await warnOfUndo(connection, run, UNDO) };
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
