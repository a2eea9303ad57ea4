/** Checks all images of one row, each alone and all together. */

import {
  comparePictures,
  type Decoded,
  judgePicture,
  type PictureFacts,
  type PictureProblem,
  type PictureRules,
  problem,
} from "@catalog/images";
import { type PictureCell } from "@catalog/mapping";

/** An image of a row and what is known of it. */
export interface LookedAt {
  readonly picture: PictureCell;
  readonly facts: PictureFacts | undefined;
  readonly problems: readonly PictureProblem[];
}

export interface LookTools {
  readonly rules: PictureRules;
  readonly check: (picture: PictureCell) => Promise<Decoded<PictureFacts>>;
}

/** Checks the images concurrently and returns them in their order. */
export async function lookAtRow(
  pictures: readonly PictureCell[],
  { rules, check }: LookTools,
): Promise<readonly LookedAt[]> {
  const checked = await Promise.all(
    pictures.map(async (picture) => ({ picture, found: await check(picture) })),
  );
  const looked = checked.map(({ picture, found }): LookedAt =>
    found.ok
      ? { picture, facts: found.value, problems: judgePicture(found.value, rules) }
      : { picture, facts: undefined, problems: [found.problem] },
  );
  return looked.map((each, index) => {
    const repeated = findRepeated(each, looked.slice(0, index));
    if (repeated === undefined) return each;
    const { picture, facts, problems } = each;
    return { picture, facts, problems: [...problems, repeated] };
  });
}

/** The first earlier image that is identical, or else the first that looks alike. */
function findRepeated(
  { facts }: LookedAt,
  before: readonly LookedAt[],
): PictureProblem | undefined {
  if (facts === undefined) return undefined;
  const likeness = before.map((other) => ({
    other,
    is: other.facts === undefined ? "different" : comparePictures(other.facts, facts),
  }));
  const same = likeness.find(({ is }) => is === "same");
  const found = same ?? likeness.find(({ is }) => is === "alike");
  if (found === undefined) return undefined;
  const { cell, value } = found.other.picture.place;
  const code = found.is === "same" ? "E_IMG_TWICE" : "W_IMG_ALIKE";
  return problem(code, { other: cell === "" ? value : cell });
}
