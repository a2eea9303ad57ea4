import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { describe, expect, it, onTestFinished } from "vitest";

import { findConfigFile } from "../../src/settings/config-file.ts";
import type { Config } from "../../src/settings/config-schema.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const OPTIONS = { homeFolder: "/home/nobody", userId: process.getuid?.() };

const read = async (cwd: string): Promise<Config | undefined> =>
  (await findConfigFile(cwd, OPTIONS))?.config;

describe("findConfigFile", () => {
  it.each([
    ["catalog.config.json", '{"storeId": "s-1", "lang": "en", "concurrency": 2}'],
    ["catalog.config.yaml", "storeId: s-1\nlang: en\nconcurrency: 2\n"],
    ["catalog.config.yml", "storeId: s-1\nlang: en\nconcurrency: 2\n"],
  ])("reads %s", async (name, text) => {
    const folder = createFolder({ [name]: text });

    expect(await read(folder)).toEqual({ storeId: "s-1", lang: "en", concurrency: 2 });
  });

  it.each([".git", "package.json"])(
    "finds the file of a folder above, up to the one with %s, with its default home beside it",
    async (mark) => {
      const folder = createFolder({ "catalog.config.json": '{"home": "durum"}', [mark]: "" });
      mkdirSync(join(folder, "listeler", "ocak"), { recursive: true });

      expect(await read(join(folder, "listeler", "ocak"))).toEqual({
        home: join(folder, "durum"),
      });
    },
  );

  it("searches up to the project's folder, and outside a project up to the root", async () => {
    const folder = createFolder({
      "catalog.config.json": '{"home": "durum"}',
      "indirilen/.git/HEAD": "",
      "indirilen/alt/a.csv": "",
      "yalniz/a.csv": "",
    });

    expect(await read(join(folder, "indirilen", "alt"))).toBeUndefined();
    expect(await read(join(folder, "yalniz"))).toEqual({ home: join(folder, "durum") });
  });

  it("does not search above the person's home", async () => {
    const folder = createFolder({
      "catalog.config.json": "{}",
      "package.json": "",
      "ev/a.csv": "",
    });
    const options = { homeFolder: join(folder, "ev"), userId: process.getuid?.() };

    expect(await findConfigFile(join(folder, "ev"), options)).toBeUndefined();
  });

  it("runs no program of the working folder", async () => {
    const folder = createFolder({
      ".config/config.cjs": "globalThis.CONFIG_CANARY = true; module.exports = {};",
      ".config/config.js": "globalThis.CONFIG_CANARY = true; export default {};",
      "package.json": '{"cosmiconfig": {"searchPlaces": ["other.json"]}}',
      "catalog.config.json": '{"storeId": "s-1"}',
      "other.json": '{"storeId": "s-2"}',
    });
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);

    expect(await read(folder)).toEqual({ storeId: "s-1" });
    expect("CONFIG_CANARY" in globalThis).toBe(false);
  });

  it("identifies a file by its path and content, and a link by its own path", async () => {
    const folder = createFolder({
      "a/catalog.config.json": "{}",
      "b/x": "",
      "c/catalog.config.json": " {}",
    });
    symlinkSync(join(folder, "a", "catalog.config.json"), join(folder, "b", "catalog.config.json"));
    symlinkSync(join(folder, "a"), join(folder, "d"));

    const [a, b, c, d] = await Promise.all(
      ["a", "b", "c", "d"].map((name) => findConfigFile(join(folder, name), OPTIONS)),
    );

    expect(a?.sha256).toBe(b?.sha256);
    expect(a?.sha256).not.toBe(c?.sha256);
    expect(b?.path).toBe(join(realpathSync(folder), "b", "catalog.config.json"));
    expect(d).toEqual(a);
  });

  it.skipIf(process.getuid === undefined)("recognizes a file that others can change", async () => {
    const folder = createFolder({ "catalog.config.json": "{}" });
    const path = join(folder, "catalog.config.json");
    const modes = [0o644, 0o664, 0o666];

    const found = [];
    for (const mode of modes) {
      chmodSync(path, mode);
      found.push((await findConfigFile(folder, OPTIONS))?.isForeign);
    }

    expect(found).toEqual([false, false, true]);
  });

  it.skipIf(process.getuid === undefined)(
    "ignores another user's file above the working folder",
    async () => {
      const folder = createFolder({ "catalog.config.json": "no json", "alt/a.csv": "" });
      chmodSync(join(folder, "catalog.config.json"), 0o666);

      expect(await read(join(folder, "alt"))).toBeUndefined();
      await expect(read(folder)).rejects.toThrow(UsageError);
    },
  );

  it("returns no settings without a file, and for an empty one", async () => {
    expect(await read(createFolder())).toBeUndefined();
    expect(await read(createFolder({ "catalog.config.json": "{}" }))).toEqual({});
  });

  it.each([
    ["an unknown key", '{"baseURL": "https://a.example"}', "baseURL"],
    ["a secret", '{"clientSecret": "SECRET-CANARY"}', "clientSecret"],
    ["a language that there is none of", '{"lang": "de"}', "lang"],
    ["no calls at a time", '{"concurrency": 0}', "concurrency"],
    ["a broken number of calls", '{"requestsPerHour": 1.5}', "requestsPerHour"],
    ["a number for a text", '{"storeId": 5}', "storeId"],
    ["more than a person reads", `{"storeId": "${"x".repeat(70_000)}"}`, "65536"],
    ["a list", "[]", "catalog.config.json"],
    ["half a document", '{"storeId": ', "catalog.config.json"],
  ])("refuses %s, and names it and the file", async (_name, text, output) => {
    const folder = createFolder({ "catalog.config.json": text });

    const reading = read(folder);

    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toThrow(output);
    await expect(reading).rejects.toThrow(folder);
    await expect(reading).rejects.not.toThrow("SECRET-CANARY");
  });
});
