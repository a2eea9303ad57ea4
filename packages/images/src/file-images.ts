/**
 * The images of one file, row by row: each is checked, compared with the others of its row and,
 * unless the row is held back, prepared and uploaded. A contact sheet shows them all to people.
 */

import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { Clock } from "@catalog/clock";
import { type Lang, type Localized, makeFolder } from "@catalog/i18n";

import {
  createImageChecker,
  type ImageCheckCache,
  type ImageChecker,
  type ImageReference,
} from "./check/image-checker.ts";
import { createContactSheet, describeBroken } from "./contact-sheet.ts";
import type { Decoded, PrepareSettings } from "./decode/decode-protocol.ts";
import { createDecoder } from "./decode/decoder.ts";
import { imageDownloadLimits, openGuardedFetch } from "./guard/guarded-fetch.ts";
import {
  checkImageRules,
  compareImages,
  DEFAULT_RULES,
  type ImageFacts,
  type ImageLimits,
  type ImageRules,
} from "./image-rules.ts";
import { describeProblem, type ImageProblem, problem } from "./problem.ts";
import {
  createPreparedImages,
  createUploader,
  DEFAULT_PREPARE,
  type PreparedFile,
  type PreparedImages,
  type Uploader,
  type UploadTarget,
} from "./send/upload.ts";
import { type ImageSource, openImageSource } from "./sources/image-source.ts";

/**
 * `strict`: a broken image keeps its row from being sent; `warn`: it is only reported; `off`:
 * images are not checked.
 */
export type ImageMode = "strict" | "warn" | "off";

/** Options for the images of a file; without any, images are neither checked nor uploaded. */
export interface ImageOptions {
  /** @default "strict" where `source` is given, else "off" */
  readonly mode?: ImageMode | undefined;
  /** Absolute path of a folder or a zip with the images that cells name by file name. */
  readonly source?: string | undefined;
  /**
   * Whether `source` may be missing: retried rows then get the images that were sent for them
   * before. @default false, a missing source is refused
   */
  readonly maySourceBeGone?: boolean | undefined;
  /**
   * Form of an image in a request, which the specification does not show (section Products, add):
   * its address, an object with the address as `url`, or the prepared image itself as a data
   * address. @default "address"
   */
  readonly send?: "address" | "object" | "data-uri" | undefined;
  /** Where image files are uploaded to get an address. @default nowhere */
  readonly upload?: UploadTarget | undefined;
  /** The company's own servers in a private network, as `host` or `host:port`. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly rules?: Partial<ImageRules> | undefined;
  readonly prepare?: Partial<PrepareSettings> | undefined;
  /** @default {@link DEFAULT_IMAGE_LIMITS} */
  readonly limits?: Partial<ImageLimits> | undefined;
  /** Maximum number of images handled at a time. @default 6 */
  readonly concurrency?: number | undefined;
  /** Checks every image again, without using stored checks. @default false */
  readonly isAgain?: boolean | undefined;
}

/** How images are checked, and where they are kept. */
export interface FileImagesOptions extends Omit<ImageOptions, "mode" | "maySourceBeGone"> {
  /** Whether a broken image blocks its row. */
  readonly isStrict: boolean;
  readonly clock: Clock;
  /** Checks that are remembered from run to run. */
  readonly cache: ImageCheckCache;
  /** Folder of prepared images; created when it is missing. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** An image and the cell that names it. */
export interface NamedImage extends ImageReference {
  /** Such as `M12`; empty when the value stands in no cell. */
  readonly cell: string;
  /** Header of the cell's column. */
  readonly column: string;
  /** The value of the cell. */
  readonly value: string;
}

/** A row that names images. */
export interface ImageRow<Image extends NamedImage> {
  readonly row: number;
  /** The product's code; empty where the row has none. */
  readonly code: string;
  /** The product's title; empty where the row gives none. */
  readonly title: string;
  readonly images: readonly Image[];
  /** The row is not sent for another reason: its images are neither prepared nor uploaded. */
  readonly isBlocked: boolean;
}

/** Something wrong with an image. A code that begins with `W_` does not block the row. */
export interface ImageIssue<Image extends NamedImage> {
  readonly image: Image;
  readonly code: string;
  readonly message: Localized;
  readonly suggestion: Localized;
}

/** An entry of `images` in a request. */
export type SentImage = string | { readonly url: string };

/** What became of the images of a row. */
export interface ResolvedImages<Image extends NamedImage> {
  /** In the order of the row; `undefined` where one of them is not sent. */
  readonly images: readonly SentImage[] | undefined;
  readonly issues: readonly ImageIssue<Image>[];
}

/** The images of one file. */
export interface FileImages extends AsyncDisposable {
  /** The folder or zip of images named by file name; `isGone` where it no longer exists. */
  readonly source: { readonly name: string; readonly isGone: boolean } | undefined;
  /** Starts checks of addresses whose rows come later. */
  prefetch(addresses: Iterable<string>): Promise<void>;
  resolve<Image extends NamedImage>(row: ImageRow<Image>): Promise<ResolvedImages<Image>>;
  /** Writes the contact sheet of the images so far, where there are any, and counts them. */
  writeSheet(
    path: string,
    options: { readonly title: string; readonly lang: Lang },
  ): Promise<{
    readonly total: number;
    /** Addresses that were found broken by a recent run and are not asked again. */
    readonly rememberedBroken: number;
    /** Says in a sentence how many images have a problem. */
    readonly summary: Localized;
  }>;
}

/** Opens the images of a file. Throws `ImageSourceError` for a source that cannot be used. */
export async function openFileImages(options: FileImagesOptions): Promise<FileImages> {
  const { clock, cache, isStrict, limits, allowHosts, upload, folder, send = "address" } = options;
  const { source: path } = options;
  const isGone = path !== undefined && (await stat(path).catch(() => undefined)) === undefined;
  const source = path === undefined ? undefined : await openSource(path, isGone, limits);
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  const fetcher = openGuardedFetch({ clock, allowHosts, limits: imageDownloadLimits(limits) });
  const decoder = createDecoder({ clock, limits });
  const { concurrency, isAgain } = options;
  const common = { cache, clock, signal };
  const checker = createImageChecker({
    ...common,
    fetcher,
    decoder,
    source,
    concurrency,
    isAgain,
  });
  const delivery = {
    send,
    checker,
    prepared: createPreparedImages({
      folder,
      settings: { ...DEFAULT_PREPARE, ...options.prepare },
      decoder,
      cache,
    }),
    uploader: upload === undefined ? undefined : createUploader({ ...common, target: upload }),
  };
  const rules = { ...DEFAULT_RULES, ...options.rules };
  const check: ImageChecker["check"] = (image) => checker.check(image);
  const sheet = createContactSheet(isStrict);

  return {
    source: source && { name: source.name, isGone },
    async prefetch(addresses) {
      const unique = [...new Set(addresses)];
      await Promise.all(unique.map((text) => check({ kind: "address", text })));
    },
    async resolve(row) {
      const checked = await checkImages(row.images, { rules, check });
      const resolved = await resolveImages(checked, {
        isStrict,
        isBlocked: row.isBlocked,
        findRefusal: (each) => findImageRefusal(each, delivery),
        deliver: (each) => publishImage(each, delivery),
      });
      sheet.add(row, resolved.checked);
      return resolved;
    },
    async writeSheet(pagePath, texts) {
      const { total, broken } = sheet;
      if (total > 0) {
        makeFolder(dirname(pagePath));
        await writeFile(pagePath, sheet.format(texts), { mode: 0o600 });
      }
      const { rememberedBroken } = checker.counts();
      return { total, rememberedBroken, summary: describeBroken(total, broken) };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await fetcher[Symbol.asyncDispose]();
      await decoder[Symbol.asyncDispose]();
      await source?.[Symbol.asyncDispose]();
    },
  };
}

/** A source that is gone holds no file, and keeps its name for messages. */
async function openSource(
  path: string,
  isGone: boolean,
  limits: Partial<ImageLimits> | undefined,
): Promise<ImageSource> {
  if (!isGone) return await openImageSource(path, limits);
  const name = basename(path);
  return {
    name,
    read: (value) =>
      Promise.resolve({ ok: false, problem: problem("E_IMG_MISSING", { value, source: name }) }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** An image of a row and what is known of it. */
export interface CheckedImage<Image extends NamedImage = NamedImage> {
  readonly image: Image;
  readonly facts: ImageFacts | undefined;
  readonly problems: readonly ImageProblem[];
  /** Why it cannot be sent, which blocks its row even where problems are warnings. */
  readonly refusal?: ImageProblem;
}

/** Checks the images of a row concurrently, and compares each with those before it. */
export async function checkImages<Image extends NamedImage>(
  images: readonly Image[],
  tools: {
    readonly rules: ImageRules;
    readonly check: (image: ImageReference) => Promise<Decoded<ImageFacts>>;
  },
): Promise<readonly CheckedImage<Image>[]> {
  const results = await Promise.all(
    images.map(async (image): Promise<CheckedImage<Image>> => {
      const found = await tools.check(image);
      return found.ok
        ? { image, facts: found.value, problems: checkImageRules(found.value, tools.rules) }
        : { image, facts: undefined, problems: [found.problem] };
    }),
  );
  return results.map((each, index) => {
    const repeated = findRepeated(each, results.slice(0, index));
    const { image, facts, problems } = each;
    return repeated === undefined ? each : { image, facts, problems: [...problems, repeated] };
  });
}

/** The first earlier image that is identical, or else the first that looks alike. */
function findRepeated(
  { facts }: CheckedImage,
  before: readonly CheckedImage[],
): ImageProblem | undefined {
  if (facts === undefined) return undefined;
  const likeness = before.map(({ image, facts: other }) => ({
    image,
    is: other === undefined ? "different" : compareImages(other, facts),
  }));
  const same = likeness.find(({ is }) => is === "same");
  const found = same ?? likeness.find(({ is }) => is === "alike");
  if (found === undefined) return undefined;
  const { cell, value } = found.image;
  const code = found.is === "same" ? "E_IMG_TWICE" : "W_IMG_ALIKE";
  return problem(code, { other: cell === "" ? value : cell });
}

/** Delivers the checked images of a row, unless something holds the row back. */
export async function resolveImages<Image extends NamedImage>(
  found: readonly CheckedImage<Image>[],
  tools: {
    readonly isStrict: boolean;
    readonly isBlocked: boolean;
    /** Why an image cannot be sent, as far as that is known before any is uploaded. */
    readonly findRefusal: (checked: CheckedImage) => ImageProblem | undefined;
    readonly deliver: (checked: CheckedImage) => Promise<Decoded<SentImage>>;
  },
): Promise<ResolvedImages<Image> & { readonly checked: readonly CheckedImage<Image>[] }> {
  const { isStrict, isBlocked, findRefusal, deliver } = tools;
  const toIssues = (checked: readonly CheckedImage<Image>[]): readonly ImageIssue<Image>[] =>
    checked.flatMap((each) => toImageIssues(each, isStrict));
  const checked = found.map((each) => withRefusal(each, findRefusal(each)));
  const issues = toIssues(checked);
  if (isBlocked || issues.some(({ code }) => code.startsWith("E_"))) {
    return { images: undefined, issues, checked };
  }
  const delivered = await Promise.all(
    checked.map(async (each) => ({ each, outcome: await deliver(each) })),
  );
  const images = delivered.flatMap(({ outcome }) => (outcome.ok ? [outcome.value] : []));
  const refusals = delivered.map(({ each, outcome }) =>
    outcome.ok ? each : withRefusal(each, outcome.problem),
  );
  const isWhole = images.length === checked.length;
  return {
    images: isWhole ? images : undefined,
    issues: toIssues(refusals),
    checked: refusals,
  };
}

const withRefusal = <Image extends NamedImage>(
  checked: CheckedImage<Image>,
  refusal: ImageProblem | undefined,
): CheckedImage<Image> => (refusal === undefined ? checked : { ...checked, refusal });

/** A problem that does not block its row becomes a warning with the same name. */
function toImageIssues<Image extends NamedImage>(
  { image, problems, refusal }: CheckedImage<Image>,
  isStrict: boolean,
): readonly ImageIssue<Image>[] {
  const toIssue = (found: ImageProblem, blocks: boolean): ImageIssue<Image> => ({
    image,
    code: blocks ? found.code : `W_${found.code.slice("E_".length)}`,
    ...describeProblem(found),
  });
  const issues = problems.map((each) => toIssue(each, isStrict && each.code.startsWith("E_")));
  return refusal === undefined ? issues : [...issues, toIssue(refusal, true)];
}

interface DeliveryTools {
  readonly send: NonNullable<ImageOptions["send"]>;
  readonly checker: Pick<ImageChecker, "readBytes">;
  readonly prepared: PreparedImages;
  /** `undefined` where no upload is configured. */
  readonly uploader: Uploader | undefined;
}

/**
 * Why an image that was opened cannot be sent, as far as that is known before any is uploaded;
 * `undefined` where nothing prevents it.
 */
function findImageRefusal(
  { image, facts }: CheckedImage,
  { send, uploader }: DeliveryTools,
): ImageProblem | undefined {
  const needsUpload = image.kind === "file" && send !== "data-uri";
  if (!needsUpload || uploader !== undefined || facts === undefined) return undefined;
  return problem("E_IMG_NO_UPLOAD", { value: image.text });
}

/** Returns the entry of `images` for the image, or a problem where it cannot be sent. */
async function publishImage(
  checked: CheckedImage,
  tools: DeliveryTools,
): Promise<Decoded<SentImage>> {
  if (tools.send === "data-uri") return await toDataAddress(checked, tools);
  const address = await toAddress(checked, tools);
  if (!address.ok || tools.send === "address") return address;
  return { ok: true, value: { url: address.value } };
}

async function toAddress(checked: CheckedImage, tools: DeliveryTools): Promise<Decoded<string>> {
  const { kind, text } = checked.image;
  if (kind === "address") return { ok: true, value: text };
  if (tools.uploader === undefined) {
    return { ok: false, problem: problem("E_IMG_NO_UPLOAD", { value: text }) };
  }
  const file = await prepare(checked, tools);
  return file.ok ? await tools.uploader.upload(file.value) : file;
}

async function toDataAddress(
  checked: CheckedImage,
  tools: DeliveryTools,
): Promise<Decoded<string>> {
  const file = await prepare(checked, tools);
  if (!file.ok) return file;
  const bytes = await readFile(file.value.path);
  return { ok: true, value: `data:image/jpeg;base64,${bytes.toString("base64")}` };
}

async function prepare(
  { image, facts, problems }: CheckedImage,
  { checker, prepared }: DeliveryTools,
): Promise<Decoded<PreparedFile>> {
  if (facts !== undefined) {
    return await prepared.prepare(facts.sha256, () => checker.readBytes(image));
  }
  const [first = problem("E_IMG_CORRUPT")] = problems;
  return { ok: false, problem: first };
}
