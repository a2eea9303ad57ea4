import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  assertLocal,
  readFreeBytes,
  toNetworkName,
  watchDatabaseFile,
} from "../../src/sqlite/file.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { appendRow } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const openOn = (type: number): void => assertLocal("/home/a/catalog.db", () => type);

describe("assertLocal", () => {
  const CASES = [
    [0x6969, "NFS"],
    [0xfe534d42, "SMB2"],
    [0xff534d42, "CIFS"],
    [0x01021997, "9p"],
    [0x65735546, "FUSE"],
  ] as const;
  for (const [type, name] of CASES) {
    it(`refuses ${name}`, () => {
      const refusal = expect.objectContaining({ code: "E_DATABASE_NETWORK" });

      expect(() => openOn(type)).toThrow(refusal);
      expect(() => openOn(type)).toThrow(`/home/a: ${name}`);
    });
  }

  for (const [name, type] of [
    ["ext4", 0xef53],
    ["tmpfs", 0x01021994],
    ["btrfs", 0x9123683e],
    ["xfs", 0x58465342],
    ["overlay", 0x794c7630],
    ["APFS, which has no number here", 0x1a],
  ] as const) {
    it(`accepts ${name}`, () => {
      expect(toNetworkName(type)).toBeUndefined();
    });
  }

  it("accepts the folder that the tests run in", () => {
    const path = join(temporaryFolder(), "catalog.db");

    expect(() => assertLocal(path)).not.toThrow();
    expect(readFreeBytes(path)).toBeGreaterThan(0);
  });
});

describe("watchDatabaseFile", () => {
  it("passes while the file is written to, and throws when another file is in its place", () => {
    const folder = temporaryFolder();
    const path = join(folder, "catalog.db");
    writeFileSync(path, "1");
    const assertFileUnmoved = watchDatabaseFile(path);
    writeFileSync(path, "2");
    expect(assertFileUnmoved).not.toThrow();

    writeFileSync(join(folder, "copy"), "3");
    renameSync(join(folder, "copy"), path);

    expect(assertFileUnmoved).toThrow(expect.objectContaining({ code: "E_DATABASE_REPLACED" }));
  });

  it("lets a database write nothing more once its file was moved away", async () => {
    const { path, journal } = await openTestJournal();
    mkdirSync(`${path}.away`);
    renameSync(path, join(`${path}.away`, "catalog.db"));

    const appending = appendRow(journal, { runId: "run-1", row: 1 });

    await expect(appending).rejects.toMatchObject({ code: "E_DATABASE_REPLACED" });
  });
});
