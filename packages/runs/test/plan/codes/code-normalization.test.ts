import { describe, expect, it } from "vitest";

import { learnCodeWay, variantsOf, writeCode } from "../../../src/plan/codes/code-normalization.ts";

const same = (code: string): string => code;

describe("learnCodeWay", () => {
  it.each([
    ["capitals", [["ab-1", "AB-1"]], "cd-2", "CD-2"],
    ["lower case", [["AB-1", "ab-1"]], "CD-2", "cd-2"],
    ["Turkish capitals", [["ip-1", "İP-1"]], "çi-2", "Çİ-2"],
    ["usual width", [["Ａ1", "A1"]], "Ｂ2", "B2"],
    ["no apostrophe in front", [["'A1", "A1"]], "'B2", "B2"],
    ["no invisible letters", [["A\u200b1", "A1"]], "B\u00ad2", "B2"],
    ["no blanks around", [[" A1", "A1"]], "B2 ", "B2"],
    ["capitals of usual width", [["ａ1", "A1"]], "ｂ2", "B2"],
  ] as const)("learns a store that writes %s", (...given) => {
    const [, pairs, sent, shown] = given;
    const way = learnCodeWay(
      pairs.map(([from, to]) => ({ sent: from, shown: to })),
      same,
    );

    expect(writeCode(way ?? [], sent)).toBe(shown);
  });

  it("learns nothing from a store that keeps codes", () => {
    expect(learnCodeWay([{ sent: "ab-1", shown: "ab-1" }], same)).toBeUndefined();
  });

  it("learns nothing where one code was changed and another one of its kind was not", () => {
    const pairs = [
      { sent: "ab-1", shown: "AB-1" },
      { sent: "cd-2", shown: "cd-2" },
    ];

    expect(learnCodeWay(pairs, same)).toBeUndefined();
  });
});

describe("variantsOf", () => {
  it.each([
    ["AB-1", ["ab-1"]],
    ["ab-1", ["AB-1"]],
    ["12-34", []],
    ["'Ａb 1", ["Ab 1", "AB 1", "ab 1"]],
  ])("of %s are those that differ", (code, variants) => {
    expect(variantsOf(code)).toEqual(variants);
  });
});
