/** Facts about the bytes of an image, decoded at most once for the same bytes. */

import { createHash } from "node:crypto";

import type { Decoded } from "../decode/decode-protocol.ts";
import type { Decoder } from "../decode/decoder.ts";
import type { ImageFacts } from "../image-rules.ts";
import type { ImageProblemCode } from "../problem.ts";
import type { ImageCheckCache } from "./image-check-cache.ts";

export interface ContentTools {
  readonly decoder: Pick<Decoder, "inspect">;
  readonly cache: ImageCheckCache;
}

/** Version of the stored decoding results; raised when the facts of an image change. */
const VERSION = 1;

const keyOf = (sha256: string): string => `content:${VERSION}:${sha256}`;

/** SHA-256 of the bytes, in hexadecimal. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads the stored result for these bytes. */
export async function readStoredContent(
  cache: ImageCheckCache,
  sha256: string,
): Promise<Decoded<ImageFacts> | undefined> {
  const stored = await cache.read<Decoded<ImageFacts>>(keyOf(sha256));
  return stored === undefined || stored.ok || isStorable(stored) ? stored : undefined;
}

/** Decodes bytes without a stored result, and stores it. */
export async function readContent(
  { decoder, cache }: ContentTools,
  bytes: Uint8Array,
): Promise<Decoded<ImageFacts>> {
  const sha256 = hashBytes(bytes);
  const known = await readStoredContent(cache, sha256);
  if (known !== undefined) return known;
  const decoded = await decoder.inspect(bytes);
  const sizeBytes = bytes.byteLength;
  const found: Decoded<ImageFacts> = decoded.ok
    ? { ok: true, value: { ...decoded.value, sizeBytes, sha256 } }
    : decoded;
  if (isStorable(found)) await cache.write(keyOf(sha256), found);
  return found;
}

/** A timeout depends on the machine, and the limit of pixels on a setting; neither is stored. */
export const isStorable = (found: Decoded<ImageFacts>): boolean =>
  found.ok || !PASSING.has(found.problem.code);

const PASSING: ReadonlySet<ImageProblemCode> = new Set<ImageProblemCode>([
  "E_IMG_SLOW",
  "E_IMG_PIXELS",
]);
