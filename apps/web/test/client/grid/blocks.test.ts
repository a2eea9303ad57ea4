import { describe, expect, it } from "vitest";

import {
  applyTyping,
  blockToClick,
  extendBlock,
  findChange,
  findErrorColumn,
  findErrorPosition,
  formatTsv,
  parseTsv,
  placeTexts,
  showText,
  toBounds,
  toGridColumns,
} from "../../../client/grid/blocks.ts";
import type { ColumnView, RowView } from "../../../src/api/index.ts";

const SIZE = { rows: 10, columns: 5 };

describe("extendBlock", () => {
  it("moves the head and keeps the anchor", () => {
    const block = { anchor: { row: 3, column: 2 }, head: { row: 3, column: 2 } };

    const extended = extendBlock(extendBlock(block, "ArrowUp", SIZE), "ArrowRight", SIZE);

    expect(toBounds(extended)).toEqual({ top: 2, bottom: 3, left: 2, right: 3 });
    expect(extended.anchor).toEqual(block.anchor);
  });

  it("stays in the view and off the number of the row", () => {
    const corner = { row: 0, column: 1 };
    const block = { anchor: corner, head: corner };

    expect(extendBlock(block, "ArrowUp", SIZE).head).toEqual(corner);
    expect(extendBlock(block, "ArrowLeft", SIZE).head).toEqual(corner);
  });
});

describe("placeTexts", () => {
  it("puts one text into every cell of the block", () => {
    const bounds = { top: 1, bottom: 2, left: 1, right: 2 };

    const placed = placeTexts(bounds, [["x"]], SIZE);

    expect(placed.map(({ row, column }) => [row, column])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ]);
  });

  it("puts a table at the corner and leaves out what lies outside", () => {
    const bounds = { top: 9, bottom: 9, left: 4, right: 4 };

    const placed = placeTexts(
      bounds,
      [
        ["a", "b"],
        ["c", "d"],
      ],
      SIZE,
    );

    expect(placed).toEqual([{ row: 9, column: 4, value: "a" }]);
  });
});

it("takes whole rows from the number of one to that of another, and cells to a cell", () => {
  const block = { anchor: { row: 1, column: 0 }, head: { row: 1, column: 0 } };

  expect(blockToClick(block, { row: 4, column: 0 }, 6)).toEqual({
    anchor: { row: 1, column: 1 },
    head: { row: 4, column: 5 },
  });
  expect(blockToClick(block, { row: 3, column: 2 }, 6).head).toEqual({ row: 3, column: 2 });
});

describe("parseTsv", () => {
  const cases: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ["", []],
    ["a", [["a"]]],
    [
      "a\tb\r\nc\td\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a\t\n\tb",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ["\n", [[""]]],
    ['"a\nb"\tc', [["a\nb", "c"]]],
    ['"5"" ekran"', [['5" ekran']]],
    ['5" ekran', [['5" ekran']]],
    ['"never closed\tx', [["never closed\tx"]]],
  ];
  for (const [text, rows] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseTsv(text)).toEqual(rows);
    });
  }
});

describe("formatTsv", () => {
  it("is read back, whatever the cells hold", () => {
    const rows = [
      ["a\tb", 'c"d', ""],
      ["e\nf", "ç ğ ı", '"'],
    ];

    expect(parseTsv(formatTsv(rows))).toEqual(rows);
  });
});

const SIGNS = ["a", " ", "\t", "\u00a0", "\u0001", "\n", "\r", "\r\n"];

/** Every text of up to so many signs. */
const textsOf = (length: number): readonly (readonly string[])[] =>
  length === 0
    ? [[]]
    : [[], ...textsOf(length - 1).flatMap((text) => SIGNS.map((sign) => text.concat(sign)))];

const TEXTS = [...new Map(textsOf(4).map((text) => [JSON.stringify(text), text])).values()];
const CONTROLS = ["\n", ""] as const;

/** The signs without those of the text that are one line break together. */
const hasOwnBreaks = (signs: readonly string[]): boolean =>
  signs.every((sign, at) => !(sign === "\r" && signs[at + 1] === "\n"));

describe("applyTyping", () => {
  it("gives back every text that nobody has changed", () => {
    for (const lineBreak of CONTROLS) {
      for (const signs of TEXTS) {
        const text = signs.join("");
        expect(applyTyping(text, showText(text, lineBreak), lineBreak)).toBe(text);
      }
    }
  });

  it("leaves everything as it is but for the one sign that was typed", () => {
    for (const lineBreak of CONTROLS) {
      for (const signs of TEXTS) {
        const shown = showText(signs.join(""), lineBreak);
        for (let at = 0; at <= shown.length; at += 1) {
          const typed = `${shown.slice(0, at)}x${shown.slice(at)}`;
          const after = applyTyping(signs.join(""), typed, lineBreak);
          expect(after.replace("x", "")).toBe(signs.join(""));
          expect(showText(after, lineBreak)).toBe(typed);
        }
      }
    }
  });

  it("takes out no more than the sign that was deleted", () => {
    for (const lineBreak of CONTROLS) {
      for (const signs of TEXTS.filter(hasOwnBreaks)) {
        const text = ["<", ...signs, ">"].join("");
        const shown = showText(text, lineBreak);
        expect(applyTyping(text, shown.slice(1), lineBreak)).toBe(text.slice(1));
        expect(applyTyping(text, shown.slice(0, -1), lineBreak)).toBe(text.slice(0, -1));
      }
    }
  });

  const cases: readonly (readonly [text: string, typed: string, after: string])[] = [
    ["one\r\ntwo", "one\n\ntwo", "one\r\n\r\ntwo"],
    ["one\rtwo", "one\ntwo\n", "one\rtwo\r"],
    ["one", "one\ntwo", "one\ntwo"],
    ["a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\nc\r\n"],
    ["a\r\nb", "ab", "ab"],
    ["a\r\nb", "", ""],
  ];
  for (const [text, typed, after] of cases) {
    it(`makes ${JSON.stringify(typed)} of ${JSON.stringify(text)} as it is broken there`, () => {
      expect(applyTyping(text, typed, "\n")).toBe(after);
    });
  }
});

const ORDER = Uint32Array.from([10, 20, 30, 40]);

describe("findErrorPosition", () => {
  const cases = [
    [-1, 1, 1],
    [1, 1, 3],
    [3, 1, 1],
    [1, -1, 3],
    [0, -1, 3],
  ] as const;
  for (const [from, step, expected] of cases) {
    it(`goes from ${from} by ${step} to ${expected}`, () => {
      expect(findErrorPosition(ORDER, new Set([20, 40]), from, step)).toBe(expected);
    });
  }

  it("finds nothing where no row of the view has an error", () => {
    expect(findErrorPosition(ORDER, new Set([99]), 0, 1)).toBeNull();
  });

  it("comes back to the only row with an error", () => {
    expect(findErrorPosition(ORDER, new Set([30]), 2, 1)).toBe(2);
  });
});

describe("findErrorColumn", () => {
  it("takes the nearest column in the direction", () => {
    expect(findErrorColumn([7, 2, 4], 2, 1)).toBe(4);
    expect(findErrorColumn([7, 2, 4], 7, -1)).toBe(4);
    expect(findErrorColumn([2], 2, 1)).toBeNull();
  });
});

const view = (row: number, cells: readonly string[], isExcluded = false): RowView => ({
  row,
  name: String(row),
  cells,
  edited: [],
  isExcluded,
  readAs: [],
  numbers: [],
  issues: [],
});

const before = new Map([
  [2, view(2, ["A", "1"])],
  [3, view(3, ["B", "2"])],
]);
const find = (after: readonly RowView[]) => findChange(after, (row) => before.get(row));

it("finds the first cell that an undo has changed", () => {
  expect(find([view(2, ["A", "1"]), view(3, ["B", "5"])])).toEqual({ row: 3, column: 1 });
  expect(find([view(2, ["A", "1"])])).toBeUndefined();
});

it("finds the row that was left out or put back", () => {
  expect(find([view(3, ["B", "2"], true)])).toEqual({ row: 3, column: null });
  expect(find([view(9, ["B"])])).toBeUndefined();
});

const column = (index: number, field: string | null): ColumnView => ({
  index,
  letter: "A",
  header: `header ${index}`,
  field,
  label: "",
  reason: "",
  confidence: "sure",
  isChosen: false,
  isUsed: false,
  samples: [],
  problem: null,
  unclear: null,
  guess: null,
});

it("shows code and title first, in sight, and columns that were left out last", () => {
  const columns = [
    column(0, "-"),
    column(1, "title"),
    column(2, "brand"),
    column(3, "product_code"),
    column(4, null),
    column(5, "warranty_type"),
  ];

  const shown = toGridColumns(columns);

  expect(shown.map((one) => [one.column.index, one.isFrozen, one.isName, one.isOut])).toEqual([
    [3, true, false, false],
    [1, true, false, false],
    [2, false, true, false],
    [4, false, false, false],
    [5, false, true, false],
    [0, false, false, true],
  ]);
});
