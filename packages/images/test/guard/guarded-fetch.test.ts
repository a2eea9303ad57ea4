import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";

import { type Clock, systemClock } from "@catalog/clock";
import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { isPublicAddress } from "../../src/guard/check-address.ts";
import {
  downloadFile,
  type DownloadRetry,
  retryDownload,
  type RetryDownloadOptions,
} from "../../src/guard/download-file.ts";
import {
  type GuardedFetch,
  type GuardedFetchOptions,
  openGuardedFetch,
  parseRetryAfter,
} from "../../src/guard/guarded-fetch.ts";
import { serve } from "../helpers/serve.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

function open(options: GuardedFetchOptions): GuardedFetch {
  const guard = openGuardedFetch(options);
  onTestFinished(() => guard[Symbol.asyncDispose]());
  return guard;
}

const codeOf = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => "fetched",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

/** Resolves the names of the tests to this machine, so that nothing leaves it. */
const resolveHere = (): Promise<{ address: string; family: number }[]> =>
  Promise.resolve([{ address: "127.0.0.1", family: 4 }]);

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(4096);
}

const REFUSED = [
  ["127.1", "E_URL_PRIVATE"],
  ["0x7f.1", "E_URL_PRIVATE"],
  ["2130706433", "E_URL_PRIVATE"],
  ["017700000001", "E_URL_PRIVATE"],
  ["①②⑦.0.0.1", "E_URL_PRIVATE"],
  ["[::1]", "E_URL_PRIVATE"],
  ["[::ffff:7f00:1]", "E_URL_PRIVATE"],
  ["[::ffff:127.0.0.1]", "E_URL_PRIVATE"],
  ["[64:ff9b::7f00:1]", "E_URL_PRIVATE"],
  ["[2002:7f00:1::]", "E_URL_PRIVATE"],
  ["169.254.169.254", "E_URL_PRIVATE"],
  ["127.0.0.1.", "E_URL_PRIVATE"],
  ["localhost", "E_URL_PRIVATE"],
  ["name.test", "E_URL_PRIVATE"],
  ["name.test.", "E_URL_PRIVATE"],
] as const;

describe("openGuardedFetch", () => {
  it.each(REFUSED)("sends no packet to http://%s", async (host, code) => {
    const server = await serve((_, response) => response.end("secret"));
    const guard = open({ resolve: resolveHere });

    const plain = await codeOf(guard.fetch(`http://${host}/`));
    // The port at which the server listens, so that only the private address can be the reason.
    const atPort = await codeOf(guard.fetch(`http://${host}:${server.port}/`));

    expect(plain).toBe(code);
    expect(atPort).not.toBe("fetched");
    expect(server.connections()).toBe(0);
  });

  it.each([
    ["file:///etc/passwd", "E_URL_FORM"],
    ["ftp://example.com/a.jpg", "E_URL_FORM"],
    ["data:image/png;base64,AAAA", "E_URL_FORM"],
    ["not an address", "E_URL_FORM"],
    ["https://user:secret@example.com/a.jpg", "E_URL_CREDENTIALS"],
    ["https://user@example.com/a.jpg", "E_URL_CREDENTIALS"],
    ["https://example.com:8443/a.jpg", "E_URL_PORT"],
    ["http://example.com:22/", "E_URL_PORT"],
  ])("refuses %s before a name is resolved", async (address, code) => {
    const asked: string[] = [];
    const guard = open({
      resolve: (host) => {
        asked.push(host);
        return resolveHere();
      },
    });

    const outcome = await codeOf(guard.fetch(address));

    expect({ outcome, asked }).toEqual({ outcome: code, asked: [] });
  });

  it("refuses a name when one of its addresses is private", async () => {
    const server = await serve((_, response) => response.end("secret"));
    const guard = open({
      resolve: () =>
        Promise.resolve([
          { address: "93.184.216.34", family: 4 },
          { address: "127.0.0.1", family: 4 },
        ]),
    });

    const outcome = await codeOf(guard.fetch("http://two-faced.test/"));

    expect(outcome).toBe("E_URL_PRIVATE");
    expect(server.connections()).toBe(0);
  });

  it("resolves a name once per connection, so that a second answer cannot differ", async () => {
    const answers = ["192.0.2.1", "127.0.0.1"];
    let asked = 0;
    const guard = open({
      resolve: () => Promise.resolve([{ address: answers[asked++] ?? "127.0.0.1", family: 4 }]),
    });

    const outcomes = [
      await codeOf(guard.fetch("http://rebinding.test/")),
      await codeOf(guard.fetch("http://rebinding.test/")),
    ];

    expect(outcomes).toEqual(["E_URL_PRIVATE", "E_URL_PRIVATE"]);
    expect(asked).toBe(2);
  });

  it("downloads from an allowed host, and sends only the program's name", async () => {
    const server = await serve((_, response) => response.setHeader("etag", '"1"').end("hello"));
    const guard = open({ allowHosts: [server.host] });

    const answer = await guard.fetch(`${server.origin}/a`);

    expect(Buffer.from(answer.body).toString()).toBe("hello");
    expect(answer).toMatchObject({ status: 200, etag: '"1"', sizeBytes: 5 });
    expect(Object.keys(server.requests[0]?.headers ?? {}).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it("allows a host only at the port that was named", async () => {
    const server = await serve((_, response) => response.end("hello"));
    const guard = open({ allowHosts: ["127.0.0.1:1"] });

    expect(await codeOf(guard.fetch(`${server.origin}/`))).toBe("E_URL_PRIVATE");
    expect(server.connections()).toBe(0);
  });

  it.each([1, 2, 3])("follows %i redirects", async (count) => {
    const server = await serve((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop === count) response.end("end");
      else response.writeHead(302, { location: `/${hop + 1}` }).end();
    });
    const guard = open({ allowHosts: [server.host] });

    const answer = await guard.fetch(`${server.origin}/0`);

    expect(answer.address).toBe(`${server.origin}/${count}`);
  });

  it("stops at the fourth redirect", async () => {
    const server = await serve((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    });
    const guard = open({ allowHosts: [server.host] });

    expect(await codeOf(guard.fetch(`${server.origin}/0`))).toBe("E_URL_REDIRECT");
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:7f00:1]/",
    "http://inside.test/",
    "//10.0.0.1/",
  ])("refuses a redirect to %s", async (location) => {
    const inside = await serve((_, response) => response.end("secret"));
    const server = await serve((_, response) => response.writeHead(302, { location }).end());
    const guard = open({ allowHosts: [server.host], resolve: resolveHere });

    expect(await codeOf(guard.fetch(`${server.origin}/`))).toBe("E_URL_PRIVATE");
    expect(inside.connections()).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  it("stops an endless body at the size limit", async () => {
    const server = await serve((_, response) => {
      pipeline(Readable.from(endless()), response, () => undefined);
    });
    const guard = open({ allowHosts: [server.host], limits: { maxBytes: 100_000 } });

    expect(await codeOf(guard.fetch(`${server.origin}/`))).toBe("E_FETCH_SIZE");
  });

  it("names the setting of the limit in both languages", async () => {
    const server = await serve((_, response) => response.end("x".repeat(2_000_000)));
    const download = downloadFile({
      address: `${server.origin}/`,
      path: join(createFolder(), "file"),
      clock: systemClock,
      allowHosts: [server.host],
      limits: { downloadMb: 1 },
    });

    await expect(download).rejects.toMatchObject({
      code: "E_FETCH_SIZE",
      setting: "downloadMb",
      localized: {
        tr: "Dosya 1 MB sınırından büyük. Daha küçük bir dosya verin ya da catalog.config.json içinde limits.downloadMb değerini yükseltin.",
        en: "The file is larger than 1 MB. Give a smaller one, or raise limits.downloadMb in catalog.config.json.",
      },
    });
  });

  it("refuses a body over the announced limit without reading it", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-length": "1000000000" }).write("x");
    });
    const guard = open({ allowHosts: [server.host] });

    expect(await codeOf(guard.fetch(`${server.origin}/`))).toBe("E_FETCH_SIZE");
  });

  it("notices a body that ends before its announced length", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("x");
      response.socket?.end();
    });
    const guard = open({ allowHosts: [server.host] });

    expect(await codeOf(guard.fetch(`${server.origin}/`))).toBe("E_FETCH_CUT");
  });

  it("refuses a compressed body", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("bomb");
    });
    const guard = open({ allowHosts: [server.host] });

    expect(await codeOf(guard.fetch(`${server.origin}/`))).toBe("E_FETCH_ENCODING");
  });

  it("stops a slow body after one slow window", async () => {
    const clock = createFakeClock();
    const dripping = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.write("x");
      dripping.resolve();
    });
    const guard = open({ allowHosts: [server.host], clock });

    const outcome = codeOf(guard.fetch(`${server.origin}/`));
    await dripping.promise;
    await clock.advance(10_000);

    expect(await outcome).toBe("E_FETCH_SLOW");
  });

  it("stops a body at the total time limit, however steady it is", async () => {
    const clock = createFakeClock();
    const begun = Promise.withResolvers<ServerResponse>();
    const server = await serve((_, response) => begun.resolve(response));
    const guard = open({ allowHosts: [server.host], clock });
    let arrived = Promise.withResolvers<void>();
    const onChunk = (): void => arrived.resolve();

    const outcome = codeOf(guard.fetch(`${server.origin}/`, { onChunk }));
    const response = await begun.promise;
    for (let round = 0; round < 3; round += 1) {
      arrived = Promise.withResolvers<void>();
      response.write(Buffer.alloc(4096));
      await arrived.promise;
      await clock.advance(9_000);
    }

    expect(await outcome).toBe("E_FETCH_SLOW");
  });

  it("sends a conditional request, and accepts 304", async () => {
    const server = await serve((request, response) => {
      const isSame = request.headers["if-none-match"] === '"7"';
      response.writeHead(isSame ? 304 : 200).end(isSame ? undefined : "new");
    });
    const guard = open({ allowHosts: [server.host] });

    const answer = await guard.fetch(`${server.origin}/`, { etag: '"7"' });

    expect(answer).toMatchObject({ status: 304, sizeBytes: 0 });
  });

  it.each([
    [401, "login"],
    [404, "no file"],
    [500, "failed"],
    [418, "browser"],
  ])("says what a status of %d means", async (status, word) => {
    const server = await serve((_, response) => response.writeHead(status).end());
    const guard = open({ allowHosts: [server.host] });

    await expect(guard.fetch(`${server.origin}/`)).rejects.toThrow(word);
  });

  it("reports the status of a refusal, and repeats nothing of its answer", async () => {
    const server = await serve((_, response) => response.writeHead(404).end("inner secret"));
    const guard = open({ allowHosts: [server.host] });

    const error = await guard.fetch(`${server.origin}/`).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "E_FETCH_STATUS", status: 404 });
    expect(JSON.stringify(error) + String(error)).not.toContain("inner secret");
  });

  it("rejects with the reason of the caller's signal", async () => {
    const server = await serve(() => undefined);
    const guard = open({ allowHosts: [server.host] });
    const stop = new AbortController();
    const reason = new Error("enough");

    const outcome = guard.fetch(`${server.origin}/`, { signal: stop.signal });
    stop.abort(reason);

    await expect(outcome).rejects.toBe(reason);
  });
});

const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255
  128.0.0.1 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.255 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1 2001:4860:4860::8888 2003::1
  2606:4700:4700::1111 2a00:1450:4001:80b::200e 3ffe::1
`
  .trim()
  .split(/\s+/u);

const SPECIAL = [
  "",
  ...`
  0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
  169.254.0.1 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1
  192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0
  198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ::
  ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 64:ff9b::7f00:1
  64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
  2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1
  2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fdff::1 fe80::1 fe80::1%eth0
  2606:4700::1%1 febf::1 fec0::1 ff02::1 ffff::1 localhost 1.2.3
`
    .trim()
    .split(/\s+/u),
];

describe("isPublicAddress", () => {
  it.each(PUBLIC)("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(SPECIAL)("refuses %j", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

const MINUTE_MS = 60_000;

/** A clock that moves on by itself, so that no wait takes time. */
function createHastyClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

interface Attempted {
  readonly outcome: unknown;
  readonly requests: number;
  /** Waits between the attempts, in milliseconds. */
  readonly waits: readonly number[];
}

/** Downloads from a server that gives one answer after the other, the last one for ever. */
async function downloadFrom(
  answers: readonly RequestListener[],
  options: Partial<RetryDownloadOptions> = {},
): Promise<Attempted> {
  let at = 0;
  const server = await serve((request, response) => {
    answers[Math.min(at++, answers.length - 1)]?.(request, response);
  });
  const guard = openGuardedFetch({ allowHosts: [server.host] });
  onTestFinished(() => guard[Symbol.asyncDispose]());
  const clock = createHastyClock();
  const outcome = await retryDownload(
    async () => Buffer.from((await guard.fetch(`${server.origin}/feed`)).body).toString(),
    { clock, totalMs: 30 * MINUTE_MS, ...options },
  ).catch((error: unknown) => error);
  return { outcome, requests: server.requests.length, waits: clock.slept };
}

const whole: RequestListener = (_, response) => response.end("whole");
const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end("no");
const cut: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": 10 });
  response.write("half", () => response.destroy());
};
const reset: RequestListener = (request) => request.socket.destroy();

describe("retryDownload", () => {
  it.each([
    ["408", status(408)],
    ["429", status(429)],
    ["502", status(502)],
    ["503", status(503)],
    ["504", status(504)],
    ["a connection closed in the middle", cut],
    ["a connection closed before the answer", reset],
  ])("downloads after %s", async (_, failure) => {
    const { outcome, waits } = await downloadFrom([failure, failure, whole]);

    expect(outcome).toBe("whole");
    expect(waits).toEqual([2000, 4000]);
  });

  it.each([400, 401, 403, 404, 410])("does not try again after %d", async (code) => {
    const { outcome, requests } = await downloadFrom([status(code), whole]);

    expect([outcome, requests]).toMatchObject([{ code: "E_FETCH_STATUS", attempts: 1 }, 1]);
  });

  it("gives up after four attempts, and says so", async () => {
    const { outcome, requests, waits } = await downloadFrom([status(503)]);

    expect([requests, waits]).toEqual([4, [2000, 4000, 8000]]);
    expect(outcome).toMatchObject({
      code: "E_FETCH_STATUS",
      status: 503,
      attempts: 4,
      localized: {
        tr: expect.stringContaining("İndirme 4 kez denendi."),
        en: expect.stringContaining("It was tried 4 times."),
      },
    });
  });

  it("waits as long as the server asks for, and gives up where that is too long", async () => {
    const asked = await downloadFrom([status(429, { "retry-after": "120" }), whole]);
    const tooLong = await downloadFrom([status(503, { "retry-after": "301" }), whole]);

    expect([asked.outcome, asked.waits]).toEqual(["whole", [120_000]]);
    expect([tooLong.outcome, tooLong.waits]).toMatchObject([{ status: 503, attempts: 1 }, []]);
  });

  it("begins no attempt after its time is over", async () => {
    const { requests, waits } = await downloadFrom([status(503)], { totalMs: 5000 });

    expect([requests, waits]).toEqual([2, [2000]]);
  });

  it("gives each attempt the time that is left", async () => {
    const clock = createHastyClock();
    const left: number[] = [];
    const { origin, host } = await serve(status(503));
    const download = async (remainingMs: number): Promise<unknown> => {
      left.push(remainingMs);
      await using guard = openGuardedFetch({ allowHosts: [host] });
      return await guard.fetch(origin);
    };

    await retryDownload(download, { clock, totalMs: MINUTE_MS, retries: 2 }).catch(() => "failed");

    expect(left).toEqual([60_000, 58_000, 54_000]);
  });

  it("tells each wait before it begins", async () => {
    const told: DownloadRetry[] = [];

    await downloadFrom([reset, cut, whole], { onRetry: (retry) => told.push(retry) });

    expect(told).toEqual([
      { attempt: 1, waitMs: 2000 },
      { attempt: 2, waitMs: 4000 },
    ]);
  });

  it("ends a wait when it is stopped, with the reason of the stop", async () => {
    const stop = new AbortController();
    const clock = createFakeClock();

    const { outcome, requests } = await downloadFrom([status(503), whole], {
      clock,
      signal: stop.signal,
      onRetry: () => setImmediate(() => stop.abort("interrupted")),
    });

    expect([outcome, requests]).toEqual(["interrupted", 1]);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    ["0", 0],
    [" 7 ", 7000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 23:59:00 GMT", undefined],
    ["soon", undefined],
    ["-1", undefined],
    [undefined, undefined],
  ])("reads %s as %s", (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
