import { randomUUID, createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { extname, join } from "node:path";

import { makeFolder } from "@catalog/i18n";

import type { ReceivedFile } from "./receive-file.ts";

/** Copies a file into the folder of uploads under a name of its own. */
export async function resaveFile(source: string, folder: string): Promise<ReceivedFile> {
  makeFolder(folder);
  const path = join(folder, `${randomUUID()}${extname(source)}`);
  await copyFile(source, path);
  await chmod(path, 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Uint8Array)) continue;
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { path, sha256: hash.digest("hex"), bytes };
}
