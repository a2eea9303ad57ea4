/** Replaces the images that a row names by their published URLs, and adds their issues. */

import { type ProductImage } from "@catalog/contract";
import type { Decoded } from "@catalog/images";
import { type MappedRow } from "@catalog/mapping";
import { isBlocking, type RowIssue } from "@catalog/runs";

import { type LookedAt } from "./check-row-images.ts";
import { toPictureIssue } from "./image-issue.ts";

/** A row whose images are resolved. */
export interface SettledRow {
  readonly mapped: MappedRow;
  readonly pictureIssues: readonly RowIssue[];
}

export interface SettleTools {
  readonly isStrict: boolean;
  readonly deliver: (looked: LookedAt) => Promise<Decoded<ProductImage>>;
}

/** Images of a row that is blocked are neither prepared nor uploaded. */
export async function settleRow(
  mapped: MappedRow,
  looked: readonly LookedAt[],
  { isStrict, deliver }: SettleTools,
): Promise<SettledRow> {
  const found = looked.flatMap(({ picture, problems }) =>
    problems.map((each) =>
      toPictureIssue(each, picture.place, isStrict && each.code.startsWith("E_")),
    ),
  );
  if (mapped.issues.some(isBlocking) || found.some(isBlocking)) {
    return { mapped, pictureIssues: found };
  }
  const images: ProductImage[] = [];
  const refused: RowIssue[] = [];
  const delivered = await Promise.all(
    looked.map(async (each) => ({ each, outcome: await deliver(each) })),
  );
  for (const { each, outcome } of delivered) {
    if (outcome.ok) images.push(outcome.value);
    else refused.push(toPictureIssue(outcome.problem, each.picture.place, true));
  }
  const changes = refused.length > 0 ? mapped.changes : { ...mapped.changes, images };
  return { mapped: { ...mapped, changes }, pictureIssues: [...found, ...refused] };
}
