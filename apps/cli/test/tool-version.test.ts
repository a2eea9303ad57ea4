import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { readToolVersion } from "../src/tool-version.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

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
