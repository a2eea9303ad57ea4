import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { basename, dirname, join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  openThumbnails,
  type Thumbnail,
  type ThumbnailImage,
  type Thumbnails,
  type ThumbnailsOptions,
  type ThumbnailSize,
} from "../../src/thumbnails/thumbnails.ts";
import { hugePng, jpeg } from "../helpers/make-images.ts";
import { makeZip } from "../helpers/make-zip.ts";
import { type Served, serve } from "../helpers/serve.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const MINUTE_MS = 60_000;
/** No test waits so long; the clock stands. */
const WAIT_MS = 1_000;

interface Opened extends Omit<Thumbnails, "read"> {
  readonly clock: FakeClock;
  readonly folder: string;
  readonly server: Served;
  read(image: string | ThumbnailImage, size?: ThumbnailSize): Promise<Thumbnail>;
}

/** Opens thumbnails of images that a server of this machine has. */
async function open(
  answer: RequestListener,
  options: Partial<ThumbnailsOptions> & { readonly clock?: FakeClock } = {},
): Promise<Opened> {
  const server = await serve(answer);
  const clock = options.clock ?? createFakeClock(Date.UTC(2026, 0, 1));
  const folder = options.folder ?? join(createFolder(), "thumbnails");
  const thumbnails = openThumbnails({ allowHosts: [server.host], ...options, clock, folder });
  onTestFinished(() => thumbnails[Symbol.asyncDispose]());
  return {
    ...thumbnails,
    clock,
    folder,
    server,
    read: (image, size = "small") => {
      const text = typeof image === "string" ? image : image.text;
      const address = text.startsWith("/") ? `${server.origin}${text}` : text;
      const named = typeof image === "string" ? { kind: "address" as const } : image;
      return thumbnails.read({ ...named, text: address }, { size, waitMs: WAIT_MS });
    },
  };
}

const answerWith =
  (bytes: Uint8Array | string, type = "image/jpeg"): RequestListener =>
  (_request, response) => {
    response.setHeader("content-type", type);
    response.end(bytes);
  };

async function factsOf(thumbnail: Thumbnail): Promise<unknown> {
  if (thumbnail.state !== "made") return thumbnail.state;
  const { format, width, height, exif } = await sharp(thumbnail.bytes).metadata();
  return { format, width, height, exif };
}

const byName = (one: string, other: string): number => one.localeCompare(other);

const files = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe("a thumbnail", () => {
  it("is a small JPEG of the image, and a large one on demand", async () => {
    const original = await sharp(await jpeg(2_000, 1_000))
      .withExif({ IFD0: { Copyright: "secret" } })
      .toBuffer();
    const thumbnails = await open(answerWith(original));

    const made = [await thumbnails.read("/a.jpg"), await thumbnails.read("/a.jpg", "large")];

    expect(await Promise.all(made.map(factsOf))).toEqual([
      { format: "jpeg", width: 96, height: 48, exif: undefined },
      { format: "jpeg", width: 960, height: 480, exif: undefined },
    ]);
  });

  it("is loaded once, however many ask for it at a time, of whom few are held", async () => {
    const original = await jpeg(400, 400);
    const opening = Promise.withResolvers<void>();
    const thumbnails = await open((_request, response) => {
      void opening.promise.then(() => response.end(original));
    });
    const paths = Array.from({ length: 1_000 }, (_, at) => `/${at % 5}.jpg`);

    let answered = 0;
    const asked = paths.map(async (path) => {
      const { state } = await thumbnails.read(path);
      answered += 1;
      // All but three callers have their answer while no image is there yet.
      if (answered === paths.length - 3) opening.resolve();
      return state;
    });
    const early = Map.groupBy(await Promise.all(asked), (state) => state);
    for (let at = 0; at < 5; at += 1) await thumbnails.read(`/${at}.jpg`);
    const states = await Promise.all(
      paths.map(async (path) => (await thumbnails.read(path)).state),
    );

    expect([early.get("later")?.length, early.get("made")?.length]).toEqual([997, 3]);
    expect(new Set(states)).toEqual(new Set(["made"]));
    expect(thumbnails.server.requests.map(({ url = "" }) => url).toSorted(byName)).toEqual(
      [0, 1, 2, 3, 4].map((at) => `/${at}.jpg`),
    );
  });

  it("is kept on disk for the next process, and loaded again after a week", async () => {
    const original = await jpeg(400, 400);
    const clock = createFakeClock(Date.UTC(2026, 0, 1));
    const first = await open(answerWith(original), { clock });
    const address = `${first.server.origin}/a.jpg`;
    await first.read(address);
    const allowHosts = [first.server.host];
    const next = await open(answerWith(""), { clock, folder: first.folder, allowHosts });

    const again = await next.read(address);
    const requests = first.server.requests.length;
    await clock.advance(8 * 24 * 60 * MINUTE_MS);
    await next.read(address);

    expect([again.state, requests, first.server.requests.length]).toEqual(["made", 1, 2]);
  });

  it("of an image that a server does not give for a moment is the one from before", async () => {
    const original = await jpeg(400, 400);
    let status = 200;
    const thumbnails = await open((_request, response) => {
      response.statusCode = status;
      response.end(original);
    });
    await thumbnails.read("/a.jpg");
    await thumbnails.clock.advance(8 * 24 * 60 * MINUTE_MS);

    status = 503;
    const away = await thumbnails.read("/a.jpg");
    await thumbnails.clock.advance(3 * MINUTE_MS);
    status = 404;
    const gone = await thumbnails.read("/a.jpg");

    expect([away.state, gone.state]).toEqual(["made", "none"]);
  });

  it("that takes long is asked for later, and made meanwhile", async () => {
    const original = await jpeg(400, 400);
    const asked = Promise.withResolvers<() => void>();
    const thumbnails = await open((_request, response) => {
      asked.resolve(() => response.end(original));
    });

    const first = thumbnails.read("/a.jpg");
    const answer = await asked.promise;
    await thumbnails.clock.advance(WAIT_MS);
    const late = await first;
    answer();
    const found = await thumbnails.read("/a.jpg");

    expect([late.state, found.state, thumbnails.server.requests.length]).toEqual([
      "later",
      "made",
      1,
    ]);
  });

  it("of an image that was sent as a data address is made of it", async () => {
    const original = await jpeg(400, 200);
    const thumbnails = await open(answerWith(""));
    const address = `data:image/jpeg;base64,${original.toString("base64")}`;

    const found = await thumbnails.read(address);

    expect(await factsOf(found)).toMatchObject({ width: 96, height: 48 });
  });
});

const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;

describe("what is no image", () => {
  it.each<readonly [what: string, bytes: () => Uint8Array | string | Promise<Uint8Array>]>([
    ["a drawing with a script", () => SVG],
    ["a page", () => "<!doctype html><script>alert(1)</script>"],
    ["nothing", () => ""],
    ["a PNG of 900 million pixels", () => hugePng(30_000)],
    ["half a JPEG", async () => (await jpeg(800, 800)).subarray(0, 4_000)],
    ["a page with the mark of a JPEG", () => Buffer.from([0xff, 0xd8, 0xff, ...Buffer.from(SVG)])],
    ["an animation of another kind", () => Buffer.from("GIF89a\u0001\u0000\u0001\u0000")],
    ["more bytes than an image may have", () => Buffer.alloc(2 * 1024 * 1024, 0xff)],
  ])("becomes no thumbnail, and nothing on disk: %s", async (_what, bytes) => {
    const limits = { imageDownloadMb: 1 };
    const thumbnails = await open(answerWith(await bytes(), "image/png"), { limits });

    const found = await thumbnails.read("/a.png");

    expect([found.state, existing(thumbnails.folder)]).toEqual(["none", []]);
  });
});

function existing(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return files(folder);
}

describe("an address", () => {
  it.each([
    "http://127.0.0.1/a.jpg",
    "http://[::1]/a.jpg",
    "http://169.254.169.254/latest/meta-data",
    "http://name.test/a.jpg",
    "http://user:secret@example.com/a.jpg",
    "ftp://example.com/a.jpg",
    "file:///etc/passwd",
    "/etc/passwd",
    "javascript:alert(1)",
    "",
    "\u0000",
  ])("that no import would call is not called: %s", async (address) => {
    const server = await serve(answerWith(await jpeg(400, 400)));
    const thumbnails = openThumbnails({
      folder: createFolder(),
      clock: createFakeClock(0),
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    onTestFinished(() => thumbnails[Symbol.asyncDispose]());
    const ask = { size: "small", waitMs: WAIT_MS } as const;

    const found = await thumbnails.read({ kind: "address", text: address }, ask);
    const own = await thumbnails.read({ kind: "address", text: server.origin }, ask);

    expect([found.state, own.state, server.requests.length]).toEqual(["none", "none", 0]);
  });

  it.each<readonly [status: number, minutes: number]>([
    [404, 15],
    [503, 2],
  ])("that answers %i is asked again after %i minutes", async (status, minutes) => {
    const thumbnails = await open((_request, response) => {
      response.statusCode = status;
      response.end();
    });
    const ask = (): Promise<Thumbnail> => thumbnails.read("/a.jpg");

    await Promise.all(Array.from({ length: 50 }, ask));
    await ask();
    await thumbnails.clock.advance(minutes * MINUTE_MS - 1);
    await ask();
    const early = thumbnails.server.requests.length;
    await thumbnails.clock.advance(1);
    await ask();

    expect([early, thumbnails.server.requests.length]).toEqual([1, 2]);
  });

  it("of a server that fails again and again is not asked for a while", async () => {
    const thumbnails = await open((_request, response) => void response.destroy());

    for (let at = 0; at < 10; at += 1) await thumbnails.read(`/${at}.jpg`);
    const early = thumbnails.server.requests.length;
    await thumbnails.clock.advance(3 * MINUTE_MS);
    await thumbnails.read("/10.jpg");

    expect([early, thumbnails.server.requests.length]).toEqual([3, 4]);
  });
});

describe("the name of a file", () => {
  it.each(["folder", "zip"])("is looked for in the %s alone", async (kind) => {
    const bytes = await jpeg(400, 400);
    const folder = createFolder();
    const source = join(folder, "images");
    mkdirSync(source);
    writeFileSync(join(source, "ayakkabı.jpg"), bytes);
    writeFileSync(join(folder, "outside.jpg"), bytes);
    writeFileSync(join(folder, "images.zip"), makeZip([{ name: "ayakkabı.jpg", bytes }]));
    const thumbnails = await open(answerWith(""));
    const at = kind === "zip" ? `${source}.zip` : source;
    const names = ["ayakkabı.jpg", "../outside.jpg", join(folder, "outside.jpg"), "missing.jpg"];

    const found: Thumbnail[] = [];
    for (const text of names) {
      found.push(await thumbnails.read({ kind: "file", text, source: at }));
    }

    expect(found.map(({ state }) => state)).toEqual(["made", "none", "none", "none"]);
  });

  it("is no image where nothing holds files, or the folder is gone", async () => {
    const thumbnails = await open(answerWith(""));
    const source = join(createFolder(), "gone");

    const found = [
      await thumbnails.read({ kind: "file", text: "a.jpg" }),
      await thumbnails.read({ kind: "file", text: "a.jpg", source }),
    ];

    expect(found.map(({ state }) => state)).toEqual(["none", "none"]);
  });
});

describe("the folder", () => {
  it("gives no part of a thumbnail, wherever a process was killed while it wrote", async () => {
    const thumbnails = await open(answerWith(await jpeg(400, 400)));
    const whole = await thumbnails.read("/a.jpg");
    const [path = ""] = files(thumbnails.folder);
    const bytes = readFileSync(path);
    const cuts = [0, 1, 2, bytes.length >> 1, bytes.length - 2, bytes.length - 1];
    const parts = [
      ...cuts.map((length) => bytes.subarray(0, length)),
      Buffer.concat([bytes.subarray(0, bytes.length >> 1), Buffer.alloc(bytes.length >> 1)]),
    ];

    const found: Thumbnail[] = [];
    for (const part of parts) {
      writeFileSync(path, part);
      found.push(await thumbnails.read("/a.jpg"));
    }

    expect(found).toEqual(parts.map(() => whole));
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("loses what killed processes have left, and what is too old", async () => {
    const bytes = await jpeg(400, 400);
    const first = await open(answerWith(bytes));
    await first.read("/a.jpg");
    const [old = ""] = files(first.folder);
    writeFileSync(join(dirname(old), "x.jpg-1.part"), bytes);
    const clock = createFakeClock(Date.now() + 61 * 24 * 60 * MINUTE_MS);
    const next = await open(answerWith(bytes), { folder: first.folder, clock });

    await next.read("/b.jpg");
    await next[Symbol.asyncDispose]();

    expect(files(first.folder).map((path) => basename(path))).toEqual([
      expect.stringMatching(/^[\da-f]{62}\.jpg$/u),
    ]);
  });

  it("stays below its bound, and keeps what was used last", async () => {
    const bytes = await jpeg(400, 400);
    const one = await open(answerWith(bytes));
    const made = await one.read("/one.jpg");
    const sizeBytes = made.state === "made" ? made.bytes.byteLength : 0;
    const thumbnails = await open(answerWith(bytes), { maxBytes: sizeBytes * 10 });

    await thumbnails.read("/often.jpg");
    for (let at = 0; at < 40; at += 1) {
      await thumbnails.clock.advance(61 * MINUTE_MS);
      await thumbnails.read("/often.jpg");
      await thumbnails.read(`/${at}.jpg`);
    }
    await thumbnails[Symbol.asyncDispose]();

    const often = thumbnails.server.requests.filter(({ url }) => url === "/often.jpg");
    expect(files(thumbnails.folder).length).toBeLessThanOrEqual(10);
    expect([files(thumbnails.folder).length > 4, often.length]).toEqual([true, 1]);
  });

  it("that cannot be written keeps nothing, and the thumbnail is given", async () => {
    const place = createFolder();
    writeFileSync(join(place, "file"), "");
    const bytes = await jpeg(400, 400);
    const thumbnails = await open(answerWith(bytes), { folder: join(place, "file", "below") });

    const found = [await thumbnails.read("/a.jpg"), await thumbnails.read("/a.jpg")];

    expect(found.map(({ state }) => state)).toEqual(["made", "made"]);
  });
});
