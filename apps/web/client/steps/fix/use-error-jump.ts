import type { RefObject } from "react";
import type { DataGridHandle } from "react-data-grid";

import type { DraftView } from "../../../src/api/index.ts";
import type { ChangedCell } from "../../grid/find-change.ts";
import { findErrorColumn, findErrorPosition } from "../../grid/find-error.ts";
import type { GridModel } from "../../grid/grid-model.ts";
import { useErrorRows } from "./use-order.ts";

const errorPlaces = (model: GridModel, row: number): readonly number[] => {
  const issues = model.rows.peek(row)?.issues.filter((issue) => issue.severity === "error") ?? [];
  return issues.map(({ column }) =>
    column === null ? 0 : model.columns.findIndex((shown) => shown.column.index === column) + 1,
  );
};

/** Makes a cell the active one, where its row is in the view. */
export const goToCell = (
  { row, column }: ChangedCell,
  model: GridModel,
  grid: RefObject<DataGridHandle | null>,
): void => {
  const rowIdx = model.rows.order.indexOf(row);
  if (rowIdx === -1) return;
  const idx =
    column === null ? 0 : model.columns.findIndex((shown) => shown.column.index === column) + 1;
  grid.current?.scrollToCell({ rowIdx, idx });
  grid.current?.setActivePosition({ rowIdx, idx }, { shouldFocus: true });
};

/** Goes to the next or the previous error of the view, around its end. */
export const useErrorJump = (
  draft: DraftView,
  model: GridModel,
  grid: RefObject<DataGridHandle | null>,
): ((step: 1 | -1) => void) => {
  const readErrorRows = useErrorRows(draft.id, draft.version);
  const goTo = (rowIdx: number, idx: number): void => {
    grid.current?.scrollToCell({ rowIdx, idx });
    grid.current?.setActivePosition({ rowIdx, idx }, { shouldFocus: true });
  };
  const jump = async (step: 1 | -1): Promise<void> => {
    // Enter moves on before the other errors of its row are corrected.
    const from = model.entered.get() ?? model.block.get()?.head ?? { row: -1, column: -1 };
    const { order } = model.rows;
    const here = findErrorColumn(errorPlaces(model, order[from.row] ?? 0), from.column, step);
    if (here !== null) {
      goTo(from.row, here);
      return;
    }
    const position = findErrorPosition(order, await readErrorRows(), from.row, step);
    if (position === null) return;
    const row = order[position] ?? 0;
    await model.rows.load([row]);
    const column = findErrorColumn(errorPlaces(model, row), step === 1 ? -1 : Infinity, step);
    goTo(position, column ?? 0);
  };
  return (step) => void jump(step);
};
