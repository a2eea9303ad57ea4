/**
 * The images of a file, as planning sees them. The code that checks images is loaded only where they are
 * asked for.
 */

import { stat } from "node:fs/promises";
import { basename } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import type { ImageOptions } from "@catalog/images";
import type { ColumnMapping, MappedRow } from "@catalog/mapping";
import type { RowIssue, RunSheets, RunWarning, RunRecord } from "@catalog/runs";

/** A row whose images are resolved. */
export interface ResolvedRow {
  readonly mapped: MappedRow;
  readonly imageIssues: readonly RowIssue[];
}

/**
 * The request that was sent for a row before, where one was; `images` is missing where an update did
 * not change them.
 */
export type SentImages = (row: number) => Promise<Pick<MappedRow["changes"], "images"> | undefined>;

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

export interface RowImages extends AsyncDisposable {
  /** Settings that are stored with the run, for a retry. */
  readonly settings: NonNullable<NonNullable<RunRecord["progress"]["reading"]>["pictures"]>;
  /** Names of files are accepted as images. */
  readonly takesFiles: boolean;
  /** Resolves the images of a row; where nothing is checked, at once, as a promise takes time. */
  resolve(mapped: MappedRow): ResolvedRow | Promise<ResolvedRow>;
  /** Writes the page, and returns the warnings about all images. */
  finish(): Promise<readonly RunWarning[]>;
}

/** Without image options no request is made and rows stay as they are. */
const UNTOUCHED: RowImages = {
  settings: { mode: "off" },
  takesFiles: false,
  resolve: (mapped) => ({ mapped, imageIssues: [] }),
  finish: () => Promise.resolve([]),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Opens what the options ask for, and starts checking the images. */
export async function openImages(
  connection: Connection,
  options: OpenImagesOptions,
): Promise<RowImages> {
  const source = await findImageSource(options);
  const mode = options.images?.mode ?? (source === undefined ? "off" : "strict");
  if (mode === "off") return UNTOUCHED;
  const { startImages } = await import("./start-images.ts");
  return await startImages({ connection, options, source, mode });
}

/**
 * Throws {@link CatalogError} where the named image source is missing or cannot be opened, before
 * anything is stored.
 */
export async function checkImageSource(options: SourceOptions): Promise<void> {
  const source = await findImageSource(options);
  if (source === undefined) return;
  if ((await stat(source).catch(() => undefined)) === undefined) {
    if (options.images?.maySourceBeGone === true) return;
    throw new CatalogError("E_IMAGES_SOURCE", basename(source));
  }
  const { checkSource } = await import("./start-images.ts");
  await checkSource(source, options.images?.limits);
}

/** The path of the file, and the options for its images. */
type SourceOptions = Pick<OpenImagesOptions, "path"> & Partial<OpenImagesOptions>;

/** The path of the folder or zip, which may not exist; `undefined` without one. */
export async function findImageSource({
  images,
  path,
}: Pick<OpenImagesOptions, "path"> & {
  readonly images?: Pick<ImageOptions, "mode" | "source"> | undefined;
}): Promise<string | undefined> {
  if (images?.mode === "off") return undefined;
  return images?.source ?? (await zipBeside(path));
}

/** A zip beside the sheet with the same name holds its images. */
async function zipBeside(path: string): Promise<string | undefined> {
  const zip = path.replace(/\.[^./\\]+$/u, ".zip");
  const stats = zip === path ? undefined : await stat(zip).catch(() => undefined);
  return stats?.isFile() === true ? zip : undefined;
}

type Column = ColumnMapping["columns"][number];

/** Whether the cells of a column name images. */
export const isImageColumn = ({ target }: Column): boolean =>
  target.kind === "field" && /^image(?:s|_\d)$/u.test(target.field);
