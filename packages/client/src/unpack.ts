/** Bodies that come packed, although none was asked for: what comes out of them has a limit too. */

import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

import { type Exchange } from "./wire-phase.ts";

const UNPACKERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

const isKnown = (encoding: string): encoding is keyof typeof UNPACKERS =>
  Object.hasOwn(UNPACKERS, encoding);

/**
 * The exchange with its body unpacked. Unpacking stops at `maxBytes`, and the exchange has failed as
 * too large then. A body that cannot be unpacked stays as it is, and is no JSON.
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
