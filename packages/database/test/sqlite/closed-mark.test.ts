import { copyFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openDatabase } from "../../src/index.ts";
import { isAsClosed, markClosed } from "../../src/sqlite/file.ts";
import { checkFile } from "../../src/sqlite/maintenance.ts";
import { damagePage } from "../helpers/damage-page.ts";
import { openRaw } from "../helpers/raw.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

async function closeFile(): Promise<string> {
  const path = join(temporaryFolder(), "catalog.db");
  (await openDatabase(path)).close();
  return path;
}

const EVENTS: readonly [what: string, play: (path: string) => void][] = [
  ["was left with its log by a killed process", (path) => writeFileSync(`${path}-wal`, "")],
  ["was cut", (path) => truncateSync(path, 20_000)],
  ["was written to", (path) => utimesSync(path, 1, 1)],
  [
    "was replaced with a copy of itself",
    (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ["was closed before the machine stopped", (path) => writeFileSync(`${path}.closed`, "1 2 3 4 5")],
  ["has lost its mark", (path) => rmSync(`${path}.closed`)],
];

describe("isAsClosed", () => {
  it("knows a file that the last process has closed", async () => {
    const path = await closeFile();

    expect(isAsClosed(path)).toBe(true);
  });

  for (const [what, play] of EVENTS) {
    it(`does not trust a file that ${what}`, async () => {
      const path = await closeFile();
      play(path);

      expect(isAsClosed(path)).toBe(false);
    });
  }

  it("does not trust a file that another process has still open", async () => {
    const path = await closeFile();
    using other = await openDatabase(path);

    (await openDatabase(path)).close();

    expect([other.path, isAsClosed(path)]).toEqual([path, false]);
  });

  it("saves the check of the whole file, which finds a damaged page", async () => {
    const path = await closeFile();
    const raw = openRaw(path);
    const [table] = raw.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'feed_product'");
    raw.close();
    damagePage(path, Number(table?.["rootpage"]));
    await expect(openDatabase(path)).rejects.toMatchObject({ code: "E_DATABASE_DAMAGED" });

    markClosed(path);

    using database = await openDatabase(path);
    expect(() => checkFile(database)).toThrow("malformed");
  });
});
