/**
 * Opens the checks of a file's images; the code of the checks is loaded only where they are asked
 * for.
 */

import { stat } from "node:fs/promises";
import { basename } from "node:path";

import { ToolkitError } from "@catalog/connection";
import { type Toolkit } from "@catalog/connection";
import { type ProductImage } from "@catalog/contract";
import { type Lang } from "@catalog/i18n";
import { type PictureOptions } from "@catalog/images";
import { type ColumnMapping, type MappedRow } from "@catalog/mapping";
import { type PictureSettings, type RunWarning } from "@catalog/runs";

import { type SettledRow } from "./resolve-row-images.ts";

export interface OpenPicturesOptions {
  readonly pictures: PictureOptions | undefined;
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

type SourceOptions = Pick<OpenPicturesOptions, "path"> & Partial<OpenPicturesOptions>;

export interface Pictures extends AsyncDisposable {
  /** Settings that are stored with the run, for a retry. */
  readonly settings: PictureSettings;
  /** Names of files are accepted as images. */
  readonly takesFiles: boolean;
  /** Resolves the images of a row; a row without images does not wait. */
  settle(mapped: MappedRow): Promise<SettledRow>;
  /** Writes the page, and returns the warnings about all images. */
  finish(): Promise<readonly RunWarning[]>;
}

/** Without image options no request is made and rows stay as they are. */
const UNTOUCHED: Pictures = {
  settings: { mode: "off" },
  takesFiles: false,
  settle: (mapped) => Promise.resolve({ mapped, pictureIssues: [] }),
  finish: () => Promise.resolve([]),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Opens what the options ask for, and starts checking the images. */
export async function openPictures(
  toolkit: Toolkit,
  options: OpenPicturesOptions,
): Promise<Pictures> {
  const source = await findSource(options);
  const mode = options.pictures?.mode ?? (source === undefined ? "off" : "strict");
  if (mode === "off") return UNTOUCHED;
  const { startPictures } = await import("./start-images.ts");
  return await startPictures({ toolkit, options, source, mode });
}

/**
 * Throws {@link ToolkitError} where the named image source is missing or cannot be opened, before
 * anything is stored.
 */
export async function checkPictureSource(options: SourceOptions): Promise<void> {
  const source = await findSource(options);
  if (source === undefined) return;
  if (!(await isThere(source))) {
    if (options.pictures?.maySourceBeGone === true) return;
    throw new ToolkitError("E_IMAGES_SOURCE", basename(source));
  }
  const { openShelf } = await import("./start-images.ts");
  const shelf = await openShelf(source);
  await shelf[Symbol.asyncDispose]();
}

async function findSource({ pictures, path }: SourceOptions): Promise<string | undefined> {
  if (pictures?.mode === "off") return undefined;
  return pictures?.source ?? (await zipBeside(path));
}

/** A zip beside the sheet with the same name holds its images. */
async function zipBeside(path: string): Promise<string | undefined> {
  const zip = path.replace(/\.[^./\\]+$/u, ".zip");
  const stats = zip === path ? undefined : await stat(zip).catch(() => undefined);
  return stats?.isFile() === true ? zip : undefined;
}

/** Whether a folder or zip can be read. */
export async function isThere(source: string): Promise<boolean> {
  return (await stat(source).catch(() => undefined)) !== undefined;
}
