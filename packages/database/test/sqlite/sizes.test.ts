import { describe, expect, it } from "vitest";

import { estimateFreedBytes, readSizes, SIZE_KINDS } from "../../src/index.ts";
import { KEEP_MS, openPruning } from "../helpers/open-pruning.ts";

describe("the sizes of a database", () => {
  it("add up to the file", async () => {
    const { database } = await openPruning();

    const { fileBytes, freeBytes, kinds } = await readSizes(database);

    const sum = SIZE_KINDS.reduce((all, kind) => all + kinds[kind], freeBytes);
    // Maps of pages belong to no table.
    expect(fileBytes - sum).toBeGreaterThanOrEqual(0);
    expect(fileBytes - sum).toBeLessThanOrEqual(2 * 16_384);
  });

  it("count rows in tables and in the archive", async () => {
    const store = await openPruning();
    await store.create("run-1");
    for (const row of [1, 2, 3]) await store.send({ runId: "run-1", row, code: `C-${row}` });
    await store.finish("run-1");
    await store.goOn();
    const before = await readSizes(store.database);

    await store.pass(1);

    expect(before).toMatchObject({ tableRows: 4, archivedRows: 0 });
    // The rows of adds stay in their table, too.
    expect(await readSizes(store.database)).toMatchObject({ tableRows: 4, archivedRows: 3 });
  });

  it("tell roughly what pruning would free, whether rows are archived or not", async () => {
    const store = await openPruning();
    for (const runId of ["run-1", "run-2"]) {
      await store.create(runId);
      await store.send({ runId, row: 1, code: runId });
      await store.finish(runId);
    }
    await store.goOn();
    await store.clock.advance(KEEP_MS + 1);
    const due = await store.pruner.listDue(KEEP_MS);
    await store.pruner.advance(10 * KEEP_MS);
    await store.pruner.advance(10 * KEEP_MS);
    const archived = await store.pruner.listDue(KEEP_MS);

    const sizes = await readSizes(store.database);

    const bytes = [due, archived].map((runs) => estimateFreedBytes(runs, sizes));

    expect(bytes[0]).toBeGreaterThan(0);
    expect(bytes[1]).toBeGreaterThan(0);
    expect(estimateFreedBytes([], sizes)).toBe(0);
  });
});
