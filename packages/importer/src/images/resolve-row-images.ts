/** Replaces the images that a row names by their published URLs, and adds their issues. */

import type { ProductImage } from "@catalog/contract";
import type { Decoded } from "@catalog/images";
import type { MappedRow } from "@catalog/mapping";
import { isBlocking, type RowIssue } from "@catalog/runs";

import type { CheckedImage } from "./check-row-images.ts";
import { toImageIssue } from "./image-issue.ts";

/** A row whose images are resolved. */
export interface ResolvedRow {
  readonly mapped: MappedRow;
  readonly imageIssues: readonly RowIssue[];
}

export interface ResolveRowImagesTools {
  readonly isStrict: boolean;
  readonly deliver: (checked: CheckedImage) => Promise<Decoded<ProductImage>>;
}

/** Images of a row that is blocked are neither prepared nor uploaded. */
export async function resolveRowImages(
  mapped: MappedRow,
  checked: readonly CheckedImage[],
  { isStrict, deliver }: ResolveRowImagesTools,
): Promise<ResolvedRow> {
  const found = checked.flatMap(({ image, problems }) =>
    problems.map((each) => toImageIssue(each, image.place, isStrict && each.code.startsWith("E_"))),
  );
  if (mapped.issues.some(isBlocking) || found.some(isBlocking)) {
    return { mapped, imageIssues: found };
  }
  const images: ProductImage[] = [];
  const refused: RowIssue[] = [];
  const delivered = await Promise.all(
    checked.map(async (each) => ({ each, outcome: await deliver(each) })),
  );
  for (const { each, outcome } of delivered) {
    if (outcome.ok) images.push(outcome.value);
    else refused.push(toImageIssue(outcome.problem, each.image.place, true));
  }
  const changes = refused.length > 0 ? mapped.changes : { ...mapped.changes, images };
  return { mapped: { ...mapped, changes }, imageIssues: [...found, ...refused] };
}
