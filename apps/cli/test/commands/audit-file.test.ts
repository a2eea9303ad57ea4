/** The record of a server as a file: written by one command, checked by another without the database. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { type CliHarness, createCliHarness } from "../helpers/cli-harness.ts";

async function writeRecord(): Promise<{ readonly harness: CliHarness; readonly file: string }> {
  const harness = createCliHarness();
  for (const login of ["ayse", "veli", "ece"]) {
    await harness.run("users", "add", login, "--role", "editor");
  }
  const file = join(harness.folder, "audit.jsonl");
  const written = await harness.run("users", "audit", "--out", file);
  expect([written.exit, written.err]).toEqual([0, ""]);
  return { harness, file };
}

const change = (lines: readonly string[], at: number, to: (line: string) => string) =>
  lines.map((line, index) => (index === at ? to(line) : line));

/** What is done to the lines of a record, and the line that does not follow then. */
const CHANGES: readonly (readonly [
  string,
  (lines: readonly string[]) => readonly string[],
  number,
])[] = [
  [
    "a name that was changed",
    (lines) => change(lines, 3, (line) => line.replace("veli", "ali")),
    4,
  ],
  ["a line that was taken out", (lines) => lines.toSpliced(2, 1), 3],
  ["two lines in another order", ([a = "", b = "", ...rest]) => [b, a, ...rest], 1],
  ["a line twice", ([a = "", ...rest]) => [a, a, ...rest], 2],
  [
    "a member that was put in",
    (lines) => change(lines, 1, (line) => line.replace("{", '{"x":1,')),
    2,
  ],
  ["something that is no entry", (lines) => ["{", ...lines], 1],
];

describe("an exported record", () => {
  it("is checked by itself, and says the hash to compare", async () => {
    const { harness, file } = await writeRecord();
    // A machine without the database.
    const other = createCliHarness();

    const checked = JSON.parse((await other.run("db", "check", "--audit", file, "--json")).out);

    const lines = readFileSync(file, "utf8").trim().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "");
    expect(checked).toMatchObject({ entries: lines.length, hash: last.hash, faults: [], exit: 0 });
    expect(lines.length).toBeGreaterThan(5);
    const again = await harness.run("users", "audit", "--out", file);
    expect(again.exit).toBe(2);
  });

  it.each(CHANGES)("with %s is not sound", async (_name, edit, line) => {
    const { harness, file } = await writeRecord();
    const lines = readFileSync(file, "utf8").trim().split("\n");
    writeFileSync(file, `${edit(lines).join("\n")}\n`);

    const { exit, out } = await harness.run("db", "check", "--audit", file, "--json");

    expect([exit, JSON.parse(out).faults]).toEqual([2, [`audit: line ${line} does not follow`]]);
  });

  it("that is no file is a wrong use", async () => {
    const harness = createCliHarness();
    mkdirSync(join(harness.folder, "folder"));

    const ended = [
      await harness.run("db", "check", "--audit", join(harness.folder, "missing")),
      await harness.run("db", "check", "--audit", join(harness.folder, "folder")),
      await harness.run("db", "migrate", "--audit", "x"),
      await harness.run("users", "audit"),
    ];

    expect(ended.map(({ exit }) => exit)).toEqual([2, 2, 2, 2]);
  });
});
