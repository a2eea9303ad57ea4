/** What is asked of the pictures of a file, and what its rows get of them. */

import { type ProductImage } from "@catalog/contract";
import { type Lang } from "@catalog/i18n";
import { type PictureOptions } from "@catalog/images";
import { type ColumnMapping, type MappedRow } from "@catalog/mapping";
import { type PictureSettings, type RunWarning } from "@catalog/runs";

import { type SettledRow } from "./resolve-row-images.ts";

export interface OpenPicturesOptions {
  readonly pictures: PictureOptions | undefined;
  /** The file that names the pictures. */
  readonly path: string;
  readonly lang: Lang;
  /** Where the page with the pictures goes. */
  readonly reportDir: string;
  readonly runId: string;
  readonly mapping: ColumnMapping;
  readonly signal: AbortSignal | undefined;
  /** What was sent for a row that is tried again. @default no row is */
  readonly sentImages?: SentImages | undefined;
}

/** What was sent for a row before; nothing where nothing was. */
export type SentImages = (row: number) => Promise<SentRequest | undefined>;

export interface SentRequest {
  /** Missing where an update left them alone. */
  readonly images: readonly ProductImage[] | undefined;
}

export interface Pictures extends AsyncDisposable {
  /** Kept with the run, for rows that are tried again. */
  readonly settings: PictureSettings;
  /** Names of files are pictures too. */
  readonly takesFiles: boolean;
  /** A row without pictures waits for nothing. */
  settle(mapped: MappedRow): Promise<SettledRow>;
  /** Writes the page, and says what came of all pictures. */
  finish(): Promise<readonly RunWarning[]>;
}
