import { readFileSync, writeFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { checkDatabase, openDatabase, DatabaseError } from "../../src/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";

/** Returns what is wrong with a file, whether it is returned or thrown. */
async function complaintsOf(path: string): Promise<readonly string[]> {
  try {
    using database = await openDatabase(path);
    return await checkDatabase(database);
  } catch (error) {
    if (error instanceof DatabaseError) return [error.message];
    throw error;
  }
}

describe("checkDatabase", () => {
  it("returns nothing for a sound file", async () => {
    const { database } = await openTestJournal();

    expect(await checkDatabase(database)).toEqual([]);
  });

  it("detects a damaged page", async () => {
    const { database, path } = await openTestJournal();
    database.close();
    const bytes = readFileSync(path);
    // The first page holds the header and stays; everything behind it is overwritten.
    writeFileSync(path, bytes.fill(0xff, 4096));

    expect(await complaintsOf(path)).not.toEqual([]);
  });
});
