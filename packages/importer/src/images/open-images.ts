/** Whether anything is asked of a file's pictures; only then is what looks at them loaded. */

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

type SourceOptions = Pick<OpenPicturesOptions, "path"> & Partial<OpenPicturesOptions>;

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

/** Where nothing is asked of pictures, no request is made and rows stay as they are. */
const UNTOUCHED: Pictures = {
  settings: { mode: "off" },
  takesFiles: false,
  settle: (mapped) => Promise.resolve({ mapped, pictureIssues: [] }),
  finish: () => Promise.resolve([]),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Opens what the options ask for, and begins with the pictures at once. */
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
 * Throws {@link ToolkitError} where the pictures that were named are not there or cannot be opened,
 * before anything is stored.
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

/** A zip of the same name beside the sheet holds its pictures. */
async function zipBeside(path: string): Promise<string | undefined> {
  const zip = path.replace(/\.[^./\\]+$/u, ".zip");
  const stats = zip === path ? undefined : await stat(zip).catch(() => undefined);
  return stats?.isFile() === true ? zip : undefined;
}

/** Whether a folder or zip can be looked into. */
export async function isThere(source: string): Promise<boolean> {
  return (await stat(source).catch(() => undefined)) !== undefined;
}
