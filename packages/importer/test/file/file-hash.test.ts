import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { hashFile } from "../../src/file/file-hash.ts";

it.each([0, 1, 524_288, 1_500_000])("hashes the %i bytes of a file", async (size) => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-hash-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = Buffer.alloc(size, "kaşık;");
  const path = join(folder, "a.csv");
  writeFileSync(path, bytes);

  expect(await hashFile(path)).toBe(createHash("sha256").update(bytes).digest("hex"));
  expect(await hashFile(join(folder, "missing.csv"))).toBeUndefined();
  expect(await hashFile(folder)).toBeUndefined();
});
