/**
 * Operations on the pixels of untrusted images, in a process of its own. The library keeps only the
 * loaders of three formats; anything else is not opened, whatever type it claims.
 */

import sharp, { type Sharp, type SharpOptions } from "sharp";

import { problem } from "../problem.ts";
import {
  type Decoded,
  type DecodedFacts,
  type DecodeLimits,
  detectType,
  type PreparedImage,
  type PrepareOrder,
  type PrepareSettings,
} from "./decode-protocol.ts";

const PIXELS_A_MEGAPIXEL = 1_000_000;

/** Blocks every loader but three, and limits the library's use of the processor. */
export function restrictLibrary(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: [
      "VipsForeignLoadJpegBuffer",
      "VipsForeignLoadPngBuffer",
      "VipsForeignLoadWebpBuffer",
    ],
  });
  sharp.concurrency(1);
  sharp.cache(false);
}

const INPUT: SharpOptions = {
  failOn: "warning",
  sequentialRead: true,
  pages: 1,
};

interface OpenedImage {
  readonly facts: Pick<DecodedFacts, "type" | "width" | "height">;
  readonly hasAlpha: boolean;
}

/** Reads the header only, so that an image that is too large is not decoded. */
async function openImage(
  bytes: Uint8Array,
  { megapixels }: DecodeLimits,
): Promise<Decoded<OpenedImage>> {
  const type = detectType(bytes);
  if (type === undefined) return { ok: false, problem: problem("E_IMG_TYPE") };
  const header = await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata();
  if (header.format !== type) return { ok: false, problem: problem("E_IMG_TYPE") };
  const { width, height } = header.autoOrient;
  if (width * height > megapixels * PIXELS_A_MEGAPIXEL) {
    const limit = String(megapixels);
    const params = { width: String(width), height: String(height), limit };
    return { ok: false, problem: problem("E_IMG_PIXELS", params) };
  }
  return { ok: true, value: { facts: { type, width, height }, hasAlpha: header.hasAlpha } };
}

const THUMBNAIL_EDGE = 128;
const THUMBNAIL_QUALITY = 60;

/** Decodes an image far enough to know that it is complete, and computes its facts. */
export async function inspectImage(
  bytes: Uint8Array,
  limits: DecodeLimits,
): Promise<Decoded<DecodedFacts>> {
  return await refuseDamaged(async () => {
    const opened = await openImage(bytes, limits);
    if (!opened.ok) return opened;
    const size = { width: THUMBNAIL_EDGE, height: THUMBNAIL_EDGE };
    const small = await upright(bytes, limits)
      .resize({ ...size, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = small.info;
    const pixels = (): Sharp => sharp(small.data, { raw: { width, height, channels } });
    const thumbnail = await pixels().webp({ quality: THUMBNAIL_QUALITY }).toBuffer();
    return {
      ok: true,
      value: {
        ...opened.value.facts,
        look: await perceptualHash(pixels()),
        isBlank: isOneColour(small.data, channels),
        thumbnail: thumbnail.toString("base64"),
      },
    };
  });
}

function upright(bytes: Uint8Array, { megapixels, seconds }: DecodeLimits): Sharp {
  return sharp(bytes, { ...INPUT, limitInputPixels: megapixels * PIXELS_A_MEGAPIXEL })
    .timeout({ seconds })
    .autoOrient()
    .toColourspace("srgb");
}

const HASH_EDGE = 16;

/**
 * Perceptual hash of a small grey image: one bit per pixel, set where it is lighter than its right
 * neighbour.
 */
async function perceptualHash(pixels: Sharp): Promise<string> {
  const width = HASH_EDGE + 1;
  const grey = await pixels
    .resize({ width, height: HASH_EDGE, fit: "fill" })
    .greyscale()
    .raw()
    .toBuffer();
  const bytes = Buffer.alloc((HASH_EDGE * HASH_EDGE) / 8);
  for (let bit = 0; bit < HASH_EDGE * HASH_EDGE; bit += 1) {
    const at = Math.floor(bit / HASH_EDGE) * width + (bit % HASH_EDGE);
    const isLighter = (grey[at] ?? 0) > (grey[at + 1] ?? 0);
    if (isLighter) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return bytes.toString("hex");
}

/** Maximum difference between pixels of one colour: the noise of compression. */
const MAX_NOISE = 8;

function isOneColour(pixels: Uint8Array, channels: number): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    let min = 255;
    let max = 0;
    for (let at = channel; at < pixels.length; at += channels) {
      const value = pixels[at] ?? 0;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    if (max - min > MAX_NOISE) return false;
  }
  return true;
}

/** Factors of the quality, tried in order for each factor of the edge. */
const QUALITY_STEPS = [1, 0.9, 0.8, 0.7, 0.6, 0.5];
const EDGE_STEPS = [1, 0.75, 0.5];

/**
 * Makes a JPEG for a shop: upright, sRGB, without metadata, within the maximum edge and never
 * enlarged. Transparent parts become white. Tries lower qualities, then smaller edges, until the
 * file fits; if none fits, the smallest is returned.
 */
export async function prepareImage(
  bytes: Uint8Array,
  { settings, limits }: Pick<PrepareOrder, "settings" | "limits">,
): Promise<Decoded<PreparedImage>> {
  return await refuseDamaged(async () => {
    const opened = await openImage(bytes, limits);
    if (!opened.ok) return opened;
    let made: PreparedImage | undefined;
    for (const [edge, quality] of attempts(settings)) {
      made = await encode(bytes, { edge, quality, limits, hasAlpha: opened.value.hasAlpha });
      if (made.facts.sizeBytes <= settings.targetBytes) break;
    }
    if (made === undefined) throw new Error("no attempt was made");
    return { ok: true, value: made };
  });
}

function* attempts({ maxEdge, quality }: PrepareSettings): Generator<readonly [number, number]> {
  for (const edge of EDGE_STEPS) {
    for (const step of QUALITY_STEPS) {
      yield [Math.max(1, Math.round(maxEdge * edge)), Math.max(1, Math.round(quality * step))];
    }
  }
}

interface Attempt {
  readonly edge: number;
  readonly quality: number;
  readonly hasAlpha: boolean;
  readonly limits: DecodeLimits;
}

async function encode(
  bytes: Uint8Array,
  { edge, quality, hasAlpha, limits }: Attempt,
): Promise<PreparedImage> {
  const size = { width: edge, height: edge };
  const resized = upright(bytes, limits).resize({
    ...size,
    fit: "inside",
    withoutEnlargement: true,
  });
  const opaque = hasAlpha ? resized.flatten({ background: "#ffffff" }) : resized;
  const { data, info } = await opaque.jpeg({ quality }).toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { facts: { width, height, sizeBytes: data.byteLength }, bytes: data };
}

async function refuseDamaged<T>(work: () => Promise<Decoded<T>>): Promise<Decoded<T>> {
  try {
    return await work();
  } catch (error) {
    const words = error instanceof Error ? error.message : "";
    if (/timeout/iu.test(words)) return { ok: false, problem: problem("E_IMG_SLOW") };
    const isForeign = /unsupported image format|unsupported operation|blocked/iu.test(words);
    return { ok: false, problem: problem(isForeign ? "E_IMG_TYPE" : "E_IMG_CORRUPT") };
  }
}
