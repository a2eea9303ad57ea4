import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { findProgramName, readRegistry, readToolVersion } from "../src/installation.ts";
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

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const COMMIT = "ec20e6c8b1a2f3d4e5f60718293a4b5c6d7e8f90";
const OTHER = "0".repeat(40);
const ROOT = { "package.json": '{"name":"catalog-toolkit"}' };

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly isKnown: boolean;
}

const cases: readonly Case[] = [
  {
    name: "the file beside a packed program",
    files: { "out/catalog/build.json": `{"commit":"${COMMIT}"}` },
    isKnown: true,
  },
  {
    name: "a branch of the checkout",
    files: { ...ROOT, ".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": `${COMMIT}\n` },
    isKnown: true,
  },
  {
    name: "a branch that git has packed",
    files: {
      ...ROOT,
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/packed-refs": `# pack-refs\n${OTHER} refs/heads/not/main\n${COMMIT} refs/heads/main\n`,
    },
    isKnown: true,
  },
  { name: "a commit of its own", files: { ...ROOT, ".git/HEAD": `${COMMIT}\n` }, isKnown: true },
  {
    name: "a worktree",
    files: {
      ...ROOT,
      ".git": "gitdir: main/worktrees/docs\n",
      "main/worktrees/docs/HEAD": "ref: refs/heads/topic\n",
      "main/worktrees/docs/commondir": "../..\n",
      "main/refs/heads/topic": `${COMMIT}\n`,
    },
    isKnown: true,
  },
  { name: "a copy without git", files: ROOT, isKnown: false },
  {
    name: "a repository without a commit",
    files: { ...ROOT, ".git/HEAD": "ref: refs/heads/main\n" },
    isKnown: false,
  },
  {
    name: "a program that is installed in the repository of somebody else",
    files: { "package.json": '{"name":"shop"}', ".git/HEAD": `${OTHER}\n` },
    isKnown: false,
  },
  {
    name: "a packed program that was made without git",
    files: { "out/catalog/build.json": '{"commit":""}' },
    isKnown: false,
  },
  {
    name: "a file beside it that cannot be read",
    files: { "out/catalog/build.json": "null" },
    isKnown: false,
  },
];

describe("readToolVersion", () => {
  it.each(cases)("reads the commit of $name: $isKnown", ({ files, isKnown }) => {
    const folder = createFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }

    const found = readToolVersion(join(folder, "out", "catalog"));

    expect(found).toBe(isKnown ? `${version} (ec20e6c8)` : version);
  });
});

describe("readRegistry", () => {
  const NAME = "catalog-toolkit";

  /** A package as it is installed; `note` is what npm writes beside the packages of a project. */
  function install(isLocal: boolean, resolved?: string): string {
    const root = createFolder();
    const modules = join(root, "node_modules");
    mkdirSync(join(modules, NAME, "program"), { recursive: true });
    writeFileSync(join(modules, NAME, "package.json"), JSON.stringify({ name: NAME }));
    if (isLocal) writeFileSync(join(root, "package.json"), "{}");
    const packages = { [`node_modules/${NAME}`]: { resolved } };
    if (resolved !== undefined) {
      writeFileSync(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
    }
    return join(modules, NAME, "program");
  }

  it("is npm's own for a program that is there for all projects", () => {
    expect(readRegistry(install(false))).toEqual({
      name: NAME,
      registry: "https://registry.npmjs.org",
      isLocal: false,
    });
  });

  it.each([
    [
      "https://npm.example/repo/catalog-toolkit/-/catalog-toolkit-1.0.0.tgz",
      "https://npm.example/repo",
    ],
    ["file:../catalog-toolkit-1.0.0.tgz", undefined],
    ["git+ssh://git@host.example/catalog.git#1234", undefined],
    [undefined, undefined],
  ])("is the one that a project's package came from: %s", (resolved, registry) => {
    expect(readRegistry(install(true, resolved))?.registry).toBe(registry);
  });

  it("is none in a checkout", () => {
    const root = createFolder();
    mkdirSync(join(root, "out", "catalog"), { recursive: true });
    writeFileSync(join(root, "package.json"), JSON.stringify({ name: NAME }));

    expect(readRegistry(join(root, "out", "catalog"))).toBeUndefined();
  });
});
