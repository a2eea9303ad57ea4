import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import sharp from "sharp";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../../test/helpers/source-paths.ts";
import { createDecoder, type Decoder } from "../../src/decode/decoder.ts";
import { DEFAULT_PREPARE } from "../../src/index.ts";
import { drawing, hugePng, jpeg, plain } from "../helpers/make-images.ts";

function open(): Decoder {
  const decoder = createDecoder({ processes: 1 });
  onTestFinished(() => decoder[Symbol.asyncDispose]());
  return decoder;
}

const outcome = async (decoder: Decoder, bytes: Uint8Array): Promise<string> => {
  const found = await decoder.inspect(bytes);
  return found.ok ? "ok" : found.problem.code;
};

/** Folders of decoders that are at work. */
async function prepare(bytes: Uint8Array, settings = DEFAULT_PREPARE): Promise<Uint8Array> {
  const made = await open().prepare(bytes, settings);
  if (!made.ok) throw new Error(made.problem.code);
  return made.value.bytes;
}

function isDecoderOfOurs(pid: string): boolean {
  try {
    const [, parent] = /\) \S (\d+) /u.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return parent === String(process.pid) && command.includes("decoder-process");
  } catch {
    // The process has ended meanwhile, or the entry is no process.
    return false;
  }
}

describe("createDecoder", () => {
  it("detects the type of an image, whatever its name is", async () => {
    const decoder = open();
    const found = await Promise.all(
      [
        await drawing(400, 300).jpeg().toBuffer(),
        await drawing(400, 300).png().toBuffer(),
        await drawing(400, 300).webp().toBuffer(),
      ].map((bytes) => decoder.inspect(bytes)),
    );

    expect(found.map((each) => each.ok && each.value)).toMatchObject([
      { type: "jpeg", width: 400, height: 300, isBlank: false },
      { type: "png", width: 400, height: 300, isBlank: false },
      { type: "webp", width: 400, height: 300, isBlank: false },
    ]);
  });

  it("measures an image after its orientation", async () => {
    const turned = await drawing(400, 300).jpeg().withMetadata({ orientation: 6 }).toBuffer();

    const found = await open().inspect(turned);

    expect(found).toMatchObject({ ok: true, value: { width: 300, height: 400 } });
  });

  it("refuses a PNG of 900 million pixels by its header", async () => {
    const decoder = open();
    const bomb = hugePng(30_000);
    await decoder.inspect(await jpeg(40, 40));

    const before = performance.now();
    const found = await decoder.inspect(bomb);
    const took = performance.now() - before;

    expect(bomb.byteLength).toBeLessThan(200_000);
    expect(found).toMatchObject({ problem: { code: "E_IMG_PIXELS", params: { width: "30000" } } });
    // Decoding would take several seconds; the limit allows for a busy machine.
    expect(took).toBeLessThan(1_000);
  });

  it("decodes as many pixels as the limit allows", async () => {
    const [small, large] = [await jpeg(400, 300), await jpeg(2000, 1000)];
    await using decoder = createDecoder({ limits: { imageMegapixels: 1 } });

    expect(await decoder.inspect(small)).toMatchObject({ ok: true });
    expect(await decoder.inspect(large)).toMatchObject({
      problem: { code: "E_IMG_PIXELS", params: { limit: "1" } },
    });
  });

  it.each([
    ["a plain SVG", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`],
    [
      "an SVG that includes a file",
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&f;</text></svg>`,
    ],
    [
      "an entity bomb",
      `<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>`,
    ],
    ["an HTML page", "<!doctype html><title>not found</title>"],
    ["a text", "hello"],
  ])("refuses %s without opening it", async (_, text) => {
    expect(await outcome(open(), Buffer.from(text))).toBe("E_IMG_TYPE");
  });

  it("refuses formats other than JPEG, PNG and WebP", async () => {
    const decoder = open();
    const gif = await plain(40, 40).gif().toBuffer();
    const tiff = await plain(40, 40).tiff().toBuffer();
    const avif = await plain(40, 40).avif().toBuffer();

    const found = [gif, tiff, avif].map((bytes) => outcome(decoder, bytes));

    expect(await Promise.all(found)).toEqual(["E_IMG_TYPE", "E_IMG_TYPE", "E_IMG_TYPE"]);
  });

  it("refuses bytes with a valid beginning that do not decode", async () => {
    const decoder = open();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"/>`;
    const dressed = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]);

    expect(await outcome(decoder, dressed)).toBe("E_IMG_CORRUPT");
  });

  it.each([0.5, 0.9, 0.99])("refuses a JPEG cut off after %d of its bytes", async (share) => {
    const whole = await jpeg(800, 600);

    expect(await outcome(open(), whole.subarray(0, Math.floor(whole.length * share)))).toBe(
      "E_IMG_CORRUPT",
    );
  });

  it("reports an empty file as empty", async () => {
    expect(await outcome(open(), Buffer.alloc(0))).toBe("E_IMG_EMPTY");
  });

  it("distinguishes an image of one colour from any other", async () => {
    const decoder = open();
    const white = await decoder.inspect(await plain(400, 400).jpeg().toBuffer());
    const empty = sharp({ create: { width: 400, height: 400, channels: 4, background: "#0000" } });

    expect(white).toMatchObject({ value: { isBlank: true } });
    expect(await decoder.inspect(await empty.png().toBuffer())).toMatchObject({
      value: { isBlank: true },
    });
  });

  it("decodes further images after it refused one", async () => {
    const decoder = open();
    const whole = await jpeg(300, 300);

    const found = [await outcome(decoder, whole.subarray(0, 2_000)), await outcome(decoder, whole)];

    expect(found).toEqual(["E_IMG_CORRUPT", "ok"]);
  });

  it.runIf(process.platform === "linux")("gives the decoding process no environment", async () => {
    await open().inspect(await jpeg(300, 300));

    const children = readdirSync("/proc").filter((pid) => isDecoderOfOurs(pid));

    expect(children.length).toBeGreaterThan(0);
    for (const pid of children) {
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toBe("VIPS_BLOCK_UNTRUSTED=1\0");
    }
  });

  it("leaves no file behind when it is disposed of", async () => {
    const folder = await mkdtemp(join(tmpdir(), "decoder-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const decoder = createDecoder({ processes: 1 });
    await decoder.inspect(await jpeg(300, 300));
    const during = await readdir(folder);

    await decoder[Symbol.asyncDispose]();

    expect(during).not.toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("preparing an image", () => {
  it("turns it upright, limits the longer edge and removes metadata", async () => {
    const original = await drawing(2400, 1200)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: "someone" }, IFD3: { GPSLatitude: "41/1 0/1 0/1" } })
      .toBuffer();
    const copy = Buffer.from(original);

    const made = await prepare(original);

    const { format, width, height, exif, orientation, icc, space } = await sharp(made).metadata();
    expect({ format, width, height, space }).toEqual({
      format: "jpeg",
      width: 800,
      height: 1600,
      space: "srgb",
    });
    expect({ exif, orientation, icc }).toEqual({});
    expect(original.equals(copy)).toBe(true);
  });

  it("never enlarges it", async () => {
    const { width, height } = await sharp(await prepare(await jpeg(300, 200))).metadata();

    expect([width, height]).toEqual([300, 200]);
  });

  it("converts other colour spaces to sRGB", async () => {
    const cmyk = await drawing(400, 400).toColourspace("cmyk").jpeg().toBuffer();

    const { space, channels } = await sharp(await prepare(cmyk)).metadata();

    expect({ space, channels }).toEqual({ space: "srgb", channels: 3 });
  });

  it("makes transparent parts white", async () => {
    const clear = sharp({ create: { width: 300, height: 300, channels: 4, background: "#0000" } });

    const made = await prepare(await clear.png().toBuffer());

    expect([...(await sharp(made).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it("lowers the quality, then the edge, until the file is small enough", async () => {
    const noise = Buffer.alloc(900 * 900 * 3);
    for (let at = 0, state = 7; at < noise.length; at += 1) {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      noise[at] = state >> 16;
    }
    const raw = { width: 900, height: 900, channels: 3 } as const;
    const original = await sharp(noise, { raw }).jpeg({ quality: 95 }).toBuffer();

    const made = await prepare(original, { maxEdge: 900, targetBytes: 120_000, quality: 82 });

    expect(original.byteLength).toBeGreaterThan(500_000);
    expect(made.byteLength).toBeLessThanOrEqual(120_000);
  });

  it("drops bytes behind the end of an image", async () => {
    const polyglot = Buffer.concat([await jpeg(300, 300), Buffer.from("<?php system('id'); ?>")]);

    const made = await prepare(polyglot);

    expect(Buffer.from(made).includes("<?php")).toBe(false);
  });
});

const WORK = toAbsolutePath(SOURCE_PATHS.imageWork);

/**
 * A separate process, because what is blocked in the library stays blocked until the process ends.
 */
const PROGRAM = `
  import { restrictLibrary } from ${JSON.stringify(WORK)};
  import sharp from "sharp";
  const blank = () => sharp({ create: { width: 20, height: 20, channels: 3, background: "#123456" } });
  const made = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    gif: await blank().gif().toBuffer(),
    tiff: await blank().tiff().toBuffer(),
    avif: await blank().avif().toBuffer(),
    jpeg: await blank().jpeg().toBuffer(),
    png: await blank().png().toBuffer(),
    webp: await blank().webp().toBuffer(),
  };
  restrictLibrary();
  const opened = [];
  for (const [name, bytes] of Object.entries(made)) {
    await sharp(bytes).metadata().then(() => opened.push(name), () => undefined);
  }
  console.log(JSON.stringify(opened));
`;

it("restrictLibrary keeps only the loaders of three formats", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--no-warnings", "-e", PROGRAM],
    { cwd: fileURLToPath(new URL("../..", import.meta.url)) },
  );

  expect(JSON.parse(stdout)).toEqual(["jpeg", "png", "webp"]);
});
