import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { replaceFile } from "../src/replace-file.ts";
import { temporaryFolder } from "./helpers/files.ts";

describe("replaceFile", () => {
  it("puts the new file in the place of the old one", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "a.txt");
    writeFileSync(path, "old");

    await replaceFile(path, async (temporaryPath) => {
      await writeFile(temporaryPath, "new");
      expect(readFileSync(path, "utf8")).toBe("old");
    });

    expect(readFileSync(path, "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it("leaves the old file and nothing else when the writing fails", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "a.txt");
    writeFileSync(path, "old");

    const replaced = replaceFile(path, async (temporaryPath) => {
      await writeFile(temporaryPath, "half");
      throw new Error("no more rows");
    });

    await expect(replaced).rejects.toThrow("no more rows");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });
});
