/** What a shop expects of its pictures, as settings. */

import { type DecodedFacts } from "./decode/decode-protocol.ts";
import { type PictureProblem, problem } from "./problem.ts";

/** All that is known of a picture. */
export interface PictureFacts extends DecodedFacts {
  readonly sizeBytes: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Limits for pictures, edges in pixels. */
export interface PictureRules {
  /** Of the shorter edge. @default 300 */
  readonly minEdge: number;
  /** Of the longer edge. @default 12000 */
  readonly maxEdge: number;
  /** @default 1 */
  readonly minBytes: number;
  /** @default 10 MB */
  readonly maxBytes: number;
  /** The longer edge divided by the shorter. @default 4 */
  readonly maxAspect: number;
}

/** What holds where nothing is set. */
export const DEFAULT_RULES: PictureRules = {
  minEdge: 300,
  maxEdge: 12_000,
  minBytes: 1,
  maxBytes: 10 * 1024 * 1024,
  maxAspect: 4,
};

/** Everything in which a picture breaks the rules. */
export function judgePicture(facts: PictureFacts, rules: PictureRules): readonly PictureProblem[] {
  const { width, height, sizeBytes } = facts;
  const shorter = Math.min(width, height);
  const longer = Math.max(width, height);
  const edges = { width: String(width), height: String(height) };
  const found: PictureProblem[] = [];
  if (shorter < rules.minEdge) {
    found.push(problem("E_IMG_SMALL", { ...edges, limit: String(rules.minEdge) }));
  }
  if (longer > rules.maxEdge) {
    found.push(problem("E_IMG_LARGE", { ...edges, limit: String(rules.maxEdge) }));
  }
  if (sizeBytes < rules.minBytes || sizeBytes > rules.maxBytes) {
    const limit = `${formatBytes(rules.minBytes)} – ${formatBytes(rules.maxBytes)}`;
    found.push(problem("E_IMG_SIZE", { size: formatBytes(sizeBytes), limit }));
  }
  if (longer > rules.maxAspect * shorter) {
    const aspect = `${Number((longer / shorter).toFixed(1))} : 1`;
    found.push(problem("E_IMG_ASPECT", { ...edges, aspect, limit: `${rules.maxAspect} : 1` }));
  }
  // A picture of one pixel is of one colour; that it is too small says enough.
  if (facts.isBlank && found.length === 0) found.push(problem("E_IMG_BLANK"));
  return found;
}

const KILOBYTE = 1024;

/** A size as people read it. */
export function formatBytes(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`;
  if (bytes < KILOBYTE * KILOBYTE) return `${Math.round(bytes / KILOBYTE)} kB`;
  return `${(bytes / KILOBYTE / KILOBYTE).toFixed(1).replace(/\.0$/u, "")} MB`;
}
