import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mapColumns } from "../src/columns/map-columns.ts";
import {
  areCodesSplitApart,
  createCodeColumn,
  createCodeSuspects,
  lookAlikeCodeKey,
  parseProductCode,
} from "../src/product-codes.ts";
import type { CellTrait, CellValue } from "../src/source-row.ts";
import { suspectCodeKey } from "../src/text-keys.ts";

const CODES_OF_CELLS: readonly (readonly [CellValue, CellTrait | undefined, string])[] = [
  ["00123", undefined, "00123"],
  ["\ufeff A 1\u00a0", undefined, "A 1"],
  [8690000000000, undefined, "8690000000000"],
  [0, undefined, "0"],
  ["12E4", undefined, "12E4"],
  [1e15, undefined, "E_CODE_NOT_TEXT"],
  [1.5, undefined, "E_CODE_NOT_TEXT"],
  [-5, undefined, "E_CODE_NOT_TEXT"],
  ["8,69E+12", undefined, "E_CODE_NOT_TEXT"],
  ["1.23457E+12", undefined, "E_CODE_NOT_TEXT"],
  [44927, "date", "E_CODE_NOT_TEXT"],
  ["1-2", "date", "E_CODE_NOT_TEXT"],
  [true, undefined, "E_CODE_NOT_TEXT"],
];
for (const [value, trait, expected] of CODES_OF_CELLS) {
  it(`reads ${JSON.stringify(value)} ${trait ?? ""} as ${expected}`, () => {
    const reading = parseProductCode(value, trait);

    expect(reading.ok ? reading.value : reading.problem.text).toBe(expected);
  });
}

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

const header = ["Fiyat", "Stok Kodu"];
const codeColumn = createCodeColumn("S", mapColumns({ sheet: "S", headerRow: 1, header }));

it("reads the code of a row and its key", () => {
  expect(codeColumn.read({ row: 2, cells: [5, " 00  12 "] })).toEqual({
    code: "00  12",
    codeKey: "00 12",
  });
});

it("reads no code from an empty cell or an invalid code", () => {
  expect(codeColumn.read({ row: 2, cells: [5] })).toBeUndefined();
  expect(codeColumn.read({ row: 2, cells: [5, "8,69E+12"] })).toBeUndefined();
  expect(codeColumn.read({ row: 2, cells: [5, 44927], traits: { 1: "date" } })).toBeUndefined();
});

it("locates the code, in column A where the file has no codes", () => {
  const none = createCodeColumn("S", mapColumns({ sheet: "S", headerRow: 1, header: ["Ürün ID"] }));

  expect(codeColumn.location(7, "x")).toMatchObject({
    cell: "B7",
    column: "Stok Kodu",
    value: "x",
  });
  expect(none.location(7, "x")).toMatchObject({ cell: "A7", column: "", value: "x" });
  expect(none.read({ row: 7, cells: ["x"] })).toBeUndefined();
});

it("does not read a failed formula as a code", () => {
  expect(codeColumn.read({ row: 2, cells: [5, "#N/A"] })).toBeUndefined();
  expect(codeColumn.read({ row: 2, cells: [5, "A-1"], traits: { 1: "error" } })).toBeUndefined();
});

const LOCATION = { sheet: "S", row: 2, column: "SKU", cell: "A2", value: "" };

function judge(...codes: readonly string[]) {
  const suspects = createCodeSuspects();
  for (const [row, code] of codes.entries()) suspects.note(code, row);
  for (const row of suspects.forgotten) suspects.recall(codes[row] ?? "");
  return codes.map((code) => suspects.judge({ code, isNumber: false }, LOCATION));
}

function judgeNumber(number: string, ...codes: readonly string[]) {
  const suspects = createCodeSuspects();
  for (const [row, code] of [...codes, number].entries()) suspects.note(code, row);
  return suspects.judge({ code: number, isNumber: true }, LOCATION);
}

describe("look-alike codes of one file", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["A1", "a1", "büyük/küçük harf"],
    ["A1", "Ａ1", "genişliği"],
    ["A1", "A\u200b1", "görünmeyen"],
    ["A 1", "A1", "boşlukları"],
    ["K\u00df\u0131l", "K\u00dfil", "benzer görünen"],
    ["A1", "А1", "benzer görünen"],
  ];
  for (const [one, other, difference] of cases) {
    it(`are reported: ${JSON.stringify([one, other])}`, () => {
      const issues = judge(one, other, "B2");

      expect(issues.map((issue) => issue?.code)).toEqual([
        "E_CODE_SUSPECT",
        "E_CODE_SUSPECT",
        undefined,
      ]);
      expect(issues[0]?.message.tr).toContain(difference);
      expect(issues[0]?.message.tr).toContain(`“${other}”`);
    });
  }

  it("are all reported where one of four also has a duplicate", () => {
    expect(judge("A1", "a1", "Ａ1", "A\u200b1", "A1 ").filter(Boolean)).toHaveLength(5);
  });

  it("are named as they first stood, in the order of the file", () => {
    expect(judge("B2", "A1", "A1 ", "a1", "Ａ1").at(-2)?.message.en).toContain("“A1”, “Ａ1”");
  });

  it("need to be recalled only where another code looks like them", () => {
    const suspects = createCodeSuspects();
    for (const [row, code] of ["A1", "B2", "a1", "C3", "a 1"].entries()) suspects.note(code, row);

    expect([...suspects.forgotten]).toEqual([0]);
  });

  it("are not reported where they are equal or really differ", () => {
    expect(judge("A1", "A1 ", "A-1", "A2", "Ş1", "S1").filter(Boolean)).toEqual([]);
  });
});

describe("leading zeros that Excel has removed", () => {
  it("are suspected in a number that is shorter than the codes with zeros", () => {
    expect(judgeNumber("124", "00123", "00125")).toMatchObject({
      code: "E_CODE_SUSPECT",
      cell: "A2",
      value: "124",
      message: {
        en: "“124” is kept as a number, while other codes begin with zeros, such as “00123”. Excel may have removed its leading zeros.",
      },
      suggestion: {
        tr: "Hücrenin biçimini Metin yapıp kodu yeniden yazın: “00124” ya da gerçekten buysa “124”. Hepsi doğruysa --allow code-suspect ekleyin.",
      },
    });
  });

  it.each([
    ["12345", ["00123"]],
    ["123456", ["00123"]],
    ["12", ["A0012", "00-12", "0"]],
    ["12", ["13", "1400"]],
    ["124", ["007", "00123"]],
  ])("are not suspected in %s beside %j", (number, codes) => {
    expect(judgeNumber(number, ...codes)).toBeUndefined();
  });

  it("are not suspected in a text cell", () => {
    expect(judge("00123", "124")).toEqual([undefined, undefined]);
  });
});

/** The suspicion about each code as that of a new product, beside the other codes of its file. */
function judgeAdds(codes: readonly string[], others: readonly string[] = []) {
  const suspects = createCodeSuspects();
  for (const [row, code] of [...others, ...codes].entries()) suspects.note(code, row);
  return codes.filter((code) => suspects.judgeAdd(code, LOCATION)?.code === "E_CODE_SUSPECT");
}

describe("codes that a program has made of other codes", () => {
  const damaged =
    "01.Mar;2.Oca;Mar-01;03.Şub;03.Sub;5-Jan;01.MAR;1 Mart;12-Ağu;Mar.25;Oca.01;Eylül 2025;May-25;1.Mar.25;01-MAR-2025;Sept-3;mar-1;2025-03-01;2025-03-01 00:00:00;1.03.2025;01/03/2025;3/13/2025;2025.03.01;2025-03-01T00:00:00;1.2E5;1,23E8;8.69012E12;1.0e7";
  it.each(damaged.split(";"))("are suspected as new products: %s", (code) => {
    expect(judgeAdds([code])).toEqual([code]);
  });

  const sound =
    "13-14;1-3;MAR-01;MAY-12;KAS-10;1E5;12E4;Mar-101;Marmara-1;32-Mar;Mart;10-12-24;2025;2025-13-45;99.99.2025;45717;EYL5;KML-Mar-01;1.2E5000;12.5E3;;Ara-Bul;Ocak-1a";
  it.each(sound.split(";"))("are not suspected: %s", (code) => {
    expect(judgeAdds([code])).toEqual([]);
  });

  it("are suspected as numbers of days where most codes are pairs of numbers", () => {
    expect(judgeAdds(["45717", "99999"], ["13-14", "15-40"])).toEqual(["45717"]);
    expect(judgeAdds(["45717", "45718", "45719"], ["13-14", "A-1"])).toEqual([]);
  });
});
