import { describe, expect, it } from "vitest";

import { type Block, type Corner, toGridColumns } from "../../../client/grid/blocks.ts";
import {
  applyEdits,
  CELLS_TYPE,
  copyBlock,
  fillDown,
  type GridModel,
  pasteCells,
  readClipboard,
} from "../../../client/grid/grid-model.ts";
import { RowWindow } from "../../../client/grid/row-window.ts";
import { createExternalValue } from "../../../client/lib/requests.ts";
import type { ColumnView, RowView } from "../../../src/api/index.ts";

const column = (index: number): ColumnView => ({
  index,
  letter: "A",
  header: `header ${index}`,
  field: null,
  label: "",
  reason: "",
  confidence: "open",
  isChosen: false,
  isUsed: false,
  samples: [],
  guess: null,
  problem: null,
  unclear: null,
});

const createModel = (cells: readonly (readonly string[])[]): GridModel => {
  const rows = new RowWindow<RowView>({ numberOf: ({ row }) => row, read: async () => [] });
  rows.put(
    cells.map((texts, n) => ({
      row: n + 2,
      name: String(n + 2),
      cells: texts,
      edited: [],
      isExcluded: false,
      readAs: [],
      numbers: [],
      issues: [],
    })),
  );
  rows.setOrder(Uint32Array.from(cells, (_, n) => n + 2));
  const columns = toGridColumns([column(0), column(1)]);
  return {
    draft: "d",
    rows,
    block: createExternalValue<Block | null>(null),
    columns,
    hasImages: false,
    typed: createExternalValue(false),
    entered: createExternalValue<Corner | null>(null),
    edit: () => undefined,
  };
};

const CELLS = [
  ["a", "b"],
  ["c", "d"],
  ["e", "f"],
];
const WHOLE = { top: 0, bottom: 1, left: 1, right: 2 };

describe("blocks", () => {
  it("are copied cell by cell, and not before all their rows are in memory", () => {
    const model = createModel(CELLS);

    expect(copyBlock(model, WHOLE)).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    model.rows.setOrder(Uint32Array.from([2, 99]));
    expect(copyBlock(model, WHOLE)).toBeNull();
  });

  it("change only cells whose text is another", () => {
    const model = createModel(CELLS);

    expect(pasteCells(model, WHOLE, [["a", "x"]])).toEqual({
      edits: [{ row: 2, column: 1, value: "x" }],
      lost: 0,
    });
  });

  it("are filled with their first row", () => {
    const model = createModel(CELLS);

    expect(fillDown(model, { top: 0, bottom: 2, left: 1, right: 1 })).toEqual([
      { row: 3, column: 0, value: "a" },
      { row: 4, column: 0, value: "a" },
    ]);
  });

  it("of one row are filled with the row above", () => {
    const model = createModel(CELLS);

    expect(fillDown(model, { top: 2, bottom: 2, left: 2, right: 2 })).toEqual([
      { row: 4, column: 1, value: "d" },
    ]);
  });
});

describe("readClipboard", () => {
  it("gives back the cells of this page as they were, and the text of other programs", () => {
    const cells = [["one\r\ntwo", "a\tb\rc"]];
    const own = new Map([
      [CELLS_TYPE, JSON.stringify(cells)],
      ["text/plain", "changed on the way"],
    ]);
    const other = new Map([["text/plain", "a\tb\r\n"]]);

    const read = [own, other].map((kinds) =>
      readClipboard({ getData: (kind) => kinds.get(kind) ?? "" }),
    );

    expect(read).toEqual([cells, [["a", "b"]]]);
  });
});

describe("applyEdits", () => {
  it("shows cells as they will be, and marks them as edited", () => {
    const { rows } = createModel(CELLS);

    const [changed] = applyEdits(rows, [
      { row: 2, column: 1, value: "x" },
      { row: 2, column: 3, value: "y" },
      { row: 99, column: 0, value: "not in memory" },
    ]);

    expect(changed?.cells).toEqual(["a", "x", "", "y"]);
    expect(changed?.edited).toEqual([1, 3]);
  });
});
