import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { writeJsonl } from "../../src/write-file.ts";
import { brokenRows, temporaryFolder } from "../helpers/files.ts";

describe("writeJsonl", () => {
  it("writes one object per line, with unchanged texts", async () => {
    const path = join(temporaryFolder(), "a.jsonl");
    const rows = [
      ["=1+1", 12.5, true],
      ["İlk\nikinci", null, "  x "],
    ];

    await writeJsonl({ path, keys: ["a", "b", "c"], rows, mode: 0o600 });

    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.map((line) => (line === "" ? "" : JSON.parse(line)))).toEqual([
      { a: "=1+1", b: 12.5, c: true },
      { a: "İlk\nikinci", b: null, c: "  x " },
      "",
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("leaves no file when the rows fail", async () => {
    const path = join(temporaryFolder(), "a.jsonl");

    await expect(writeJsonl({ path, keys: ["a"], rows: brokenRows() })).rejects.toThrow();

    expect(existsSync(path)).toBe(false);
  });
});
