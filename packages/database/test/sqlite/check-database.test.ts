import { readFileSync, writeFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { checkDatabase, openDatabase, StoreError } from "../../src/index.ts";
import { openStore } from "../helpers/open-test-journal.ts";

/** What is wrong with a file, whether it is said or thrown. */
async function complaintsOf(path: string): Promise<readonly string[]> {
  try {
    using database = await openDatabase(path);
    return checkDatabase(database);
  } catch (error) {
    if (error instanceof StoreError) return [error.message];
    throw error;
  }
}

describe("checkDatabase", () => {
  it("has nothing to say of a sound file", async () => {
    const { database } = await openStore();

    expect(checkDatabase(database)).toEqual([]);
  });

  it("notices a damaged page", async () => {
    const { database, path } = await openStore();
    database.close();
    const bytes = readFileSync(path);
    // The first page says what there is; everything behind it is overwritten.
    writeFileSync(path, bytes.fill(0xff, 4096));

    expect(await complaintsOf(path)).not.toEqual([]);
  });
});
