/** The images of one file: checked while its rows are planned, published with each row. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

import { type Toolkit, ToolkitError } from "@catalog/connection";
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
  type PictureMode,
  type PictureShelf,
  ShelfError,
} from "@catalog/images";

import { lookAtRow } from "./check-row-images.ts";
import { createPicturePage } from "./image-page.ts";
import { isThere } from "./image-source.ts";
import { pictureWarnings } from "./image-texts.ts";
import { createGoneShelf } from "./missing-source.ts";
import { readAhead } from "./prefetch-images.ts";
import { deliverPicture, type DeliveryTools } from "./publish-image.ts";
import { settleRow } from "./resolve-row-images.ts";
import { reuseSent } from "./reuse-sent-images.ts";
import { type OpenPicturesOptions, type Pictures } from "./row-images.ts";

export interface StartPicturesOptions {
  readonly toolkit: Toolkit;
  readonly options: OpenPicturesOptions;
  /** Path of the folder or zip, where there is one. */
  readonly source: string | undefined;
  readonly mode: Exclude<PictureMode, "off">;
}

/** Starts checking the images. */
export async function startPictures(asked: StartPicturesOptions): Promise<Pictures> {
  const { toolkit, options, source, mode } = asked;
  const { clock } = toolkit;
  const allowHosts = options.pictures?.allowHosts;
  // A missing source was accepted or refused before anything was stored.
  const isGone = source !== undefined && !(await isThere(source));
  const shelf = source === undefined || isGone ? undefined : await openShelf(source);
  const fetcher = openGuardedFetch({ clock, allowHosts });
  const pictures = lookAtPictures({
    toolkit,
    options,
    shelf: isGone ? createGoneShelf(source) : shelf,
    isGone,
    isStrict: mode === "strict",
    fetcher,
    decoder: createDecoder({ clock }),
  });
  return { ...pictures, settings: { mode, source, allowHosts } };
}

/** Opens a folder or zip. Throws {@link ToolkitError} for a zip that cannot be used. */
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
  /** The image source no longer exists. */
  readonly isGone: boolean;
  readonly fetcher: GuardedFetch;
  readonly decoder: Decoder;
  readonly isStrict: boolean;
}

function lookAtPictures(parts: Parts): Omit<Pictures, "settings"> {
  const { toolkit, options, shelf, isGone, isStrict } = parts;
  const { runId, mapping } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  const checker = openChecker(parts, signal);
  const delivery = openDelivery(parts, checker, signal);
  const rules = { ...DEFAULT_RULES, ...options.pictures?.rules };
  const page = createPicturePage(isStrict);
  let reused = 0;
  const { journal } = toolkit;
  const check: PictureChecker["check"] = (picture) => checker.check(picture);
  const ahead = readAhead({ runId, journal, mapping, signal, check });
  // An error of the prefetch is reported with the row that needs the image.
  const settledAhead = Promise.allSettled([ahead]);

  return {
    takesFiles: shelf !== undefined,
    async settle(mapped) {
      if (mapped.pictures.length === 0) return { mapped, pictureIssues: [] };
      const sent = isGone ? await reuseSent(mapped, options.sentImages) : undefined;
      if (sent !== undefined) reused += 1;
      if (sent !== undefined) return { mapped: sent, pictureIssues: [] };
      const looked = await lookAtRow(mapped.pictures, { rules, check });
      page.add(looked);
      const deliver = (each: (typeof looked)[number]): ReturnType<typeof deliverPicture> =>
        deliverPicture(each, delivery);
      return await settleRow(mapped, looked, { isStrict, deliver });
    },
    async finish() {
      const pagePath = join(options.reportDir, "images.html");
      if (page.total > 0) await page.write(pagePath, { file: options.path, lang: options.lang });
      const { total, broken } = page;
      const counts = { total, broken, reused, rememberedBroken: checker.counts().rememberedBroken };
      return pictureWarnings({ ...counts, pagePath, shelf: shelf?.name, isGone });
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
    memory: toolkit.memory.pictureMemory,
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
  const {
    memory: { pictureMemory: memory },
    clock,
  } = toolkit;
  return {
    send,
    checker,
    prepared: createPreparedPictures({
      folder: toolkit.memory.pictureFolder,
      settings: { ...DEFAULT_PREPARE, ...prepare },
      decoder,
      memory,
    }),
    uploader:
      upload === undefined ? undefined : createUploader({ target: upload, memory, clock, signal }),
  };
}
