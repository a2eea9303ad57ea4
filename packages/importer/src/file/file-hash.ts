import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** A stream would leave a buffer to the garbage collector with every piece. */
const BUFFER_BYTES = 512 * 1024;

/** SHA-256 of a file's bytes, in hexadecimal; `undefined` for a file that cannot be read. */
export async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  try {
    await using file = await open(path);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
