import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { openOutFile, type OutFile } from "../../../src/commands/export/run.ts";

const terminal = { outFile: () => undefined };

const open = (out: string): OutFile =>
  openOutFile({ resolve: (path) => resolve(path), terminal }, { out, overwrite: false });

describe("openOutFile", () => {
  it("leaves nothing in the folder until the file is written", () => {
    const folder = mkdtempSync(join(tmpdir(), "export-"));

    using out = open(join(folder, "x.csv"));

    expect(out.path).toBe(join(folder, "x.csv"));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(existsSync("/proc/self"))("refuses a folder that takes no new file", () => {
    expect(() => open("/proc/x.csv")).toThrow(UsageError);
    expect(() => open("/proc/x.csv")).toThrow('"/proc" cannot be written to');
  });
});
