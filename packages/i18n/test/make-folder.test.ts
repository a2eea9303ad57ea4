import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { makeFolder } from "../src/index.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "make-folder-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("makes every missing folder for the owner only", () => {
  const deep = join(folder, "a", "b", "c");
  makeFolder(deep);
  for (const path of [deep, join(folder, "a")]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("leaves a folder that exists as it is", () => {
  chmodSync(folder, 0o755);
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o755);
});

test("refuses where a file is in the way, at the end and above", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(/EEXIST/u);
  expect(() => makeFolder(join(file, "below"))).toThrow(/ENOTDIR/u);
});

test("takes a relative path", () => {
  makeFolder(relative(process.cwd(), join(folder, "x", "y")));
  expect(existsSync(join(folder, "x", "y"))).toBe(true);
});

test.runIf(existsSync("/proc/self"))("ends where a folder that exists takes no new one", () => {
  expect(() => makeFolder("/proc/catalog-results/1")).toThrow(/ENOENT/u);
});
