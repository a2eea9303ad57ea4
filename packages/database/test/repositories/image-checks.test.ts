import { describe, expect, it } from "vitest";

import { createPictureMemory } from "../../src/index.ts";
import { openStore } from "../helpers/open-test-journal.ts";

const DAY_MS = 86_400_000;

describe("createPictureMemory", () => {
  it("reads what was written last, from every process that opens the file", async () => {
    const { database, clock, path } = await openStore();
    const elsewhere = await openStore({ path, clock, runs: [] });
    const memory = createPictureMemory(database, clock);

    await memory.write("address:a", { atMs: 1 });
    await memory.write("address:a", { atMs: 2, problem: { code: "E_IMG_TYPE" } });

    const other = createPictureMemory(elsewhere.database, clock);
    expect(await other.read("address:a")).toEqual({ atMs: 2, problem: { code: "E_IMG_TYPE" } });
    expect(await other.read("address:b")).toBeUndefined();
  });

  it("deletes entries that were not written for 90 days, and no younger ones", async () => {
    const { database, clock } = await openStore();
    await createPictureMemory(database, clock).write("old", {});
    await clock.advance(DAY_MS);
    await createPictureMemory(database, clock).write("young", {});
    await clock.advance(90 * DAY_MS);

    const memory = createPictureMemory(database, clock);
    await memory.write("new", {});

    expect(await memory.read("old")).toBeUndefined();
    expect(await memory.read("young")).toEqual({});
  });
});
