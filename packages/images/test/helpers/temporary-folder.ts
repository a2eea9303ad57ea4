import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

/** A folder that is deleted when the test ends. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-images-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
