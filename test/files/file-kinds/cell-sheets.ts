/** Sheets of cell kinds, each in a row that is otherwise valid. */

import type { CellKind } from "./cell-kind.ts";
import { CODE_CELLS } from "./code-cells.ts";
import { type Facts, type Row, rowOf } from "./kind.ts";
import { MONEY_CELLS } from "./money-cells.ts";
import { TEXT_CELLS } from "./text-cells.ts";

/** Cell kinds in one sheet, each in a row of its own from row 2 on. */
export interface CellSheet {
  readonly name: "codes" | "cells";
  readonly kinds: readonly (CellKind & { readonly facts: Facts })[];
  readonly rows: readonly Row[];
}

function toSheet(name: CellSheet["name"], kinds: readonly CellKind[]): CellSheet {
  const codes = kinds.map((_, at) => `${name}-${at + 1}`);
  const toFacts = ({ reads }: CellKind, at: number): Facts => ({
    product_code: codes[at] ?? "",
    ...reads,
  });
  const toRow = ({ header, cell }: CellKind, at: number): Row =>
    rowOf({ "Ürün Kodu *": codes[at], [header]: cell });
  const withFacts = (kind: CellKind, at: number): CellSheet["kinds"][number] =>
    Object.assign({}, kind, { facts: toFacts(kind, at) });
  return { name, kinds: kinds.map(withFacts), rows: kinds.map(toRow) };
}

const isApart = (kind: CellKind): boolean => kind.isApart === true;

export const CELL_SHEETS: readonly CellSheet[] = [
  toSheet(
    "codes",
    CODE_CELLS.filter((kind) => !isApart(kind)),
  ),
  toSheet("cells", [...MONEY_CELLS, ...CODE_CELLS.filter(isApart), ...TEXT_CELLS]),
];
