/** Limits of downloads, from settings. */

import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB } from "../image-limits.ts";
import type { BodyLimits } from "./body-limits.ts";

/** Limits of the download of a table or a feed. */
export interface DownloadLimits {
  /** Maximum size in MB. @default 1024 */
  readonly downloadMb: number;
  /** Maximum time in seconds, redirects included. @default 1800 */
  readonly downloadSeconds: number;
}

/** The limits that apply unless settings change them. */
export const DEFAULT_DOWNLOAD_LIMITS: DownloadLimits = { downloadMb: 1024, downloadSeconds: 1800 };

type GivenLimits = Pick<BodyLimits, "maxBytes" | "totalMs" | "settings">;

/** Limits of the download of a table or a feed. */
export function fileDownloadLimits(given: Partial<DownloadLimits> = {}): GivenLimits {
  const { downloadMb, downloadSeconds } = { ...DEFAULT_DOWNLOAD_LIMITS, ...given };
  return {
    maxBytes: downloadMb * MB,
    totalMs: downloadSeconds * 1000,
    settings: { maxBytes: "downloadMb", totalMs: "downloadSeconds" },
  };
}

/** Limits of the download of an image. */
export function imageDownloadLimits(given: Partial<ImageLimits> = {}): GivenLimits {
  const { imageDownloadMb, imageDownloadSeconds } = { ...DEFAULT_IMAGE_LIMITS, ...given };
  return {
    maxBytes: imageDownloadMb * MB,
    totalMs: imageDownloadSeconds * 1000,
    settings: { maxBytes: "imageDownloadMb", totalMs: "imageDownloadSeconds" },
  };
}
