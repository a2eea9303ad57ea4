import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** SHA-256 of a file's bytes, in hexadecimal; `undefined` for a file that cannot be read. */
export async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const input = createReadStream(path);
  try {
    for await (const chunk of input) hash.update(chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
  return hash.digest("hex");
}
