/** Keys of the grid beside those that it has by itself. */

import type { RefObject } from "react";
import type { CellKeyboardEvent, CellKeyDownArgs, DataGridHandle } from "react-data-grid";

import { clearBlock, fillDown, isTooBig } from "./clipboard.ts";
import type { CellEdit, GridModel } from "./grid-model.ts";
import { type Block, type Bounds, extendBlock, toBounds } from "./selection.ts";

export interface GridKey {
  readonly model: GridModel;
  readonly args: CellKeyDownArgs<number>;
  readonly event: CellKeyboardEvent;
  readonly gridRef: RefObject<DataGridHandle | null>;
  readonly onTooMany: () => void;
}

const isControl = (event: CellKeyboardEvent): boolean => event.ctrlKey || event.metaKey;

const take = (event: CellKeyboardEvent): void => {
  event.preventGridDefault();
  event.preventDefault();
};

const sizeOf = ({ rows, columns }: GridModel) => ({
  rows: rows.order.length,
  columns: columns.length + 1,
});

const editBlock = (
  { model, event, onTooMany }: GridKey,
  block: Block,
  toEdits: (model: GridModel, bounds: Bounds) => readonly CellEdit[],
): void => {
  take(event);
  const bounds = toBounds(block);
  if (isTooBig(bounds)) {
    onTooMany();
    return;
  }
  const edits = toEdits(model, bounds);
  if (edits.length > 0) model.edit(edits);
};

const onControlKey = (key: GridKey, block: Block): void => {
  const { model, args, event } = key;
  const size = sizeOf(model);
  switch (event.key.toLowerCase()) {
    case "home":
      // The grid would go to its header.
      take(event);
      if (args.mode === "ACTIVE") args.setActivePosition({ idx: 1, rowIdx: 0 });
      return;
    case "a":
      take(event);
      model.block.set({
        anchor: { row: 0, column: 1 },
        head: { row: size.rows - 1, column: size.columns - 1 },
      });
      return;
    case "d":
      editBlock(key, block, fillDown);
      return;
    default:
  }
};

const isModified = (event: CellKeyboardEvent): boolean =>
  isControl(event) || event.altKey || event.shiftKey;

/** Enter ends the editing and goes to the cell below; in the last row it stays. */
const onEditKey = ({ model, args, event, gridRef }: GridKey): void => {
  if (args.mode !== "EDIT" || event.key !== "Enter" || isModified(event)) return;
  take(event);
  args.onClose(true);
  const { column, rowIdx } = args;
  // The grid ignores a position behind its last row.
  gridRef.current?.setActivePosition(
    { idx: column.idx, rowIdx: rowIdx + 1 },
    { shouldFocus: true },
  );
  model.entered.set({ row: rowIdx, column: column.idx });
};

/** What a key does in a cell. */
export const onGridKey = (key: GridKey): void => {
  const { model, args, event } = key;
  const block = model.block.get();
  if (args.mode === "EDIT") {
    onEditKey(key);
    return;
  }
  if (block === null) return;
  model.typed.set(event.key !== "F2" && event.key !== "Enter");
  if (isControl(event)) {
    onControlKey(key, block);
    return;
  }
  if (event.shiftKey && event.key.startsWith("Arrow")) {
    take(event);
    model.block.set(extendBlock(block, event.key, sizeOf(model)));
    return;
  }
  if (event.key === "Delete" || event.key === "Backspace") editBlock(key, block, clearBlock);
  // The grid begins to edit with F2 only where it is told to.
  if (event.key === "F2") {
    take(event);
    args.setActivePosition(
      { idx: block.head.column, rowIdx: block.head.row },
      { enableEditor: true },
    );
  }
  // The grid opens the editor, which would take the key as a line break.
  if (event.key === "Enter") event.preventDefault();
  // Keys of the page, which the grid takes for typing otherwise.
  if (event.key === "F8") event.preventGridDefault();
};
