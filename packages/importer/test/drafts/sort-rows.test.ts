import type { CellValue } from "@catalog/mapping";
import { expect, it } from "vitest";

import type { DraftSheet } from "../../src/drafts/draft-source.ts";
import { sortRows } from "../../src/drafts/sort-rows.ts";
import type { DraftRepository, DraftRow } from "../../src/drafts/stored-draft.ts";

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
