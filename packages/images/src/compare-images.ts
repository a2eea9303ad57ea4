/** Compares two images of a product: the same, or visually alike. */

import type { ImageFacts } from "./image-rules.ts";

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
