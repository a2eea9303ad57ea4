/** Options for the images of a file, from settings and flags. */

import type { PrepareSettings } from "./decode/decode-protocol.ts";
import type { ImageLimits, ImageRules } from "./image-rules.ts";
import type { UploadTarget } from "./send/upload.ts";

/**
 * `strict`: a broken image keeps its row from being sent; `warn`: it is only reported; `off`:
 * images are not checked.
 */
export type ImageMode = "strict" | "warn" | "off";

/**
 * Form of an image in a request, which the specification does not show (section Products, add): its
 * address, an object with the address as `url`, or the prepared image itself as a data address.
 */
export type ImageShape = "address" | "object" | "data-uri";

/** All fields are optional; without any, images are neither checked nor uploaded. */
export interface ImageOptions {
  /** @default "strict" where `source` is given, else "off" */
  readonly mode?: ImageMode | undefined;
  /** Absolute path of a folder or a zip with the images that cells name by file name. */
  readonly source?: string | undefined;
  /**
   * Whether `source` may be missing: retried rows then get the images that were sent for them
   * before. @default false, a missing source is refused
   */
  readonly maySourceBeGone?: boolean | undefined;
  /** @default "address" */
  readonly send?: ImageShape | undefined;
  /** Where image files are uploaded to get an address. @default nowhere */
  readonly upload?: UploadTarget | undefined;
  /** The company's own servers in a private network, as `host` or `host:port`. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly rules?: Partial<ImageRules> | undefined;
  readonly prepare?: Partial<PrepareSettings> | undefined;
  /** @default {@link DEFAULT_IMAGE_LIMITS} */
  readonly limits?: Partial<ImageLimits> | undefined;
  /** Maximum number of images handled at a time. @default 6 */
  readonly concurrency?: number | undefined;
  /** Checks every image again, without using stored checks. @default false */
  readonly isAgain?: boolean | undefined;
}
