import { describe, expect, it } from "vitest";

import { createImageCheckCache } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

const DAY_MS = 86_400_000;

describe("createImageCheckCache", () => {
  it("reads what was written last, from every process that opens the file", async () => {
    const { database, clock, path } = await openTestJournal();
    const elsewhere = await openTestJournal({ path, clock, runs: [] });
    const cache = createImageCheckCache(database, clock);

    await cache.write("address:a", { atMs: 1 });
    await cache.write("address:a", { atMs: 2, problem: { code: "E_IMG_TYPE" } });

    const other = createImageCheckCache(elsewhere.database, clock);
    expect(await other.read("address:a")).toEqual({ atMs: 2, problem: { code: "E_IMG_TYPE" } });
    expect(await other.read("address:b")).toBeUndefined();
  });

  it("deletes entries that were not written for 90 days, and no younger ones", async () => {
    const { database, clock } = await openTestJournal();
    await createImageCheckCache(database, clock).write("old", {});
    await clock.advance(DAY_MS);
    await createImageCheckCache(database, clock).write("young", {});
    await clock.advance(90 * DAY_MS);

    const cache = createImageCheckCache(database, clock);
    await cache.write("new", {});

    expect(await cache.read("old")).toBeUndefined();
    expect(await cache.read("young")).toEqual({});
  });
});
