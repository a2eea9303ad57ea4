/** Unpacks bodies that are compressed although that was not asked for, up to a size limit. */

import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

import type { Exchange } from "../http/wire-phase.ts";

const UNPACKERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

const isKnown = (encoding: string): encoding is keyof typeof UNPACKERS =>
  Object.hasOwn(UNPACKERS, encoding);

/**
 * Returns the exchange with its body unpacked. An exchange whose body unpacks to more than
 * `maxBytes` has failed as too large. A body that cannot be unpacked is returned as it is, and is
 * not JSON.
 */
export async function unpack(exchange: Exchange, maxBytes: number): Promise<Exchange> {
  const { headers, body, failure } = exchange;
  const encoding = String(headers["content-encoding"] ?? "")
    .trim()
    .toLowerCase();
  if (failure !== undefined || body.length === 0 || !isKnown(encoding)) return exchange;
  try {
    return { ...exchange, body: await UNPACKERS[encoding](body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    if (!isTooLarge) return exchange;
    return { ...exchange, body: Buffer.alloc(0), failure: { kind: "too-large" } };
  }
}
