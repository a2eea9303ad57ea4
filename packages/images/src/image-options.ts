/** What is asked of the pictures of a file, as settings and flags say it. */

import type { PrepareSettings } from "./decode/decode-protocol.ts";
import type { PictureRules } from "./image-rules.ts";
import type { UploadTarget } from "./send/upload.ts";

/** A broken picture keeps its row from being sent, is only said, or is not looked for. */
export type PictureMode = "strict" | "warn" | "off";

/**
 * How a picture is handed to the marketplace, which the specification does not show: its address, an
 * object with the address as `url`, or the prepared picture itself as a data address.
 */
export type PictureShape = "address" | "object" | "data-uri";

/** All of it may be left out; then pictures are neither looked at nor uploaded. */
export interface PictureOptions {
  /** @default "strict" where `source` is given, else "off" */
  readonly mode?: PictureMode | undefined;
  /** A folder or a zip with the pictures that are named by file names, absolute. */
  readonly source?: string | undefined;
  /**
   * Where `source` is gone, rows that are tried again get the images that were sent for them before.
   * @default false, a source that is gone is refused
   */
  readonly maySourceBeGone?: boolean | undefined;
  /** @default "address" */
  readonly send?: PictureShape | undefined;
  /** Where files go to get an address. @default nowhere */
  readonly upload?: UploadTarget | undefined;
  /** Own servers in a private network, as `host` or `host:port`. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly rules?: Partial<PictureRules> | undefined;
  readonly prepare?: Partial<PrepareSettings> | undefined;
  /** Pictures under way at a time. @default 6 */
  readonly concurrency?: number | undefined;
  /** Looks at every picture again, whatever is remembered. @default false */
  readonly isAgain?: boolean | undefined;
}
