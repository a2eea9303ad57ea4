/** Replaces the images that a row names by their published URLs, and adds their issues. */

import { readFile } from "node:fs/promises";

import type { ProductImage } from "@catalog/contract";
import {
  checkImageRules,
  compareImages,
  type Decoded,
  describeProblem,
  type ImageChecker,
  type ImageFacts,
  type ImageProblem,
  type ImageRules,
  type ImageShape,
  type PreparedFile,
  type PreparedImages,
  problem,
  type Uploader,
} from "@catalog/images";
import type { ImageCell, MappedRow } from "@catalog/mapping";
import { isBlocking, locateCell, type RowIssue, type RunSheets } from "@catalog/runs";

/** A row whose images are resolved. */
export interface ResolvedRow {
  readonly mapped: MappedRow;
  readonly imageIssues: readonly RowIssue[];
}

/** The request that was sent for a row before; `undefined` where none was. */
export type SentImages = (row: number) => Promise<SentRequest | undefined>;

interface SentRequest {
  /** Missing where an update did not change the images. */
  readonly images: readonly ProductImage[] | undefined;
}

/** A row whose images are resolved, and its images with what prevents sending them. */
interface ResolvedRowImages extends ResolvedRow {
  readonly checked: readonly CheckedImage[];
}

interface ResolveRowImagesTools {
  readonly isStrict: boolean;
  /** Why an image cannot be sent, as far as that is known before any is uploaded. */
  readonly findRefusal: (checked: CheckedImage) => ImageProblem | undefined;
  readonly deliver: (checked: CheckedImage) => Promise<Decoded<ProductImage>>;
}

/** Images of a row that is blocked are neither prepared nor uploaded. */
export async function resolveRowImages(
  mapped: MappedRow,
  found: readonly CheckedImage[],
  { isStrict, findRefusal, deliver }: ResolveRowImagesTools,
): Promise<ResolvedRowImages> {
  const checked = found.map((each) => withRefusal(each, findRefusal(each)));
  const imageIssues = checked.flatMap((each) => toImageIssues(each, isStrict));
  if (mapped.issues.some(isBlocking) || imageIssues.some(isBlocking)) {
    return { mapped, imageIssues, checked };
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
    mapped: isWhole ? { ...mapped, changes: { ...mapped.changes, images } } : mapped,
    imageIssues: refusals.flatMap((each) => toImageIssues(each, isStrict)),
    checked: refusals,
  };
}

const withRefusal = (checked: CheckedImage, refusal: ImageProblem | undefined): CheckedImage =>
  refusal === undefined ? checked : { ...checked, refusal };

function toImageIssues(
  { image, problems, refusal }: CheckedImage,
  isStrict: boolean,
): readonly RowIssue[] {
  const found = problems.map((each) =>
    toImageIssue(each, image.place, isStrict && each.code.startsWith("E_")),
  );
  return refusal === undefined ? found : [...found, toImageIssue(refusal, image.place, true)];
}

/** An image of a row and what is known of it. */
export interface CheckedImage {
  readonly image: ImageCell;
  readonly facts: ImageFacts | undefined;
  readonly problems: readonly ImageProblem[];
  /** Why it cannot be sent, which blocks its row even where problems are warnings. */
  readonly refusal?: ImageProblem;
}

interface CheckRowImagesTools extends RunSheets {
  readonly rules: ImageRules;
  readonly check: (image: ImageCell) => Promise<Decoded<ImageFacts>>;
}

/** Checks the images concurrently and returns them in their order. */
export async function checkRowImages(
  images: readonly ImageCell[],
  { rules, check, sheets }: CheckRowImagesTools,
): Promise<readonly CheckedImage[]> {
  const checked = await Promise.all(
    images.map(async (image) => ({ image, found: await check(image) })),
  );
  const results = checked.map(({ image, found }): CheckedImage =>
    found.ok
      ? { image, facts: found.value, problems: checkImageRules(found.value, rules) }
      : { image, facts: undefined, problems: [found.problem] },
  );
  return results.map((each, index) => {
    const repeated = findRepeated(each, results.slice(0, index), { sheets });
    if (repeated === undefined) return each;
    const { image, facts, problems } = each;
    return { image, facts, problems: [...problems, repeated] };
  });
}

/** The first earlier image that is identical, or else the first that looks alike. */
function findRepeated(
  { facts }: CheckedImage,
  before: readonly CheckedImage[],
  file: RunSheets,
): ImageProblem | undefined {
  if (facts === undefined) return undefined;
  const likeness = before.map((other) => ({
    other,
    is: other.facts === undefined ? "different" : compareImages(other.facts, facts),
  }));
  const same = likeness.find(({ is }) => is === "same");
  const found = same ?? likeness.find(({ is }) => is === "alike");
  if (found === undefined) return undefined;
  const { row, cell, value } = found.other.image.place;
  const code = found.is === "same" ? "E_IMG_TWICE" : "W_IMG_ALIKE";
  return problem(code, { other: cell === "" ? value : locateCell(file, row, cell) });
}

/**
 * Converts an image problem to an issue at its cell. A problem that does not block its row becomes
 * a warning with the same name.
 */
function toImageIssue(
  found: ImageProblem,
  location: Omit<RowIssue, "code" | "message" | "suggestion">,
  blocks: boolean,
): RowIssue {
  const code = blocks ? found.code : `W_${found.code.slice("E_".length)}`;
  return { code, ...location, ...describeProblem(found) };
}

/**
 * Gives a row that names files the images that were sent for it before, or none where the update
 * did not change them. `undefined` where the row names no file, and where the number of images
 * differs, as they can then not be matched.
 */
export async function reuseSentImages(
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

export interface PublishImageTools {
  readonly send: ImageShape;
  readonly checker: Pick<ImageChecker, "readBytes">;
  readonly prepared: PreparedImages;
  /** `undefined` where no upload is configured. */
  readonly uploader: Uploader | undefined;
}

/** Returns the entry of `images` for the image, or a problem where it cannot be sent. */
export async function publishImage(
  checked: CheckedImage,
  tools: PublishImageTools,
): Promise<Decoded<ProductImage>> {
  if (tools.send === "data-uri") return await toDataAddress(checked, tools);
  const address = await toAddress(checked, tools);
  if (!address.ok || tools.send === "address") return address;
  return { ok: true, value: { url: address.value } };
}

/**
 * Why an image that was opened cannot be sent, as far as that is known before any is uploaded;
 * `undefined` where nothing prevents it.
 */
export function findImageRefusal(
  { image, facts }: CheckedImage,
  { send, uploader }: Pick<PublishImageTools, "send" | "uploader">,
): ImageProblem | undefined {
  const needsUpload = image.kind === "file" && send !== "data-uri";
  if (!needsUpload || uploader !== undefined || facts === undefined) return undefined;
  return problem("E_IMG_NO_UPLOAD", { value: image.text });
}

async function toAddress(
  checked: CheckedImage,
  tools: PublishImageTools,
): Promise<Decoded<string>> {
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
  tools: PublishImageTools,
): Promise<Decoded<string>> {
  const file = await prepare(checked, tools);
  if (!file.ok) return file;
  const bytes = await readFile(file.value.path);
  return { ok: true, value: `data:image/jpeg;base64,${bytes.toString("base64")}` };
}

async function prepare(
  { image, facts, problems }: CheckedImage,
  { checker, prepared }: PublishImageTools,
): Promise<Decoded<PreparedFile>> {
  if (facts !== undefined) {
    return await prepared.prepare(facts.sha256, () => checker.readBytes(image));
  }
  const [first = problem("E_IMG_CORRUPT")] = problems;
  return { ok: false, problem: first };
}
