/** The images of one file: checked while its rows are planned, published with each row. */

import { join } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import { formatNumber, type Lang } from "@catalog/i18n";
import {
  type ImageOptions,
  ImageSourceError,
  openFileImages,
  openImageSource,
} from "@catalog/images";
import { type ColumnMapping, type MappedRow, splitImageAddresses } from "@catalog/mapping";
import {
  isBlocking,
  type Journal,
  locateCell,
  readAllRows,
  type RowIssue,
  type RunWarning,
  type RowRecord,
} from "@catalog/runs";

import {
  isImageColumn,
  type OpenImagesOptions,
  type RowImages,
  type SentImages,
} from "./open-images.ts";

type Column = ColumnMapping["columns"][number];
type ImageCell = MappedRow["imageFiles"][number];

interface StartImagesOptions {
  readonly connection: Connection;
  readonly options: OpenImagesOptions;
  /** Path of the folder or zip, where there is one. */
  readonly source: string | undefined;
  readonly mode: "strict" | "warn";
}

/** Starts checking the images. */
export async function startImages(asked: StartImagesOptions): Promise<RowImages> {
  const { connection, options, source, mode } = asked;
  const { runId, mapping, sheets } = options;
  const { clock, journal, memory } = connection;
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  const cache = memory.imageChecks;
  const settings = {
    isStrict: mode === "strict",
    clock,
    cache,
    folder: memory.imageFolder,
    signal,
  };
  // A missing source was accepted or refused before anything was stored.
  const images = await withSourceError(() =>
    openFileImages({ ...options.images, source, ...settings }),
  );
  const { isGone = false } = images.source ?? {};
  let reused = 0;
  const prefetch = (addresses: Iterable<string>): Promise<void> => images.prefetch(addresses);
  const ahead = prefetchImages({ runId, journal, mapping, signal, prefetch });
  // An error of the prefetch is reported with the row that needs the image.
  const resolvedAhead = Promise.allSettled([ahead]);
  const toNamed = ({ kind, text, place }: ImageCell) => {
    const { row, cell, column, value } = place;
    return { kind, text, column, value, cell: locateCell({ sheets }, row, cell), place };
  };

  return {
    settings: { mode, source, allowHosts: options.images?.allowHosts },
    takesFiles: source !== undefined,
    async resolve(mapped) {
      if (mapped.imageFiles.length === 0) return { mapped, imageIssues: [] };
      const sent = isGone ? await reuseSentImages(mapped, options.sentImages) : undefined;
      if (sent !== undefined) {
        reused += 1;
        return { mapped: sent, imageIssues: [] };
      }
      const resolved = await images.resolve({
        row: mapped.row,
        code: mapped.code ?? "",
        title: mapped.changes.title ?? "",
        images: mapped.imageFiles.map(toNamed),
        isBlocked: mapped.issues.some(isBlocking),
      });
      const { images: sentAs } = resolved;
      const imageIssues = resolved.issues.map(toRowIssue);
      if (sentAs === undefined) return { mapped, imageIssues };
      return { mapped: { ...mapped, changes: { ...mapped.changes, images: sentAs } }, imageIssues };
    },
    async finish() {
      const pagePath = join(options.reportDir, "images.html");
      const outcome = await images.writeSheet(pagePath, {
        title: options.path,
        lang: options.lang,
      });
      return imageWarnings({ ...outcome, reused, pagePath, source: images.source });
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await resolvedAhead;
      await images[Symbol.asyncDispose]();
    },
  };
}

const toRowIssue = ({
  image: { place },
  code,
  message,
  suggestion,
}: Pick<RowIssue, "code" | "message" | "suggestion"> & {
  readonly image: Pick<ImageCell, "place">;
}): RowIssue => ({ code, ...place, message, suggestion });

/** Throws {@link CatalogError} for a folder or zip that cannot be used. */
export async function checkSource(source: string, limits: ImageOptions["limits"]): Promise<void> {
  const opened = await withSourceError(() => openImageSource(source, limits));
  await opened[Symbol.asyncDispose]();
}

async function withSourceError<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ImageSourceError)) throw error;
    const { file, maxEntries } = error;
    if (maxEntries === undefined) throw new CatalogError("E_IMAGES_ZIP", file);
    const describe = (lang: Lang): string => `${file} (> ${formatNumber(maxEntries, lang)})`;
    throw new CatalogError("E_IMAGES_ZIP_ENTRIES", { tr: describe("tr"), en: describe("en") });
  }
}

/**
 * Gives a row that names files the images that were sent for it before, or none where the update
 * did not change them. `undefined` where the row names no file, and where the number of images
 * differs, as they can then not be matched.
 */
async function reuseSentImages(
  mapped: MappedRow,
  sentImages: SentImages | undefined,
): Promise<MappedRow | undefined> {
  if (!mapped.imageFiles.some(({ kind }) => kind === "file")) return undefined;
  const sent = await sentImages?.(mapped.row);
  if (sent === undefined) return undefined;
  const { images: _named, ...others } = mapped.changes;
  if (sent.images === undefined) {
    // If the row becomes an add after all, the missing images are reported at their cell.
    const given = mapped.given.filter((field) => !field.startsWith("image"));
    return { ...mapped, changes: others, given, imageFiles: [] };
  }
  if (sent.images.length !== mapped.imageFiles.length) return undefined;
  return { ...mapped, changes: { ...others, images: sent.images } };
}

interface PrefetchImagesOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly mapping: ColumnMapping;
  readonly signal: AbortSignal;
  readonly prefetch: (addresses: Iterable<string>) => Promise<void>;
}

/** Rows whose images are started at a time; few enough to keep memory constant. */
const BATCH_ROWS = 200;

/** Resolves when every image URL of the run was checked; the results are read row by row. */
async function prefetchImages(options: PrefetchImagesOptions): Promise<void> {
  const { runId, journal, mapping, signal, prefetch } = options;
  const columns = mapping.columns.filter(isImageColumn);
  if (columns.length === 0) return;
  if (signal.aborted) return;
  for await (const rows of readAllRows(journal, runId, {}, BATCH_ROWS)) {
    await prefetch(rows.flatMap((row) => addressesOf(row, columns)));
    if (signal.aborted) return;
  }
}

/** Collects cells that are certainly URLs; other cells are read with their rows. */
function addressesOf(
  { cells }: Pick<RowRecord, "cells">,
  columns: readonly Column[],
): readonly string[] {
  return columns
    .flatMap(({ index }) => splitImageAddresses(String(cells[index] ?? "")))
    .filter((text) => /^https:\/\/[^\s,]+$/iu.test(text));
}

interface ImageOutcome {
  readonly total: number;
  /** Broken images that were not checked again. */
  readonly rememberedBroken: number;
  /** How many images have a problem, in a sentence. */
  readonly summary: RunWarning["message"];
  readonly pagePath: string;
  /** Folder or zip in which files were searched. */
  readonly source: { readonly name: string; readonly isGone: boolean } | undefined;
  /** Rows whose images stay as they were sent before. */
  readonly reused: number;
}

/** Warnings for the plan, in the order of display. */
function imageWarnings(outcome: ImageOutcome): readonly RunWarning[] {
  const { total, rememberedBroken, source, reused, pagePath, summary } = outcome;
  const warnings: RunWarning[] = [];
  if (source !== undefined && total + reused > 0) {
    const { name, isGone } = source;
    warnings.push(
      isGone
        ? {
            code: "W_IMAGES_GONE",
            message: {
              tr: `“${name}” artık yerinde yok. Görselleri önceki gönderimdeki gibi kalan satır: ${reused}. Dosyalara yeniden bakılması için --images-dir ile yerini gösterin.`,
              en: `“${name}” is no longer there. Rows whose images stay as they were sent before: ${reused}. To have the files checked again, say where they are with --images-dir.`,
            },
          }
        : {
            code: "W_IMAGES_SOURCE",
            message: {
              tr: `Görsel dosyaları “${name}” içinde arandı.`,
              en: `Image files were looked for in “${name}”.`,
            },
          },
    );
  }
  if (total > 0) {
    warnings.push({
      code: "W_IMAGES_PAGE",
      message: {
        tr: `${summary.tr} Görselleri şu sayfada görebilirsiniz: ${pagePath}`,
        en: `${summary.en} This page shows them: ${pagePath}`,
      },
    });
  }
  if (rememberedBroken > 0) {
    warnings.push({
      code: "W_IMAGES_REMEMBERED",
      message: {
        tr: `Az önce bozuk çıkan ${rememberedBroken} adrese yeniden bakılmadı; düzelttiyseniz --images-again ekleyin.`,
        en: `Addresses found broken a moment ago and not asked again: ${rememberedBroken}. If you corrected them, add --images-again.`,
      },
    });
  }
  return warnings;
}
