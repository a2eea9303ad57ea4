/** The images of one file: checked while its rows are planned, published with each row. */

import { stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { CatalogError, type Connection } from "@catalog/connection";
import { formatNumber, type Lang, makeFolder } from "@catalog/i18n";
import {
  createDecoder,
  createImageChecker,
  createPreparedImages,
  createUploader,
  type Decoder,
  DEFAULT_PREPARE,
  DEFAULT_RULES,
  describeBroken,
  describeProblem,
  formatContactSheet,
  type GuardedFetch,
  type ImageChecker,
  imageDownloadLimits,
  type ImageLimits,
  type ImageMode,
  type ImageReference,
  type ImageSource,
  ImageSourceError,
  openFolderSource,
  openGuardedFetch,
  openZipSource,
  problem,
  type SheetImage,
} from "@catalog/images";
import {
  type Column,
  type ColumnMapping,
  type MappedRow,
  splitImageAddresses,
} from "@catalog/mapping";
import {
  type Journal,
  locateCell,
  readAllRows,
  type RunSheets,
  type RunWarning,
  type SourceRow,
} from "@catalog/runs";

import { isThere, type OpenImagesOptions, type RowImages } from "./open-images.ts";
import {
  type CheckedImage,
  checkRowImages,
  findImageRefusal,
  publishImage,
  type PublishImageTools,
  resolveRowImages,
  reuseSentImages,
} from "./resolve-row-images.ts";

interface StartImagesOptions {
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
        findRefusal: (each) => findImageRefusal(each, delivery),
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

/** An image source that no longer exists: it holds no file and keeps its name for messages. */
function createMissingSource(source: string): ImageSource {
  const name = basename(source);
  return {
    name,
    read: (value) =>
      Promise.resolve({ ok: false, problem: problem("E_IMG_MISSING", { value, source: name }) }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface PrefetchImagesOptions {
  readonly runId: string;
  readonly journal: Journal;
  readonly mapping: ColumnMapping;
  readonly signal: AbortSignal;
  readonly check: (source: ImageReference) => Promise<unknown>;
}

/** Rows whose images are started at a time; few enough to keep memory constant. */
const BATCH_ROWS = 200;

/** Resolves when every image URL of the run was checked; the results are read row by row. */
async function prefetchImages(options: PrefetchImagesOptions): Promise<void> {
  const { runId, journal, mapping, signal } = options;
  const columns = mapping.columns.filter(isImageColumn);
  if (columns.length === 0) return;
  if (signal.aborted) return;
  for await (const rows of readAllRows(journal, runId, {}, BATCH_ROWS)) {
    const addresses = new Set(rows.flatMap((row) => addressesOf(row, columns)));
    await Promise.all([...addresses].map((text) => options.check({ kind: "address", text })));
    if (signal.aborted) return;
  }
}

const isImageColumn = ({ target }: Column): boolean =>
  target.kind === "field" && /^image(?:s|_\d)$/u.test(target.field);

/** Collects cells that are certainly URLs; other cells are read with their rows. */
function addressesOf({ cells }: SourceRow, columns: readonly Column[]): readonly string[] {
  return columns
    .flatMap(({ index }) => splitImageAddresses(String(cells[index] ?? "")))
    .filter((text) => /^https:\/\/[^\s,]+$/iu.test(text));
}

/** Maximum number of wrong images on the page, which browsers open slowly with more. */
const MAX_WRONG = 1_500;
const MAX_WELL = 500;

/** The row of the images. */
type PageRow = Pick<MappedRow, "code" | "changes">;

interface ImagePage {
  add(row: PageRow, checked: readonly CheckedImage[]): void;
  readonly total: number;
  readonly broken: number;
  /** Writes the page; the folder is created when it is missing. */
  write(path: string, options: { readonly file: string; readonly lang: Lang }): Promise<void>;
}

/** Keeps the first right and wrong images, and counts all. */
export function createImagePage(isStrict: boolean, sheets: RunSheets = {}): ImagePage {
  const wrong: SheetImage[] = [];
  const well: SheetImage[] = [];
  let total = 0;
  let broken = 0;
  return {
    get total() {
      return total;
    },
    get broken() {
      return broken;
    },
    add(row, checked) {
      for (const each of checked) {
        total += 1;
        const image = toSheetImage(each, isStrict, sheets);
        const isWell = image.problems.length === 0;
        if (!isWell) broken += 1;
        const [list, max] = isWell ? [well, MAX_WELL] : [wrong, MAX_WRONG];
        if (list.length < max) list.push({ ...image, code: row.code ?? "", title: titleOf(row) });
      }
    },
    async write(path, { file, lang }) {
      // Rows that wait for an upload are added later than the rows below them.
      const images = [...wrong, ...well].toSorted((a, b) => a.row - b.row);
      const page = formatContactSheet({ lang, title: basename(file), images, total, broken });
      makeFolder(dirname(path));
      await writeFile(path, page, { mode: 0o600 });
    },
  };
}

const titleOf = ({ changes }: PageRow): string => changes.title ?? "";

function toSheetImage(
  { image, facts, problems, refusal }: CheckedImage,
  isStrict: boolean,
  file: RunSheets,
): Omit<SheetImage, "code" | "title"> {
  const { row, cell, column } = image.place;
  const described = problems.map((each) => ({
    isBlocking: isStrict && each.code.startsWith("E_"),
    ...describeProblem(each),
  }));
  const refused = refusal === undefined ? [] : [{ isBlocking: true, ...describeProblem(refusal) }];
  return {
    row,
    cell: locateCell(file, row, cell),
    column,
    value: image.text,
    facts,
    problems: [...refused, ...described],
  };
}

interface ImageOutcome {
  readonly total: number;
  readonly broken: number;
  /** Broken images that were not checked again. */
  readonly rememberedBroken: number;
  readonly pagePath: string;
  /** Folder or zip in which files were searched. */
  readonly source: string | undefined;
  readonly isGone: boolean;
  /** Rows whose images stay as they were sent before. */
  readonly reused: number;
}

/** Warnings for the plan, in the order of display. */
function imageWarnings(outcome: ImageOutcome): readonly RunWarning[] {
  const { total, rememberedBroken, source, isGone } = outcome;
  const asked = total + outcome.reused > 0;
  return [
    ...(asked && source !== undefined && !isGone ? [searchedIn(source)] : []),
    ...(asked && source !== undefined && isGone ? [gone(source, outcome.reused)] : []),
    ...(total > 0 ? [seeThePage(outcome)] : []),
    ...(rememberedBroken > 0 ? [remembered(rememberedBroken)] : []),
  ];
}

const searchedIn = (name: string): RunWarning => ({
  code: "W_IMAGES_SOURCE",
  message: {
    tr: `Görsel dosyaları “${name}” içinde arandı.`,
    en: `Image files were looked for in “${name}”.`,
  },
});

const gone = (name: string, reused: number): RunWarning => ({
  code: "W_IMAGES_GONE",
  message: {
    tr: `“${name}” artık yerinde yok. Görselleri önceki gönderimdeki gibi kalan satır: ${reused}. Dosyalara yeniden bakılması için --images-dir ile yerini gösterin.`,
    en: `“${name}” is no longer there. Rows whose images stay as they were sent before: ${reused}. To have the files checked again, say where they are with --images-dir.`,
  },
});

function seeThePage({ total, broken, pagePath }: ImageOutcome): RunWarning {
  const found = describeBroken(total, broken);
  return {
    code: "W_IMAGES_PAGE",
    message: {
      tr: `${found.tr} Görselleri şu sayfada görebilirsiniz: ${pagePath}`,
      en: `${found.en} This page shows them: ${pagePath}`,
    },
  };
}

const remembered = (count: number): RunWarning => ({
  code: "W_IMAGES_REMEMBERED",
  message: {
    tr: `Az önce bozuk çıkan ${count} adrese yeniden bakılmadı; düzelttiyseniz --images-again ekleyin.`,
    en: `Addresses found broken a moment ago and not asked again: ${count}. If you corrected them, add --images-again.`,
  },
});
