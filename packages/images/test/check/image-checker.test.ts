import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { expect, it, onTestFinished } from "vitest";

import {
  createImageChecker,
  type ImageCheckCache,
  type ImageChecker,
} from "../../src/check/image-checker.ts";
import { createDecoder } from "../../src/decode/decoder.ts";
import { openGuardedFetch } from "../../src/guard/guarded-fetch.ts";
import type { ImageSource } from "../../src/sources/image-source.ts";
import { jpeg } from "../helpers/make-images.ts";
import { createCheckCache } from "../helpers/memory.ts";
import { serve, type Served } from "../helpers/serve.ts";

interface Fixture {
  readonly server: Served;
  readonly clock: FakeClock;
  /** Starts a new run with the same stored checks. */
  readonly run: (options?: { readonly isAgain?: boolean }) => ImageChecker;
  readonly check: (checker: ImageChecker, path: string) => Promise<string>;
  readonly serveInstead: (bytes: Buffer) => void;
}

async function openFixture(cache: ImageCheckCache = createCheckCache()): Promise<Fixture> {
  let image = await jpeg(400, 300);
  const server = await serve((request, response) => {
    if (request.url === "/missing.jpg") response.writeHead(404).end();
    else if (request.url === "/down.jpg") response.writeHead(503).end();
    else if (request.url === "/page.jpg")
      response.setHeader("content-type", "image/jpeg").end("<html>");
    else if (request.headers["if-none-match"] === `"${image.byteLength}"`) {
      response.writeHead(304).end();
    } else response.setHeader("etag", `"${image.byteLength}"`).end(image);
  });
  const clock = createFakeClock(Date.UTC(2026, 10, 21));
  const fetcher = openGuardedFetch({ clock, allowHosts: [server.host] });
  const decoder = createDecoder({ clock, processes: 1 });
  onTestFinished(async () => {
    await fetcher[Symbol.asyncDispose]();
    await decoder[Symbol.asyncDispose]();
  });
  return {
    server,
    clock,
    run: (options) => createImageChecker({ fetcher, decoder, cache, clock, ...options }),
    check: async (checker, path) => {
      const text = `${server.origin}${path}`;
      const found = await checker.check({ kind: "address", text });
      return found.ok ? `${found.value.type} ${found.value.width}` : found.problem.code;
    },
    serveInstead: (bytes) => (image = bytes),
  };
}

const createSource = (bytes: Buffer): ImageSource => ({
  name: "resimler",
  read: async () => ({ ok: true, value: bytes }),
  [Symbol.asyncDispose]: async () => undefined,
});

const HOUR_MS = 3_600_000;

it("downloads an address once for all concurrent and later callers", async () => {
  const { run, check, server } = await openFixture();
  const checker = run();

  const found = await Promise.all([check(checker, "/a.jpg"), check(checker, "/a.jpg")]);
  found.push(await check(checker, "/a.jpg"));

  expect(found).toEqual(["jpeg 400", "jpeg 400", "jpeg 400"]);
  expect(server.requests).toHaveLength(1);
  expect(checker.counts()).toMatchObject({ downloads: 1, remembered: 0 });
});

it("decodes an image again that had more pixels than the limit, as the limit may be raised", async () => {
  const cache = createCheckCache();
  const bytes = await jpeg(2000, 1000);
  const source = createSource(bytes);
  const codes: string[] = [];
  for (const imageMegapixels of [1, 3]) {
    await using decoder = createDecoder({ processes: 1, limits: { imageMegapixels } });
    await using fetcher = openGuardedFetch();
    const checker = createImageChecker({ fetcher, decoder, cache, source });

    const found = await checker.check({ kind: "file", text: "a.jpg" });
    codes.push(found.ok ? found.value.type : found.problem.code);
  }

  expect(codes).toEqual(["E_IMG_PIXELS", "jpeg"]);
});

it("requests an address once even when the server or its bytes refuse it", async () => {
  const { run, check, server } = await openFixture();
  const checker = run();
  const paths = ["/missing.jpg", "/down.jpg", "/page.jpg"];

  const found: string[] = [];
  for (const path of [...paths, ...paths]) found.push(await check(checker, path));

  expect(found.slice(0, 3)).toEqual(["E_IMG_STATUS", "E_IMG_STATUS", "E_IMG_TYPE"]);
  expect(found.slice(3)).toEqual(found.slice(0, 3));
  expect(server.requests).toHaveLength(3);
});

it("downloads nothing in the next run while the stored check is fresh", async () => {
  const { run, check, server, clock } = await openFixture();
  for (const path of ["/a.jpg", "/missing.jpg"]) await check(run(), path);
  await clock.advance(60_000);

  const next = run();
  const found = [await check(next, "/a.jpg"), await check(next, "/missing.jpg")];

  expect(found).toEqual(["jpeg 400", "E_IMG_STATUS"]);
  expect(server.requests).toHaveLength(2);
  expect(next.counts()).toEqual({
    downloads: 0,
    unchanged: 0,
    remembered: 2,
    rememberedBroken: 1,
  });
});

it("repeats a failed check sooner than a good one", async () => {
  const { run, check, server, clock } = await openFixture();
  for (const path of ["/a.jpg", "/missing.jpg"]) await check(run(), path);
  await clock.advance(HOUR_MS);

  const next = run();
  for (const path of ["/a.jpg", "/missing.jpg"]) await check(next, path);

  expect(server.requests.map(({ url }) => url)).toEqual(["/a.jpg", "/missing.jpg", "/missing.jpg"]);
});

it("does not store a transient problem", async () => {
  const { run, check, server } = await openFixture();

  for (let round = 0; round < 2; round += 1) await check(run(), "/down.jpg");

  expect(server.requests).toHaveLength(2);
});

it("asks the server whether an old image has changed, and accepts 304", async () => {
  const { run, check, clock } = await openFixture();
  await check(run(), "/a.jpg");
  await clock.advance(25 * HOUR_MS);

  const next = run();
  const found = [await check(next, "/a.jpg"), await check(next, "/a.jpg")];

  expect(found).toEqual(["jpeg 400", "jpeg 400"]);
  expect(next.counts()).toMatchObject({ downloads: 0, unchanged: 1, remembered: 0 });
});

it("notices that an old image has changed", async () => {
  const { run, check, clock, serveInstead } = await openFixture();
  await check(run(), "/a.jpg");
  serveInstead(await jpeg(500, 500, 7));
  await clock.advance(25 * HOUR_MS);

  expect(await check(run(), "/a.jpg")).toBe("jpeg 500");
});

it("requests an address again when told to, however fresh its check is", async () => {
  const { run, check, server, clock } = await openFixture();
  await check(run(), "/missing.jpg");
  await clock.advance(1);

  await check(run({ isAgain: true }), "/missing.jpg");

  expect(server.requests).toHaveLength(2);
});

it("decodes the same bytes once for several addresses", async () => {
  const cache = createCheckCache();
  const { run, check, server } = await openFixture(cache);
  const checker = run();

  await check(checker, "/a.jpg");
  const found = await check(checker, "/b.jpg");

  expect(found).toBe("jpeg 400");
  expect(server.requests).toHaveLength(2);
});

it("checks other images while one hangs", async () => {
  const hanging = await serve(() => undefined);
  const image = await jpeg(400, 300);
  const quick = await serve((_, response) => response.end(image));
  const clock = createFakeClock();
  await using fetcher = openGuardedFetch({ clock, allowHosts: [hanging.host, quick.host] });
  await using decoder = createDecoder({ processes: 1 });
  const checker = createImageChecker({ fetcher, decoder, clock, cache: createCheckCache() });

  const late = checker.check({ kind: "address", text: `${hanging.origin}/a.jpg` });
  const found = await checker.check({ kind: "address", text: `${quick.origin}/b.jpg` });
  await clock.advance(20_000);

  expect(found.ok).toBe(true);
  expect(await late).toMatchObject({ problem: { code: "E_IMG_SLOW" } });
});
