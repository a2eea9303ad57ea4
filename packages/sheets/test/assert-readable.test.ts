import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { assertReadable } from "../src/open-sheet.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "readable-"));

it("accepts a file, without reading what it holds", async () => {
  const path = join(folder(), "a.xlsx");
  writeFileSync(path, "");

  await expect(assertReadable(path)).resolves.toBeUndefined();
});

it("refuses a folder and a path without a file", async () => {
  await expect(assertReadable(folder())).rejects.toMatchObject({ code: "E_FILE_DIRECTORY" });
  await expect(assertReadable(join(folder(), "no.xlsx"))).rejects.toMatchObject({
    code: "E_FILE_MISSING",
  });
});
