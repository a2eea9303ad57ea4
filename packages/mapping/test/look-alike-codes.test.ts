import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { areCodesSplitApart, lookAlikeCodeKey } from "../src/product-codes.ts";
import { suspectCodeKey } from "../src/text-keys.ts";

const areAlike = (one: string, other: string): boolean =>
  lookAlikeCodeKey(one) === lookAlikeCodeKey(other) && !areCodesSplitApart(one, other);

describe("codes that look like one in use", () => {
  it.each([
    ["102", "000102"],
    ["87", "0087"],
    ["0000103", "000103"],
    ["0", "000"],
    ["12 007", "12-007"],
    ["2024001", "2024-001"],
    ["KML 007", "KML-007"],
    ["KML007", "KML-007"],
    ["KML_012", "KML-012"],
    ["KML.012", "KML/012"],
    ["KML–012", "KML-012"],
    ["KML-OO8", "KML-008"],
    ["kml-1O", "KML-10"],
    ["A-I1", "A-11"],
    ["A-l1", "A-11"],
    ["ŞİŞE-1", "sise-1"],
    ["Çatal12", "CATAL-12"],
    ["А1", "A1"],
    ["'00102", "102"],
    ["KML-1-11", "KML1-11"],
    ["KML-1-11", "KML-111"],
    ["01-11", "1-11"],
    ["1-OO1", "1-001"],
  ])("are %s and %s", (one, other) => {
    expect(areAlike(one, other)).toBe(true);
  });

  it.each([
    ["102", "1020"],
    ["102", "1002"],
    ["0102", "0120"],
    ["A102", "A0102"],
    ["KML-7", "KML-07"],
    ["KML-1-11", "KML-11-1"],
    ["1.5-2", "15-2-0"],
    ["38-1", "3-81"],
    ["LOL", "101"],
    ["OLI", "11"],
    ["KML-007", "KMN-007"],
    ["-", "_"],
  ])("are not %s and %s", (one, other) => {
    expect(areAlike(one, other)).toBe(false);
  });

  it("of digits are those with the same number", () => {
    const digits = fc.stringMatching(/^[0-9]{1,12}$/u);
    fc.assert(
      fc.property(digits, digits, (one, other) => {
        expect(areAlike(one, other)).toBe(BigInt(one) === BigInt(other));
        expect(areAlike(one, `000${one}`)).toBe(true);
      }),
    );
  });

  it("include those that look alike within a file", () => {
    const code = fc.stringMatching(/^[aAıİI1l0oO\-_ ./ŞsАＡ\u200b']{1,8}$/u);
    fc.assert(
      fc.property(code, fc.nat(8), (one, at) => {
        const other = ` ${one.slice(0, at)} ${one.slice(at)}\u200b`.toUpperCase();
        fc.pre(suspectCodeKey(one) === suspectCodeKey(other));

        expect(lookAlikeCodeKey(one)).toBe(lookAlikeCodeKey(other));
      }),
    );
  });
});
