import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Opens a file that is removed when the program ends. */
export async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-report-"));
  const handle = await open(join(folder, "rows"), "wx+", 0o600);
  await rm(folder, { recursive: true, force: true });
  return handle;
}
