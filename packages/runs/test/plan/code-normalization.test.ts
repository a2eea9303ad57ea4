import { describe, expect, it } from "vitest";

import {
  codeVariants,
  learnCodeNormalization,
  lookAlikeVariants,
  normalizeCode,
} from "../../src/plan/look-alikes.ts";

const same = (code: string): string => code;

describe("learnCodeNormalization", () => {
  it.each([
    ["capitals", [["ab-1", "AB-1"]], "cd-2", "CD-2"],
    ["lower case", [["AB-1", "ab-1"]], "CD-2", "cd-2"],
    ["Turkish capitals", [["ip-1", "İP-1"]], "çi-2", "Çİ-2"],
    ["normal width", [["Ａ1", "A1"]], "Ｂ2", "B2"],
    ["no leading apostrophe", [["'A1", "A1"]], "'B2", "B2"],
    ["no invisible characters", [["A\u200b1", "A1"]], "B\u00ad2", "B2"],
    ["no surrounding blanks", [[" A1", "A1"]], "B2 ", "B2"],
    ["capitals of normal width", [["ａ1", "A1"]], "ｂ2", "B2"],
  ] as const)("learns that a store writes %s", (...given) => {
    const [, pairs, sent, shown] = given;
    const normalization = learnCodeNormalization(
      pairs.map(([from, to]) => ({ sent: from, shown: to })),
      same,
    );

    expect(normalizeCode(normalization ?? [], sent)).toBe(shown);
  });

  it("learns nothing from a store that keeps codes as they are", () => {
    expect(learnCodeNormalization([{ sent: "ab-1", shown: "ab-1" }], same)).toBeUndefined();
  });

  it("learns nothing where one code was changed and a similar one was not", () => {
    const pairs = [
      { sent: "ab-1", shown: "AB-1" },
      { sent: "cd-2", shown: "cd-2" },
    ];

    expect(learnCodeNormalization(pairs, same)).toBeUndefined();
  });
});

it.each([
  ["AB-1", ["ab-1"]],
  ["ab-1", ["AB-1"]],
  ["12-34", []],
  ["'Ａb 1", ["Ab 1", "AB 1", "ab 1"]],
])("codeVariants returns the variants of %s that differ from it", (code, variants) => {
  expect(codeVariants(code)).toEqual(variants);
});

it.each([
  ["102", ["0102", "00102", "000102", "0000102"]],
  ["0000103", ["103", "0103", "00103", "000103"]],
  ["KML 007", ["kml 007", "KML-007", "KML_007", "KML007"]],
  ["KML-OO8", ["kml-oo8", "KML_OO8", "KML OO8", "KMLOO8", "KML-008"]],
  ["%", []],
])(
  "lookAlikeVariants searches %s under the spellings that were probably meant",
  (code, variants) => {
    expect(lookAlikeVariants(code)).toEqual(variants);
  },
);
