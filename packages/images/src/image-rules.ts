/**
 * The shop's rules for images, the limits on the resources that images may use (`docs/limits.md`
 * lists them for people), and the comparison of two images of a product.
 */

import { formatBytes, formatNumber, type Lang, type Localized } from "@catalog/i18n";

import type { DecodedFacts } from "./decode/decode-protocol.ts";
import { type ImageProblem, problem } from "./problem.ts";

export interface ImageLimits {
  /** Maximum size of an original in a folder or a zip, in MB. @default 40 */
  readonly imageMb: number;
  /** Maximum size of an image at an address, in MB. @default 15 */
  readonly imageDownloadMb: number;
  /** Maximum time of its download in seconds, redirects included. @default 20 */
  readonly imageDownloadSeconds: number;
  /** Maximum number of pixels that are decoded, in millions. @default 50 */
  readonly imageMegapixels: number;
  /** Maximum number of entries of a zip of images. @default 250000 */
  readonly imageZipEntries: number;
  /** Maximum compression ratio of an image in a zip; images hardly compress further. @default 200 */
  readonly imageZipRatio: number;
  /** Maximum heap of a process that decodes images, in MB. @default 256 */
  readonly decoderHeapMb: number;
  /** Maximum time to decode one image, in seconds. @default 30 */
  readonly decoderSeconds: number;
}

/** The limits that apply unless settings change them. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  imageMb: 40,
  imageDownloadMb: 15,
  imageDownloadSeconds: 20,
  imageMegapixels: 50,
  imageZipEntries: 250_000,
  imageZipRatio: 200,
  decoderHeapMb: 256,
  decoderSeconds: 30,
};

/** Bytes of a megabyte, the unit of these limits. */
export const MB: number = 1024 * 1024;

/** The facts of an image. */
export interface ImageFacts extends DecodedFacts {
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Limits of an image; edges are in pixels. */
export interface ImageRules {
  /** Minimum of the shorter edge. @default 300 */
  readonly minEdge: number;
  /** Maximum of the longer edge. @default 12000 */
  readonly maxEdge: number;
  /** @default 1 */
  readonly minBytes: number;
  /** @default 10 MB */
  readonly maxBytes: number;
  /** Maximum ratio of the longer edge to the shorter. @default 4 */
  readonly maxAspect: number;
}

/** The rules that apply unless settings change them. */
export const DEFAULT_RULES: ImageRules = {
  minEdge: 300,
  maxEdge: 12_000,
  minBytes: 1,
  maxBytes: 10 * 1024 * 1024,
  maxAspect: 4,
};

/** Returns every problem of an image by the rules. */
export function checkImageRules(facts: ImageFacts, rules: ImageRules): readonly ImageProblem[] {
  const { width, height, sizeBytes } = facts;
  const shorter = Math.min(width, height);
  const longer = Math.max(width, height);
  const edges = { width: String(width), height: String(height) };
  const found: ImageProblem[] = [];
  if (shorter < rules.minEdge) {
    found.push(problem("E_IMG_SMALL", { ...edges, limit: String(rules.minEdge) }));
  }
  if (longer > rules.maxEdge) {
    found.push(problem("E_IMG_LARGE", { ...edges, limit: String(rules.maxEdge) }));
  }
  if (sizeBytes < rules.minBytes || sizeBytes > rules.maxBytes) {
    const limit = inEach((lang) =>
      [rules.minBytes, rules.maxBytes].map((bytes) => formatBytes(bytes, lang)).join(" – "),
    );
    const setting = sizeBytes < rules.minBytes ? "images.minBytes" : "images.maxBytes";
    found.push(problem("E_IMG_SIZE", { size: sizeText(sizeBytes), limit, setting }));
  }
  if (longer > rules.maxAspect * shorter) {
    const [aspect, limit] = [aspectText(longer / shorter), aspectText(rules.maxAspect)];
    found.push(problem("E_IMG_ASPECT", { ...edges, aspect, limit }));
  }
  // A tiny image is often of one colour; its size is reported already.
  if (facts.isBlank && found.length === 0) found.push(problem("E_IMG_BLANK"));
  return found;
}

const inEach = (format: (lang: Lang) => string): Localized => ({
  tr: format("tr"),
  en: format("en"),
});

/** A size in bytes for people. */
export const sizeText = (bytes: number): Localized => inEach((lang) => formatBytes(bytes, lang));

const aspectText = (ratio: number): Localized =>
  inEach((lang) => `${formatNumber(ratio, lang, { maxDecimals: 1 })} : 1`);

/** Of 256 bits. Saving an image again changes a few; another view of the product changes dozens. */
const MAX_DIFFERENT_BITS = 10;

/**
 * Compares two images: `same` by content, `alike` by perceptual hash. Blank images are never alike,
 * because their hash says nothing.
 */
export function compareImages(a: ImageFacts, b: ImageFacts): "same" | "alike" | "different" {
  if (a.sha256 === b.sha256) return "same";
  if (a.isBlank || b.isBlank) return "different";
  return countDifferentBits(a.look, b.look) <= MAX_DIFFERENT_BITS ? "alike" : "different";
}

function countDifferentBits(a: string, b: string): number {
  const left = Buffer.from(a, "hex");
  const right = Buffer.from(b, "hex");
  let count = 0;
  for (const [index, byte] of left.entries()) {
    for (let rest = byte ^ (right[index] ?? 0); rest > 0; rest &= rest - 1) count += 1;
  }
  return count;
}
