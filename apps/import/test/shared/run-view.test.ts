import {
  createTestConnection,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { countDecided } from "../../src/run-view.ts";

const ROWS = 1_200;

/** A run with rows 2 to 1201, of which every second is held. */
async function countOf(rows: readonly number[]) {
  const { connection } = await createTestConnection();
  await storeRun(connection, {
    header: ["Ürün Kodu"],
    rows: Array.from({ length: ROWS }, (_, at): StoredRow => ({
      cells: [`K-${at}`],
      state: at % 2 === 0 ? "held" : "unchanged",
    })),
  });
  let reads = 0;
  const { journal } = connection;
  const readRows: typeof journal.readRows = (id, filter) => {
    reads += 1;
    return journal.readRows(id, filter);
  };
  const counts = await countDecided({ journal: { ...journal, readRows } }, { id: RUN_ID }, rows);
  return { held: counts.held, unchanged: counts.unchanged, rows: counts.rows, reads };
}

it("counts rows that stand together with few readings", async () => {
  const all = Array.from({ length: ROWS }, (_, at) => at + 2);

  expect(await countOf(all)).toEqual({ held: 600, unchanged: 600, rows: 1_200, reads: 3 });
});

it("counts each row once, in any order, and no row that the run lacks", async () => {
  expect(await countOf([1_200, 3, 3, 2, 9_999])).toEqual({
    held: 2,
    unchanged: 1,
    rows: 3,
    reads: 3,
  });
});
