/** The images of one file: checked while its rows are planned, published with each row. */

import { stat } from "node:fs/promises";
import { join } from "node:path";

import { type Connection, CatalogError } from "@catalog/connection";
import { formatNumber, type Lang } from "@catalog/i18n";
import {
  createDecoder,
  createImageChecker,
  createPreparedImages,
  createUploader,
  type Decoder,
  DEFAULT_PREPARE,
  DEFAULT_RULES,
  type GuardedFetch,
  openFolderSource,
  openGuardedFetch,
  openZipSource,
  imageDownloadLimits,
  type ImageChecker,
  type ImageLimits,
  type ImageMode,
  type ImageSource,
  ImageSourceError,
} from "@catalog/images";

import { checkRowImages } from "./check-row-images.ts";
import { createImagePage } from "./image-page.ts";
import { isThere } from "./image-source.ts";
import { imageWarnings } from "./image-texts.ts";
import { createMissingSource } from "./missing-source.ts";
import { prefetchImages } from "./prefetch-images.ts";
import { findRefusal, publishImage, type PublishImageTools } from "./publish-image.ts";
import { resolveRowImages } from "./resolve-row-images.ts";
import { reuseSentImages } from "./reuse-sent-images.ts";
import type { OpenImagesOptions, RowImages } from "./row-images.ts";

export interface StartImagesOptions {
  readonly connection: Connection;
  readonly options: OpenImagesOptions;
  /** Path of the folder or zip, where there is one. */
  readonly source: string | undefined;
  readonly mode: Exclude<ImageMode, "off">;
}

/** Starts checking the images. */
export async function startImages(asked: StartImagesOptions): Promise<RowImages> {
  const { connection, options, source, mode } = asked;
  const { clock } = connection;
  const { allowHosts, limits } = options.images ?? {};
  // A missing source was accepted or refused before anything was stored.
  const isGone = source !== undefined && !(await isThere(source));
  const imageSource = source === undefined || isGone ? undefined : await openSource(source, limits);
  const fetcher = openGuardedFetch({ clock, allowHosts, limits: imageDownloadLimits(limits) });
  const images = checkImages({
    connection,
    options,
    source: isGone ? createMissingSource(source) : imageSource,
    isGone,
    isStrict: mode === "strict",
    fetcher,
    decoder: createDecoder({ clock, limits }),
  });
  return { ...images, settings: { mode, source, allowHosts } };
}

/** Opens a folder or zip. Throws {@link CatalogError} for a zip that cannot be used. */
export async function openSource(
  source: string,
  limits: Partial<ImageLimits> = {},
): Promise<ImageSource> {
  const stats = await stat(source);
  try {
    return stats.isDirectory()
      ? await openFolderSource(source, limits)
      : await openZipSource(source, limits);
  } catch (error) {
    if (error instanceof ImageSourceError) throw toSourceError(error);
    throw error;
  }
}

function toSourceError({ file, maxEntries }: ImageSourceError): CatalogError {
  if (maxEntries === undefined) return new CatalogError("E_IMAGES_ZIP", file);
  const describe = (lang: Lang): string => `${file} (> ${formatNumber(maxEntries, lang)})`;
  return new CatalogError("E_IMAGES_ZIP_ENTRIES", { tr: describe("tr"), en: describe("en") });
}

interface Parts {
  readonly connection: Connection;
  readonly options: OpenImagesOptions;
  readonly source: ImageSource | undefined;
  /** The image source no longer exists. */
  readonly isGone: boolean;
  readonly fetcher: GuardedFetch;
  readonly decoder: Decoder;
  readonly isStrict: boolean;
}

function checkImages(parts: Parts): Omit<RowImages, "settings"> {
  const { connection, options, source, isGone, isStrict } = parts;
  const { runId, mapping } = options;
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  const checker = openChecker(parts, signal);
  const delivery = openDelivery(parts, checker, signal);
  const rules = { ...DEFAULT_RULES, ...options.images?.rules };
  const page = createImagePage(isStrict, options);
  let reused = 0;
  const { journal } = connection;
  const check: ImageChecker["check"] = (image) => checker.check(image);
  const ahead = prefetchImages({ runId, journal, mapping, signal, check });
  // An error of the prefetch is reported with the row that needs the image.
  const resolvedAhead = Promise.allSettled([ahead]);

  return {
    takesFiles: source !== undefined,
    async resolve(mapped) {
      if (mapped.imageFiles.length === 0) return { mapped, imageIssues: [] };
      const sent = isGone ? await reuseSentImages(mapped, options.sentImages) : undefined;
      if (sent !== undefined) reused += 1;
      if (sent !== undefined) return { mapped: sent, imageIssues: [] };
      const checked = await checkRowImages(mapped.imageFiles, {
        rules,
        check,
        sheets: options.sheets,
      });
      const resolved = await resolveRowImages(mapped, checked, {
        isStrict,
        findRefusal: (each) => findRefusal(each, delivery),
        deliver: (each) => publishImage(each, delivery),
      });
      page.add(mapped, resolved.checked);
      return resolved;
    },
    async finish() {
      const pagePath = join(options.reportDir, "images.html");
      if (page.total > 0) await page.write(pagePath, { file: options.path, lang: options.lang });
      const { total, broken } = page;
      const counts = { total, broken, reused, rememberedBroken: checker.counts().rememberedBroken };
      return imageWarnings({ ...counts, pagePath, source: source?.name, isGone });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await resolvedAhead;
      await parts.fetcher[Symbol.asyncDispose]();
      await parts.decoder[Symbol.asyncDispose]();
      await source?.[Symbol.asyncDispose]();
    },
  };
}

function openChecker(
  { connection, options, source, fetcher, decoder }: Parts,
  signal: AbortSignal,
): ImageChecker {
  return createImageChecker({
    fetcher,
    decoder,
    cache: connection.memory.imageChecks,
    clock: connection.clock,
    source,
    concurrency: options.images?.concurrency,
    isAgain: options.images?.isAgain,
    signal,
  });
}

function openDelivery(
  { connection, options, decoder }: Parts,
  checker: ImageChecker,
  signal: AbortSignal,
): PublishImageTools {
  const { send = "address", upload, prepare } = options.images ?? {};
  const {
    memory: { imageChecks: cache },
    clock,
  } = connection;
  return {
    send,
    checker,
    prepared: createPreparedImages({
      folder: connection.memory.imageFolder,
      settings: { ...DEFAULT_PREPARE, ...prepare },
      decoder,
      cache,
    }),
    uploader:
      upload === undefined ? undefined : createUploader({ target: upload, cache, clock, signal }),
  };
}
