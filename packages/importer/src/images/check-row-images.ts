/** Checks all images of one row, each alone and all together. */

import {
  compareImages,
  type Decoded,
  checkImageRules,
  type ImageFacts,
  type ImageProblem,
  type ImageRules,
  problem,
} from "@catalog/images";
import type { ImageCell } from "@catalog/mapping";
import { locateCell, type RunSheets } from "@catalog/runs";

/** An image of a row and what is known of it. */
export interface CheckedImage {
  readonly image: ImageCell;
  readonly facts: ImageFacts | undefined;
  readonly problems: readonly ImageProblem[];
  /** Why it cannot be sent, which blocks its row even where problems are warnings. */
  readonly refusal?: ImageProblem;
}

export interface CheckRowImagesTools extends RunSheets {
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
