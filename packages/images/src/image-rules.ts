/** The shop's rules for images, as settings. */

import { formatBytes, formatNumber, type Lang, type Localized } from "@catalog/i18n";

import type { DecodedFacts } from "./decode/decode-protocol.ts";
import { type ImageProblem, problem } from "./problem.ts";

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
