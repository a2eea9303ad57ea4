import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { unpack } from "../../src/answer.ts";
import type { Exchange } from "../../src/http/wire-phase.ts";

const ANSWER = Buffer.from('{"data":{}}');

function exchangeOf(encoding: string, body: Uint8Array): Exchange {
  const headers = { "content-encoding": encoding };
  return { phase: "body", status: 200, headers, body, failure: undefined };
}

describe("unpack", () => {
  it.each([
    ["gzip", gzipSync(ANSWER)],
    ["GZIP ", gzipSync(ANSWER)],
    ["deflate", deflateSync(ANSWER)],
    ["br", brotliCompressSync(ANSWER)],
    ["identity", ANSWER],
  ])("unpacks a body that came as %s", async (encoding, body) => {
    const { body: unpacked, failure } = await unpack(exchangeOf(encoding, body), 1_000);

    expect([Buffer.from(unpacked).toString(), failure]).toEqual([ANSWER.toString(), undefined]);
  });

  it("stops unpacking at the size limit", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));

    const { body, failure } = await unpack(exchangeOf("gzip", bomb), 1_000_000);

    expect([body.length, failure]).toEqual([0, { kind: "too-large" }]);
  });

  it.each([
    ["gzip", Buffer.from("no gzip")],
    ["gzip, gzip", gzipSync(gzipSync(ANSWER))],
    ["constructor", ANSWER],
  ])("leaves a body that is not valid %s as it is", async (encoding, body) => {
    const exchange = exchangeOf(encoding, body);

    expect(await unpack(exchange, 1_000)).toBe(exchange);
  });
});
