import type { CellValue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  createTextFold,
  type DraftSheet,
  sortRows,
  toEffectiveRow,
} from "../../src/drafts/draft-rows.ts";
import type { DraftRepository, DraftRow } from "../../src/drafts/stored-draft.ts";

describe("createTextFold", () => {
  const foldText = createTextFold();
  const cases: readonly (readonly [text: string, folded: string])[] = [
    ["IŞIK ışık İşik", "isik isik isik"],
    ["KOD-12/A", "kod 12 a"],
    ["  iki   boşluk ", "iki bosluk"],
    ["e\u0301 é", "e e"],
    ["%", ""],
  ];
  it.each(cases)("folds “%s” to “%s”", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe("toEffectiveRow", () => {
  it("drops traits and formats of edited cells, and keeps those of others", () => {
    const row = toEffectiveRow(
      {
        row: 4,
        cells: ["A", 12.5, 7],
        traits: { 1: "formula" },
        formats: { 1: "0.00", 2: "0%" },
        edits: { 1: "13" },
      },
      undefined,
    );

    expect(row).toEqual({ row: 4, cells: ["A", "13", 7], formats: { 2: "0%" } });
  });

  it("gives an edited row the width of the header where only empty cells are beyond it", () => {
    const short = toEffectiveRow({ row: 2, cells: ["A"], edits: { 0: "B" } }, 3);
    const long = toEffectiveRow({ row: 3, cells: ["A", "b", "c", "d"], edits: { 3: "" } }, 3);
    const slipped = toEffectiveRow({ row: 4, cells: ["A", "b", "c", "d"], edits: { 0: "B" } }, 3);

    expect([short, long, slipped].map(({ cells }) => cells)).toEqual([
      ["B", null, null],
      ["A", "b", "c"],
      ["B", "b", "c", "d"],
    ]);
  });

  it("leaves a row without edits as it is", () => {
    const cells = ["A", "b", "c", "d"];

    expect(toEffectiveRow({ row: 2, cells, edits: {} }, 3)).toEqual({ row: 2, cells });
  });
});

/** Sorts rows of one cell each, from row 2 on; answers their cells. */
async function sort(
  cells: readonly CellValue[],
  { isDescending = false, notation }: Partial<Sorting> = {},
): Promise<readonly CellValue[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the number of a row is read
  const rows = cells.map((_, at) => ({ row: at + 2 })) as DraftRow[];
  const drafts: Pick<DraftRepository, "readRows"> = {
    readRows: async (_draft, { after }) => rows.filter(({ row }) => row > after),
  };
  const sheet: Pick<DraftSheet, "draft" | "effective"> = {
    draft: "d",
    effective: ({ row }) => ({ row, cells: [null, cells[row - 2] ?? null] }),
  };
  const sorted = await sortRows(
    Uint32Array.from(rows, ({ row }) => row),
    { column: 1, isDescending },
    { drafts, sheet, notation },
  );
  return [...sorted].map((row) => cells[row - 2] ?? null);
}

interface Sorting {
  readonly isDescending: boolean;
  readonly notation: Parameters<typeof sortRows>[2]["notation"];
}

const comma = { notation: { decimal: "comma", isMixed: false } } as const;

it("sorts numbers by what they are, however they are written", async () => {
  const cells = ["1.299,90 TL", 900, "12,5", "-3", null, "sorunuz", "1.000"];

  expect(await sort(cells, comma)).toEqual([
    "-3",
    "12,5",
    900,
    "1.000",
    "1.299,90 TL",
    "sorunuz",
    null,
  ]);
});

it("sorts texts as Turkish does, with their numbers by size", async () => {
  const cells = [
    "Zil",
    "Çanta",
    "çan",
    "Cüzdan 10",
    "Cüzdan 9",
    "",
    "Şapka",
    "Saat",
    "İnci",
    "Irmak",
  ];

  expect(await sort(cells)).toEqual([
    "Cüzdan 9",
    "Cüzdan 10",
    "çan",
    "Çanta",
    "Irmak",
    "İnci",
    "Saat",
    "Şapka",
    "Zil",
    "",
  ]);
});

it("keeps empty cells last and equal cells in their order, whichever way it sorts", async () => {
  const cells = ["b", null, "a", "B", ""];

  expect(await sort(cells, { isDescending: true })).toEqual(["B", "b", "a", null, ""]);
  expect(await sort(["3", "3,0", "1"], { ...comma, isDescending: true })).toEqual([
    "3",
    "3,0",
    "1",
  ]);
});
