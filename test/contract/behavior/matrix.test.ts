import { describe, expect, it } from "vitest";

import { judgeMatrix, playMatrix } from "./play-matrix.ts";

/** Behaviors of stores, in which each way of listing, finding and normalizing occurs. */
const STORES: readonly (readonly string[])[] = [
  [
    "code-filter=prefix",
    "ids-filter=first",
    "total=this-page",
    "page-cap=20",
    "page-past-end=error",
  ],
  [
    "code-filter=case-insensitive",
    "ids-filter=ignored",
    "total=zero",
    "page-cap=20-of-asked",
    "page-past-end=last-page",
  ],
  [
    "code-filter=useless",
    "ids-filter=useless",
    "total=half",
    "page-cap=20",
    "new-product=after-delay",
  ],
  ["code-filter=ignored", "total=too-high", "page-cap=20-of-asked", "duplicate-code=refused"],
  ["stored-code=upper-cased", "code-filter=useless", "total=zero", "date-filter=useless"],
  ["stored-code=lower-cased", "ids-filter=first", "total=half", "duplicate-code=merged"],
  ["stored-code=trimmed", "ids-filter=useless", "total=this-page", "new-product=after-approval"],
];

describe("a file that is imported twice, synced and exported", () => {
  it.each(STORES.map((personality) => ({ name: personality.join(" "), personality })))(
    "duplicates and misses no product in a store with $name",
    async ({ personality }) => {
      expect(judgeMatrix(personality, await playMatrix(personality))).toEqual([]);
    },
  );
});
