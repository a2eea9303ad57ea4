import { describe, expect, it } from "vitest";

import { createNameCache } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

const BRANDS = [
  { id: "b-1", name: "Şişecam", parents: ["c-1"] },
  { id: "b-2", name: "İpek", parents: [] },
];

describe("createNameCache", () => {
  it("reads what was written, from every process that opens the file", async () => {
    const { database, clock, path } = await openTestJournal();
    const elsewhere = await openTestJournal({ path, clock, runs: [] });

    await createNameCache(database, clock).write("brands c-1", BRANDS);

    const names = createNameCache(elsewhere.database, clock);
    expect(await names.read("brands c-1", 1)).toEqual(BRANDS);
    expect(await names.read("brands c-2", 1)).toBeUndefined();
  });

  it("tells an empty list from an unknown one", async () => {
    const { database, clock } = await openTestJournal();
    const names = createNameCache(database, clock);

    await names.write("models", []);

    expect(await names.read("models", 1)).toEqual([]);
  });

  it("returns no list that is too old, until it is written again", async () => {
    const { database, clock } = await openTestJournal();
    const names = createNameCache(database, clock);
    await names.write("brands", BRANDS);

    await clock.advance(999);
    expect(await names.read("brands", 1_000)).toEqual(BRANDS);
    await clock.advance(1);
    expect(await names.read("brands", 1_000)).toBeUndefined();
    expect(await names.read("brands", 1_001)).toEqual(BRANDS);

    await names.write("brands", BRANDS.slice(1));
    expect(await names.read("brands", 1_000)).toEqual(BRANDS.slice(1));
  });
});
