/** Options for the images of a file, and the interface that resolves the images of its rows. */

import type { ProductImage } from "@catalog/contract";
import type { Lang } from "@catalog/i18n";
import type { ImageOptions } from "@catalog/images";
import type { ColumnMapping, MappedRow } from "@catalog/mapping";
import type { ImageSettings, RunWarning, RunSheets } from "@catalog/runs";

import type { ResolvedRow } from "./resolve-row-images.ts";

export interface OpenImagesOptions extends RunSheets {
  readonly images: ImageOptions | undefined;
  /** The file that names the images. */
  readonly path: string;
  readonly lang: Lang;
  /** Folder of the page that shows the images. */
  readonly reportDir: string;
  readonly runId: string;
  readonly mapping: ColumnMapping;
  readonly signal: AbortSignal | undefined;
  /** Requests that were sent for rows of a retry. @default no row is retried */
  readonly sentImages?: SentImages | undefined;
}

/** The request that was sent for a row before; `undefined` where none was. */
export type SentImages = (row: number) => Promise<SentRequest | undefined>;

export interface SentRequest {
  /** Missing where an update did not change the images. */
  readonly images: readonly ProductImage[] | undefined;
}

export interface RowImages extends AsyncDisposable {
  /** Settings that are stored with the run, for a retry. */
  readonly settings: ImageSettings;
  /** Names of files are accepted as images. */
  readonly takesFiles: boolean;
  /** Resolves the images of a row; where nothing is checked, at once, as a promise takes time. */
  resolve(mapped: MappedRow): ResolvedRow | Promise<ResolvedRow>;
  /** Writes the page, and returns the warnings about all images. */
  finish(): Promise<readonly RunWarning[]>;
}
