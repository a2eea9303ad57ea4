import { expect, it } from "vitest";

import { toGridColumns } from "../../../client/grid/blocks.ts";
import type { ColumnView } from "../../../src/api/index.ts";

const column = (index: number, field: string | null): ColumnView => ({
  index,
  letter: "A",
  header: `header ${index}`,
  field,
  label: "",
  reason: "",
  confidence: "sure",
  isChosen: false,
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
