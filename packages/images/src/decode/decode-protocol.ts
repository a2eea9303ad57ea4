/**
 * The protocol of the decoding process, one JSON document per line. Types of images are detected by
 * their first bytes and never by their name.
 */

import type { ImageProblem } from "../problem.ts";

type ImageType = "jpeg" | "png" | "webp";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
const WEBP_OFFSET = 8;

/** The type that the first bytes claim; only decoding proves it. */
export function detectType(bytes: Uint8Array): ImageType | undefined {
  const has = (signature: readonly number[], offset = 0): boolean =>
    signature.every((byte, index) => bytes[offset + index] === byte);
  if (has(JPEG)) return "jpeg";
  if (has(PNG)) return "png";
  return has(RIFF) && has(WEBP, WEBP_OFFSET) ? "webp" : undefined;
}

/** Facts that decoding an image gives. */
export interface DecodedFacts {
  readonly type: ImageType;
  /** Width as displayed, after applying the orientation of its metadata. */
  readonly width: number;
  readonly height: number;
  /** Perceptual hash, 256 bits in hexadecimal. */
  readonly look: string;
  /** Whether all of it has one colour. */
  readonly isBlank: boolean;
  /** A small WebP, in base64. */
  readonly thumbnail: string;
}

/** Settings for preparing an image. */
export interface PrepareSettings {
  /** Maximum edge of the result, in pixels. A smaller image is not enlarged. @default 1600 */
  readonly maxEdge: number;
  /** Maximum size in bytes; the quality is lowered until the file fits. @default 500 kB */
  readonly targetBytes: number;
  /** Quality of the first try, 1 to 100. @default 82 */
  readonly quality: number;
}

/** Facts of a prepared image, which is always a JPEG. */
export interface PreparedFacts {
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
}

/** A prepared image. */
export interface PreparedImage {
  readonly facts: PreparedFacts;
  readonly bytes: Uint8Array;
}

/** Limits of decoding one image. */
export interface DecodeLimits {
  /** Maximum number of pixels, in millions. */
  readonly megapixels: number;
  /** Maximum time of the library. */
  readonly seconds: number;
}

interface InspectOrder {
  readonly kind: "inspect";
  /** Path of the file to read. */
  readonly path: string;
  readonly limits: DecodeLimits;
}

export interface PrepareOrder {
  readonly kind: "prepare";
  readonly path: string;
  readonly limits: DecodeLimits;
  /** Path of the file to write. */
  readonly outPath: string;
  readonly settings: PrepareSettings;
}

export type DecodeOrder = InspectOrder | PrepareOrder;

/** A result, or the problem of the image. */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ImageProblem };

/** The answers to each kind of order. */
export interface DecodeAnswers {
  readonly inspect: Decoded<DecodedFacts>;
  readonly prepare: Decoded<PreparedFacts>;
}
