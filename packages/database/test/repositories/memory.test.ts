import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createImageCheckCache,
  createNameCache,
  createNoteRepository,
  createProfileRepository,
  type Profile,
} from "../../src/repositories/memory.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { OTHER_STORE } from "../helpers/runs-and-rows.ts";

const unitSchema = z.tuple([z.enum(["minor", "major"]), z.string()]);

describe("createNoteRepository", () => {
  it("reads the notes that were saved, from every process that opens the file", async () => {
    const { database, clock, path } = await openTestJournal();
    const elsewhere = await openTestJournal({ path, clock, runs: [] });

    await createNoteRepository(database, clock).saveNotes({ unit: ["minor", "sent"], other: 7 });

    const notes = createNoteRepository(elsewhere.database, clock);
    expect(await notes.readNote("unit", unitSchema)).toEqual(["minor", "sent"]);
    expect(await notes.readNote("other", z.number())).toBe(7);
    expect(await notes.readNote("unheard of", z.unknown())).toBeUndefined();
  });

  it("returns nothing for a note that does not match the schema", async () => {
    const { database, clock } = await openTestJournal();
    const notes = createNoteRepository(database, clock);
    await notes.saveNotes({ unit: ["euro", "sent"] });

    expect(await notes.readNote("unit", unitSchema)).toBeUndefined();
  });

  it("returns nothing for a note of the maximum age, and any note without one", async () => {
    const { database, clock } = await openTestJournal();
    const notes = createNoteRepository(database, clock);
    await notes.saveNotes({ other: 7 });

    await clock.advance(1_000);

    expect(await notes.readNote("other", z.number(), 1_000)).toBeUndefined();
    expect(await notes.readNote("other", z.number(), 1_001)).toBe(7);
    expect(await notes.readNote("other", z.number())).toBe(7);
  });
});

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

  it("forgets lists of one kind that are too old", async () => {
    const { database, clock } = await openTestJournal();
    const names = createNameCache(database, clock);
    await names.write("a search 1", []);
    await names.write("a models 1", []);
    await clock.advance(1_000);
    await names.write("a search 2", []);

    await names.forget("a search ", 1_000);

    const keys = ["a search 1", "a models 1", "a search 2"];
    const found = await Promise.all(keys.map((key) => names.read(key, 5_000)));
    expect(found).toEqual([undefined, [], []]);
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

const profile = (name: string, headerKey: string, rest: Partial<Profile> = {}): Profile => ({
  name,
  headerKey,
  headers: ["Kod", "Ücret"],
  columns: { Ücret: "price" },
  constants: { stock: "5" },
  decimal: "comma",
  learntFrom: "fiyat.csv",
  ...rest,
});

describe("createProfileRepository", () => {
  it("reads a profile by its name and its headers, from every process", async () => {
    const store = await openTestJournal();
    await createProfileRepository(store).save(profile("erp", "h-1"));
    await createProfileRepository(store).save(profile("erp", "h-2", { decimal: null }));

    const elsewhere = createProfileRepository(
      await openTestJournal({ path: store.path, runs: [] }),
    );
    expect(await elsewhere.read("erp", "h-1")).toEqual(profile("erp", "h-1"));
    expect(await elsewhere.read("erp", "h-3")).toBeUndefined();
    expect(await elsewhere.list()).toHaveLength(2);
  });

  it("finds the latest profile for some headers, and does not list nameless ones", async () => {
    const store = await openTestJournal();
    const repository = createProfileRepository(store);
    await repository.save(profile("erp", "h-1"));
    await store.clock.advance(10);
    await repository.save(profile("", "h-1", { constants: {} }));

    expect(await repository.readLatest("h-1")).toEqual(profile("", "h-1", { constants: {} }));
    expect((await repository.list()).map(({ name }) => name)).toEqual(["erp"]);
  });

  it("replaces a profile of the same name and headers, and deletes all profiles of a name", async () => {
    const repository = createProfileRepository(await openTestJournal());
    await repository.save(profile("erp", "h-1"));
    await repository.save(profile("erp", "h-1", { decimal: "point" }));
    await repository.save(profile("erp", "h-2"));

    expect((await repository.read("erp", "h-1"))?.decimal).toBe("point");
    expect([await repository.remove("erp"), await repository.remove("erp")]).toEqual([2, 0]);
  });

  it("keeps the profiles of stores apart", async () => {
    const store = await openTestJournal();
    await createProfileRepository(store).save(profile("erp", "h-1"));

    expect(
      await createProfileRepository({ ...store, store: OTHER_STORE }).readLatest("h-1"),
    ).toBeUndefined();
  });
});
