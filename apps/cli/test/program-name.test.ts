import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

import { describe, expect, it } from "vitest";

import { findProgramName } from "../src/program-name.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

async function setUp() {
  const root = createFolder();
  const bin = join(root, "shop", "node_modules", ".bin");
  const deep = join(root, "shop", "lists", "2026");
  const installed = join(root, "usr bin");
  for (const folder of [bin, deep, installed]) await mkdir(folder, { recursive: true });
  await writeFile(join(bin, "catalog"), "");
  const ask = (path: string, cwd: string): string =>
    findProgramName({ path, cwd, entry: join(installed, "catalog.js"), platform: "linux" });
  return { root, bin, deep, installed, ask };
}

describe("findProgramName", () => {
  it("is npx catalog in a checkout and in its folders, though npx puts it on the path", async () => {
    const { bin, deep, installed, ask } = await setUp();

    expect(ask([bin, installed].join(delimiter), deep)).toBe("npx catalog");
  });

  it("is catalog where the shell finds it", async () => {
    const { deep, installed, ask } = await setUp();
    await writeFile(join(installed, "catalog"), "");

    expect(ask(installed, deep)).toBe("catalog");
  });

  it("is node with the file elsewhere", async () => {
    const { root, installed, ask } = await setUp();

    expect(ask("", root)).toBe(`node "${join(installed, "catalog.js")}"`);
  });
});
