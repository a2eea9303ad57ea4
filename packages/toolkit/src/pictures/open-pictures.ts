/** The pictures of one file: looked at while its rows are planned, delivered with each row. */

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";

import {
  createDecoder,
  createPictureChecker,
  createPreparedPictures,
  createUploader,
  type Decoder,
  DEFAULT_PREPARE,
  DEFAULT_RULES,
  type GuardedFetch,
  openFolderShelf,
  openGuardedFetch,
  openZipShelf,
  type PictureChecker,
  type PictureShelf,
  ShelfError,
} from "@catalog/images";
import { type ColumnMapping, type MappedRow } from "@catalog/mapping";

import { ToolkitError } from "../errors.ts";
import { type Toolkit } from "../open-toolkit.ts";
import { deliverPicture, type DeliveryTools } from "./deliver-picture.ts";
import { lookAtRow } from "./look-at-row.ts";
import { type PictureOptions } from "./picture-options.ts";
import { createPicturePage } from "./picture-page.ts";
import { pictureWarnings } from "./picture-texts.ts";
import { readAhead } from "./read-ahead.ts";
import { type SettledRow, settleRow } from "./settle-row.ts";

export interface OpenPicturesOptions {
  readonly pictures: PictureOptions | undefined;
  /** The file that names the pictures. */
  readonly path: string;
  readonly lang: "tr" | "en";
  /** Where the page with the pictures goes. */
  readonly reportDir: string;
  readonly runId: string;
  readonly mapping: ColumnMapping;
  readonly signal: AbortSignal | undefined;
}

type SourceOptions = Pick<OpenPicturesOptions, "path"> & Partial<OpenPicturesOptions>;

export interface Pictures extends AsyncDisposable {
  /** Names of files are pictures too. */
  readonly takesFiles: boolean;
  /** A row without pictures waits for nothing. */
  settle(mapped: MappedRow): Promise<SettledRow>;
  /** Writes the page, and says what came of all pictures. */
  finish(): Promise<readonly string[]>;
}

/** Where nothing is asked of pictures, no request is made and rows stay as they are. */
const UNTOUCHED: Pictures = {
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
  const { pictures = {} } = options;
  const source = await findSource(options);
  const mode = pictures.mode ?? (source === undefined ? "off" : "strict");
  if (mode === "off") return UNTOUCHED;
  const shelf = source === undefined ? undefined : await openShelf(source);
  const fetcher = openGuardedFetch({ clock: toolkit.clock, allowHosts: pictures.allowHosts });
  const decoder = createDecoder({ clock: toolkit.clock });
  const parts = { toolkit, options, shelf, fetcher, decoder };
  return startPictures({ ...parts, isStrict: mode === "strict" });
}

/**
 * Throws {@link ToolkitError} where the pictures that were named are not there or cannot be opened,
 * before anything is stored.
 */
export async function checkPictureSource(options: SourceOptions): Promise<void> {
  const source = await findSource(options);
  if (source === undefined) return;
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

async function openShelf(source: string): Promise<PictureShelf> {
  const stats = await stat(source).catch(() => undefined);
  if (stats === undefined) throw new ToolkitError("E_IMAGES_SOURCE", basename(source));
  try {
    return stats.isDirectory() ? await openFolderShelf(source) : await openZipShelf(source);
  } catch (error) {
    if (error instanceof ShelfError) throw new ToolkitError("E_IMAGES_ZIP", error.file);
    throw error;
  }
}

interface Parts {
  readonly toolkit: Toolkit;
  readonly options: OpenPicturesOptions;
  readonly shelf: PictureShelf | undefined;
  readonly fetcher: GuardedFetch;
  readonly decoder: Decoder;
  readonly isStrict: boolean;
}

function startPictures(parts: Parts): Pictures {
  const { toolkit, options, shelf, isStrict } = parts;
  const { runId, mapping, path, lang } = options;
  const closing = new AbortController();
  const signal =
    options.signal === undefined
      ? closing.signal
      : AbortSignal.any([options.signal, closing.signal]);
  const checker = openChecker(parts, signal);
  const delivery = openDelivery(parts, checker, signal);
  const rules = { ...DEFAULT_RULES, ...options.pictures?.rules };
  const page = createPicturePage(isStrict);
  const ahead = readAhead({
    runId,
    journal: toolkit.journal,
    mapping,
    signal,
    check: (source) => checker.check(source),
  });
  // Whatever stops it stops the row that needs the picture as well, and is said there.
  const settledAhead = Promise.allSettled([ahead]);

  return {
    takesFiles: shelf !== undefined,
    async settle(mapped) {
      if (mapped.pictures.length === 0) return { mapped, pictureIssues: [] };
      const looked = await lookAtRow(mapped.pictures, {
        rules,
        check: (picture) => checker.check(picture),
      });
      page.add(looked);
      const deliver = (each: (typeof looked)[number]): ReturnType<typeof deliverPicture> =>
        deliverPicture(each, delivery);
      return await settleRow(mapped, looked, { isStrict, deliver });
    },
    async finish() {
      if (page.total === 0) return [];
      const pagePath = join(options.reportDir, "images.html");
      await page.write(pagePath, { file: path, lang });
      const { rememberedBroken } = checker.counts();
      const facts = { total: page.total, broken: page.broken, rememberedBroken, pagePath };
      return pictureWarnings(lang, { ...facts, shelf: shelf?.name });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await settledAhead;
      await parts.fetcher[Symbol.asyncDispose]();
      await parts.decoder[Symbol.asyncDispose]();
      await shelf?.[Symbol.asyncDispose]();
    },
  };
}

function openChecker(
  { toolkit, options, shelf, fetcher, decoder }: Parts,
  signal: AbortSignal,
): PictureChecker {
  return createPictureChecker({
    fetcher,
    decoder,
    memory: toolkit.pictureMemory,
    clock: toolkit.clock,
    shelf,
    concurrency: options.pictures?.concurrency,
    isAgain: options.pictures?.isAgain,
    signal,
  });
}

function openDelivery(
  { toolkit, options, decoder }: Parts,
  checker: PictureChecker,
  signal: AbortSignal,
): DeliveryTools {
  const { send = "address", upload, prepare } = options.pictures ?? {};
  const { pictureMemory: memory, clock } = toolkit;
  return {
    send,
    checker,
    prepared: createPreparedPictures({
      folder: toolkit.pictureFolder,
      settings: { ...DEFAULT_PREPARE, ...prepare },
      decoder,
      memory,
    }),
    uploader:
      upload === undefined ? undefined : createUploader({ target: upload, memory, clock, signal }),
  };
}
