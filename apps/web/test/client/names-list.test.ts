import { describe, expect, it } from "vitest";

import { contrastPath, halvePath } from "../../client/steps/fix/names-list.ts";

const HALVES = [
  ["Sepet", "", "Sepet"],
  ["Ev > Mutfak > Kaşık", "Ev > Mutfak", " > Kaşık"],
  ["Ev|Mutfak", "Ev", "|Mutfak"],
  ["Bebek/Çocuk", "", "Bebek/Çocuk"],
] as const;

describe("halvePath", () => {
  it.each(HALVES)("cuts %s before its last name", (path, above, last) => {
    expect(halvePath(path)).toEqual({ above, last, isAlike: false });
  });
});

const WOMEN = "Moda > Kadın > Giyim > Üst > Kazak";
const MEN = "Moda > Erkek > Giyim > Üst > Kazak";
const SPORT = "Spor > Erkek > Sweatshirt";
const KNITTED = "Moda > Kadın > Giyim > Örgü > Kazak";

/** A path, those beside it, and what stands in its button. */
const CONTRASTS: readonly (readonly [string, readonly string[], string])[] = [
  [WOMEN, [WOMEN], WOMEN],
  [WOMEN, [WOMEN, MEN, SPORT], "Kadın … Kazak"],
  [MEN, [WOMEN, MEN, SPORT], "Erkek … Kazak"],
  [SPORT, [WOMEN, MEN, SPORT], "Spor … Sweatshirt"],
  [WOMEN, [WOMEN, MEN, KNITTED], "Kadın … Üst > Kazak"],
  [KNITTED, [WOMEN, MEN, KNITTED], "Örgü > Kazak"],
  ["Moda > Dış > Mont", ["Moda > Dış > Mont", "Moda > Dış > Kaban"], "Mont"],
  ["Adadora", ["Adadora", "Adadem"], "Adadora"],
];

describe("contrastPath", () => {
  it.each(CONTRASTS)("shows %s beside %j as %s", (path, others, shown) => {
    const { above, last } = contrastPath(path, others);

    expect(above + last).toBe(shown);
  });
});
