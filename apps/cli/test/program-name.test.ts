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
  await writeFile(join(bin, "catalog-toolkit"), "");
  const node = join(root, "node 24", "node");
  const ask = (path: string, cwd?: string, entry = join(installed, "catalog.js")): string =>
    findProgramName({ path, cwd, node, entry, platform: "linux" });
  return { root, bin, deep, installed, node, ask };
}

describe("findProgramName", () => {
  it("is npx catalog-toolkit in a checkout and in its folders, though npx puts it on the path", async () => {
    const { bin, deep, installed, ask } = await setUp();

    expect(ask([bin, installed].join(delimiter), deep)).toBe("npx catalog-toolkit");
  });

  it("is catalog where the shell finds it", async () => {
    const { deep, installed, ask } = await setUp();
    await writeFile(join(installed, "catalog"), "");
    await writeFile(join(installed, "catalog-toolkit"), "");

    expect(ask(installed, deep)).toBe("catalog");
  });

  it("is not the catalog of another package on the path", async () => {
    const { deep, installed, ask } = await setUp();
    await writeFile(join(installed, "catalog"), "");

    expect(ask(installed, deep)).toBe("npx catalog-toolkit");
  });

  it("is the command of the program's own checkout elsewhere, by its path", async () => {
    const { root, bin, deep, ask } = await setUp();
    await writeFile(join(bin, "node"), "");

    const entry = join(deep, "catalog.js");

    expect([ask("", root, entry), ask("", undefined, entry)]).toEqual([
      join(bin, "catalog-toolkit"),
      join(bin, "catalog-toolkit"),
    ]);
  });

  it("is the command of an installed package that is not on the path", async () => {
    const { root, ask } = await setUp();
    const bin = join(root, "tool", "bin");
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "catalog.js"), "");

    expect(ask("", undefined, join(root, "tool", "program", "catalog.js"))).toBe(
      join(bin, "catalog.js"),
    );
  });

  it("is the Node that runs with the file, where the command would start that of the shell", async () => {
    const { root, deep, installed, node, ask } = await setUp();

    expect(ask("", root)).toBe(`"${node}" "${join(installed, "catalog.js")}"`);
    expect(ask("", root, join(deep, "catalog.js"))).toBe(`"${node}" ${join(deep, "catalog.js")}`);
  });
});
