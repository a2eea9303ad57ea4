/**
 * Steps of the database that nobody runs do nothing, and neither the compiler nor the linter notices
 * a statement that only makes them.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("../../../packages/database/src", import.meta.url));

/** A call that makes steps, at the begin of a line. */
const MAKES_STEPS =
  /^\s*(?:(?:\w+\.)*database\.(?:run|all|get|upsert|savepoint)|eachStep|inSavepoints|noSteps)\(/u;

/** What a line ends with where the next one begins a statement. */
const ENDS_STATEMENT = /(?:[;{}]|\*\/|^\s*\/\/.*)\s*$/u;

/** Returns lines that make steps and do nothing with them. */
function findUnrun(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.filter(
    (line, at) => MAKES_STEPS.test(line) && ENDS_STATEMENT.test(lines[at - 1] ?? ";"),
  );
}

function listSources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(SOURCES, path));
}

describe("steps of the database", () => {
  it("are run wherever they are made", () => {
    const unrun = listSources().flatMap((path) =>
      findUnrun(readFileSync(path, "utf8")).map((line) => `${path}: ${line.trim()}`),
    );

    expect(unrun).toEqual([]);
  });

  it("are found where a statement only makes them", () => {
    const made = "function* f() {\n  database.run(query);\n  yield* database.run(query);\n}";
    const used =
      "const rows = yield* eachStep(\n  items,\n  read,\n);\nreturn database.all(\n  query,\n);";

    expect(findUnrun(made)).toEqual(["  database.run(query);"]);
    expect(findUnrun(used)).toEqual([]);
  });
});
