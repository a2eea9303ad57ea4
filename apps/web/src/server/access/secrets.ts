/** Random keys, of which only hashes are kept. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const KEY_BYTES = 32;

/** A new key of 256 random bits, in letters that an address may hold. */
export const createKey = (): string => randomBytes(KEY_BYTES).toString("base64url");

/** The hash of a key, as text. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Whether the key has this hash; takes the same time for every key. */
export function isKeyOf(hash: string, key: string): boolean {
  const known = Buffer.from(hash, "hex");
  const given = Buffer.from(hashKey(key), "hex");
  return known.length === given.length && timingSafeEqual(known, given);
}
