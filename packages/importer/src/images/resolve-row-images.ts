/** Replaces the images that a row names by their published URLs, and adds their issues. */

import type { ProductImage } from "@catalog/contract";
import type { Decoded, ImageProblem } from "@catalog/images";
import type { MappedRow } from "@catalog/mapping";
import { isBlocking, type RowIssue } from "@catalog/runs";

import type { CheckedImage } from "./check-row-images.ts";
import { toImageIssue } from "./image-issue.ts";

/** A row whose images are resolved. */
export interface ResolvedRow {
  readonly mapped: MappedRow;
  readonly imageIssues: readonly RowIssue[];
}

/** A row whose images are resolved, and its images with what prevents sending them. */
export interface ResolvedRowImages extends ResolvedRow {
  readonly checked: readonly CheckedImage[];
}

export interface ResolveRowImagesTools {
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
