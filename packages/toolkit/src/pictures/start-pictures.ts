/** The pictures of one file: looked at while its rows are planned, delivered with each row. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

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

import { ToolkitError } from "../errors.ts";
import { type Toolkit } from "../open-toolkit.ts";
import { deliverPicture, type DeliveryTools } from "./deliver-picture.ts";
import { lookAtRow } from "./look-at-row.ts";
import { type OpenPicturesOptions, type Pictures } from "./open-pictures.ts";
import { createPicturePage } from "./picture-page.ts";
import { pictureWarnings } from "./picture-texts.ts";
import { readAhead } from "./read-ahead.ts";
import { settleRow } from "./settle-row.ts";

export interface StartPicturesOptions {
  readonly toolkit: Toolkit;
  readonly options: OpenPicturesOptions;
  /** A folder or a zip, where there is one. */
  readonly source: string | undefined;
  readonly isStrict: boolean;
}

/** Begins with the pictures at once. */
export async function startPictures({ source, ...rest }: StartPicturesOptions): Promise<Pictures> {
  const { clock } = rest.toolkit;
  const shelf = source === undefined ? undefined : await openShelf(source);
  const fetcher = openGuardedFetch({ clock, allowHosts: rest.options.pictures?.allowHosts });
  return lookAtPictures({ ...rest, shelf, fetcher, decoder: createDecoder({ clock }) });
}

/** Throws {@link ToolkitError} for a zip that cannot be used. */
export async function openShelf(source: string): Promise<PictureShelf> {
  const stats = await stat(source);
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

function lookAtPictures(parts: Parts): Pictures {
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
