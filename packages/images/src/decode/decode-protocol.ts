/** What the decoding process is told and what it answers, one JSON document a line. */

import { type PictureProblem } from "../problem.ts";
import { type PictureType } from "./image-type.ts";

/** What decoding a picture tells. */
export interface DecodedFacts {
  readonly type: PictureType;
  /** As it is to be looked at: after the orientation of its metadata. */
  readonly width: number;
  readonly height: number;
  /** Perceptual hash, 256 bits in hexadecimal. */
  readonly look: string;
  /** Of one colour all over. */
  readonly isBlank: boolean;
  /** A small WebP, in base64. */
  readonly thumbnail: string;
}

/** How a picture is prepared. */
export interface PrepareSettings {
  /** Longest edge of the result, in pixels. A smaller picture stays as small. @default 1600 */
  readonly maxEdge: number;
  /** Quality is lowered until the file is no larger. @default 500 kB */
  readonly targetBytes: number;
  /** Of the first try, 1 to 100. @default 82 */
  readonly quality: number;
}

/** What came of preparing: always a JPEG. */
export interface PreparedFacts {
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
}

/** A prepared picture. */
export interface PreparedPicture {
  readonly facts: PreparedFacts;
  readonly bytes: Uint8Array;
}

export interface InspectOrder {
  readonly kind: "inspect";
  /** The file to read. */
  readonly path: string;
}

export interface PrepareOrder {
  readonly kind: "prepare";
  readonly path: string;
  /** The file to write. */
  readonly outPath: string;
  readonly settings: PrepareSettings;
}

export type DecodeOrder = InspectOrder | PrepareOrder;

export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: PictureProblem };

/** Answers to the kinds of orders. */
export interface DecodeAnswers {
  readonly inspect: Decoded<DecodedFacts>;
  readonly prepare: Decoded<PreparedFacts>;
}
