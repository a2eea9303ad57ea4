/** What is known of the bytes of a picture, decoded at most once for the same bytes. */

import { createHash } from "node:crypto";

import { type Decoded } from "../decode/decode-protocol.ts";
import { type Decoder } from "../decode/decoder.ts";
import { type PictureFacts } from "../image-rules.ts";
import { type PictureMemory } from "./image-check-cache.ts";

export interface ContentTools {
  readonly decoder: Pick<Decoder, "inspect">;
  readonly memory: PictureMemory;
}

/** What decoding said; changes when what is asked of a picture changes. */
const VERSION = 1;

const keyOf = (sha256: string): string => `content:${VERSION}:${sha256}`;

/** The name of bytes by their content. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What was found out about these bytes before. */
export async function recallContent(
  memory: PictureMemory,
  sha256: string,
): Promise<Decoded<PictureFacts> | undefined> {
  return await memory.read<Decoded<PictureFacts>>(keyOf(sha256));
}

/** Decodes bytes that are not known yet. */
export async function readContent(
  { decoder, memory }: ContentTools,
  bytes: Uint8Array,
): Promise<Decoded<PictureFacts>> {
  const sha256 = hashBytes(bytes);
  const known = await recallContent(memory, sha256);
  if (known !== undefined) return known;
  const decoded = await decoder.inspect(bytes);
  const sizeBytes = bytes.byteLength;
  const found: Decoded<PictureFacts> = decoded.ok
    ? { ok: true, value: { ...decoded.value, sizeBytes, sha256 } }
    : decoded;
  // Time is the machine's trouble, not the picture's.
  if (found.ok || found.problem.code !== "E_IMG_SLOW") await memory.write(keyOf(sha256), found);
  return found;
}
