import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { discardFile, openDatabase } from "../../src/index.ts";
import { openRaw } from "../helpers/raw.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { writeUnreleased } from "../helpers/write-unreleased.ts";

it("moves a file from before version 1.0 away, so that the next one counts as an older copy", async () => {
  const path = join(temporaryFolder(), "catalog.db");
  writeUnreleased(path);
  writeFileSync(`${path}.generation`, "41");

  const kept = discardFile(path);

  expect(kept).toBe(`${path}.discarded.db`);
  expect(openRaw(`${path}.discarded.db`).rows("PRAGMA user_version")).toEqual([
    { user_version: 30 },
  ]);
  using database = await openDatabase(path);
  expect(database.isRestored).toBe(true);
});

it("does not write over a file that was moved away before", () => {
  const path = join(temporaryFolder(), "catalog.db");
  writeUnreleased(path);
  writeFileSync(`${path}.discarded.db`, "kept");

  expect(() => discardFile(path)).toThrow("before 1.0");
  expect(existsSync(path)).toBe(true);
});

it("leaves a file of this version where it is", async () => {
  const path = join(temporaryFolder(), "catalog.db");
  (await openDatabase(path)).close();

  expect(discardFile(path)).toBeUndefined();
  expect(existsSync(path)).toBe(true);
});
