import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createNoteRepository } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

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
