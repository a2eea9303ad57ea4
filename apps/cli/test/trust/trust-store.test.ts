import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import {
  createTrustStore,
  type TrustedFile,
  type TrustStore,
} from "../../src/trust/trust-store.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const openStore = (): TrustStore =>
  createTrustStore({ folder: join(createFolder(), "kept"), ownerId: process.getuid?.() });

const fileAt = (path: string, sha256 = "a1"): TrustedFile => ({
  path,
  sha256,
  at: "2026-11-22T10:00:00.000Z",
});

describe("createTrustStore", () => {
  it("stores one content for each path, until it is removed", async () => {
    const store = openStore();

    await store.add(fileAt("/a", "old"));
    await store.add(fileAt("/b"));
    await store.add(fileAt("/a", "new"));

    expect(await store.list()).toEqual([fileAt("/b"), fileAt("/a", "new")]);
    expect([await store.forget("/a"), await store.forget("/a")]).toEqual([true, false]);
    expect(await store.list()).toEqual([fileAt("/b")]);
  });

  it.skipIf(process.getuid === undefined)(
    "writes a file that only its owner can access",
    async () => {
      const store = openStore();

      await store.add(fileAt("/a"));

      expect(statSync(store.path).mode & 0o777).toBe(0o600);
      expect(statSync(join(store.path, "..")).mode & 0o777).toBe(0o700);
    },
  );

  it.skipIf(process.getuid === undefined)("refuses a file that others can write", async () => {
    const store = openStore();
    await store.add(fileAt("/a"));
    chmodSync(store.path, 0o620);

    await expect(store.list()).rejects.toThrow(UsageError);
    await expect(store.list()).rejects.toThrow(store.path);
  });

  it.each(["no json", "[]", '{"files": [{"path": 5}]}'])("refuses a file with %s", async (text) => {
    const store = openStore();
    await store.add(fileAt("/a"));
    writeFileSync(store.path, text);

    await expect(store.add(fileAt("/b"))).rejects.toThrow(UsageError);
    expect(readFileSync(store.path, "utf8")).toBe(text);
  });
});
