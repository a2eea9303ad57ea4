/** The grid of a draft's rows, with its keys. */

import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import {
  type CellCopyArgs,
  type CellKeyboardEvent,
  type CellKeyDownArgs,
  type CellMouseArgs,
  type CellMouseEvent,
  type CellPasteArgs,
  type Column,
  DataGrid,
  type DataGridHandle,
  type FillEvent,
  type PositionChangeArgs,
  type RenderHeaderCellProps,
  type SortColumn,
} from "react-data-grid";

import type { RowSort } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { Icon } from "../ui/controls.tsx";
import {
  type Block,
  blockToClick,
  type Bounds,
  extendBlock,
  formatTsv,
  type GridColumn,
  isImageColumn,
  toBounds,
} from "./blocks.ts";
import {
  CellText,
  ImageCell,
  NameEditor,
  PANEL_ID,
  renderGridCell,
  RowName,
  TextEditor,
} from "./cells.tsx";
import { GridFrame, isSameOrder, useMedia, WIDE } from "./grid-frame.tsx";
import {
  type CellEdit,
  CELLS_TYPE,
  clearBlock,
  copyBlock,
  fillDown,
  fillFrom,
  GridContext,
  type GridModel,
  isTooBig,
  pasteCells,
  readBlock,
  readClipboard,
} from "./grid-model.ts";
import { MAX_CELLS } from "./row-window.ts";

interface GridKey {
  readonly model: GridModel;
  readonly args: CellKeyDownArgs<number>;
  readonly event: CellKeyboardEvent;
  readonly gridRef: RefObject<DataGridHandle | null>;
  readonly onNotice: OnNotice;
}

/** Why cells did not change as was asked: too many for one step, or so many without a place. */
export type GridNotice = "too-many" | { readonly lost: number };

type OnNotice = (notice: GridNotice | null) => void;

/** Makes the changes, where they are not too many for one step. */
const change = (
  model: GridModel,
  { edits, lost = 0 }: { readonly edits: readonly CellEdit[]; readonly lost?: number },
  onNotice: OnNotice,
): void => {
  if (edits.length > MAX_CELLS) {
    onNotice("too-many");
    return;
  }
  onNotice(lost === 0 ? null : { lost });
  if (edits.length > 0) model.edit(edits);
};

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
  { model, event, onNotice }: GridKey,
  block: Block,
  toEdits: (model: GridModel, bounds: Bounds) => readonly CellEdit[],
): void => {
  take(event);
  const bounds = toBounds(block);
  if (isTooBig(bounds)) onNotice("too-many");
  else change(model, { edits: toEdits(model, bounds) }, onNotice);
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

const onGridKey = (key: GridKey): void => {
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

interface DraftGridProps {
  readonly model: GridModel;
  readonly order: Uint32Array;
  readonly gridRef: RefObject<DataGridHandle | null>;
  readonly sort: RowSort | null;
  readonly onSort: (sort: RowSort | null) => void;
  readonly onNotice: OnNotice;
}

type Direction = RenderHeaderCellProps<number>["sortDirection"];

/** Templates and exports mark a required column with a star. */
const plainHeader = ({ header }: GridColumn["column"]): string => header.replace(/ \*$/u, "");

const headerOf = ({ column }: GridColumn, direction: Direction): ReactNode => (
  <span className="grid-header" title={column.header}>
    <span>
      {column.header === "" ? column.letter : column.header}
      {direction === undefined ? null : <Icon name={direction === "ASC" ? "up" : "down"} />}
    </span>
    {column.field === null ||
    column.field === "-" ||
    column.label === plainHeader(column) ? null : (
      <small>{column.label}</small>
    )}
  </span>
);

interface ColumnLook {
  /** Whether the first columns may stay in sight while others move. */
  readonly isWide: boolean;
  /** Whether the columns are so few that they share the width of the grid. */
  readonly areFew: boolean;
}

const ROW_PX = 32;
const THUMB_ROW_PX = 44;

/** So many columns fit into most windows. */
const MAX_FEW = 5;

const toColumn = (shown: GridColumn, { isWide, areFew }: ColumnLook): Column<number> => {
  const { index, header, letter } = shown.column;
  const { width, isNumber } = shown;
  const classOf = (out: string): string =>
    [shown.isOut ? out : "", isNumber ? "cell-number" : ""].filter(Boolean).join(" ");
  const name = header === "" ? letter : header;
  const Editor = shown.isName ? NameEditor : TextEditor;
  return {
    key: String(index),
    name,
    frozen: shown.isFrozen && isWide,
    resizable: true,
    width: areFew && !isNumber ? `minmax(${width}px, 1fr)` : width,
    minWidth: 60,
    headerCellClass: classOf("header-out"),
    cellClass: classOf("cell-out"),
    sortable: true,
    renderHeaderCell: ({ sortDirection }) => headerOf(shown, sortDirection),
    renderCell: ({ row, rowIdx }) =>
      isImageColumn(shown) ? (
        <ImageCell row={row} position={rowIdx} index={index} />
      ) : (
        <CellText row={row} position={rowIdx} index={index} />
      ),
    renderEditCell: (props) => <Editor {...props} index={index} header={name} />,
    editorOptions: { closeOnExternalRowChange: false },
  };
};

const useGridColumns = ({ columns, hasImages }: GridModel): readonly Column<number>[] => {
  const { texts } = usePage();
  const isWide = useMedia(WIDE);
  return useMemo(
    () => [
      {
        key: "row",
        name: texts.fix.rowNumber,
        frozen: true,
        width: hasImages ? 106 : 76,
        resizable: true,
        cellClass: "row-cell",
        renderCell: (props) => <RowName {...props} hasPicture={hasImages} />,
      },
      ...columns.map((shown) => toColumn(shown, { isWide, areFew: columns.length <= MAX_FEW })),
    ],
    [columns, texts, isWide, hasImages],
  );
};

const boundsOf = (model: GridModel): Bounds | null => {
  const block = model.block.get();
  return block === null ? null : toBounds(block);
};

const onCopy = (
  model: GridModel,
  event: { clipboardData: DataTransfer; preventDefault(): void },
): void => {
  const bounds = boundsOf(model);
  if (bounds === null) return;
  event.preventDefault();
  const cells = copyBlock(model, bounds);
  if (cells === null) {
    void readBlock(model, bounds).then((read) => navigator.clipboard.writeText(read));
    return;
  }
  event.clipboardData.setData("text/plain", formatTsv(cells));
  event.clipboardData.setData(CELLS_TYPE, JSON.stringify(cells));
};

/** With Shift, the block grows to the cell. */
const onMouseDown = (
  model: GridModel,
  { rowIdx, column }: CellMouseArgs<number>,
  event: CellMouseEvent,
): void => {
  model.typed.set(false);
  const block = model.block.get();
  if (!event.shiftKey || block === null) return;
  event.preventGridDefault();
  event.preventDefault();
  const click = { row: rowIdx, column: column.idx };
  model.block.set(blockToClick(block, click, model.columns.length + 1));
};

/** A column of the grid has the index of its column as its key. */
const toSortColumn = ({ column, isDescending }: RowSort): SortColumn => ({
  columnKey: String(column),
  direction: isDescending ? "DESC" : "ASC",
});

const toRowSort = (sorted: SortColumn | undefined): RowSort | null =>
  sorted === undefined
    ? null
    : { column: Number(sorted.columnKey), isDescending: sorted.direction === "DESC" };

/** Shows the first row when the view shows other rows. */
const useFirstRow = (
  model: GridModel,
  order: Uint32Array,
  grid: RefObject<DataGridHandle | null>,
): void => {
  const shown = useRef(order);
  useEffect(() => {
    const before = shown.current;
    shown.current = order;
    // Rows that were read again and are the same leave the person where they are.
    if (isSameOrder(before, order)) return;
    const column = model.block.get()?.head.column;
    grid.current?.scrollToCell({ rowIdx: 0 });
    if (column === undefined || order.length === 0) return;
    const corner = { row: 0, column };
    model.block.set({ anchor: corner, head: corner });
    grid.current?.setActivePosition({ rowIdx: 0, idx: column }, { shouldFocus: false });
  }, [model, order, grid]);
};

/**
 * Fills cells by the handle at the corner of the active one. The grid asks for each row by itself, so
 * that the rows of one drag are gathered and changed in one step.
 */
const useFill = (model: GridModel, onNotice: OnNotice): ((event: FillEvent<number>) => number) => {
  const targets = useRef<number[]>([]);
  return ({ columnKey, sourceRow, targetRow }) => {
    if (targets.current.length === 0) {
      queueMicrotask(() => {
        const from = { row: sourceRow, column: Number(columnKey) };
        const edits = fillFrom(model, from, targets.current);
        targets.current = [];
        change(model, { edits }, onNotice);
      });
    }
    targets.current.push(targetRow);
    return targetRow;
  };
};

export const DraftGrid = (props: DraftGridProps): ReactNode => {
  const { model, order, gridRef, sort, onSort, onNotice } = props;
  const { texts } = usePage();
  const isWide = useMedia(WIDE);
  const columns = useGridColumns(model);
  const rows = useMemo(() => [...order], [order]);
  const sortColumns = useMemo(() => (sort === null ? [] : [toSortColumn(sort)]), [sort]);
  useFirstRow(model, order, gridRef);
  const onMove = ({ rowIdx, column }: PositionChangeArgs<number>): void => {
    const corner = { row: rowIdx, column: column?.idx ?? 0 };
    model.entered.set(null);
    model.block.set(rowIdx < 0 || column === undefined ? null : { anchor: corner, head: corner });
  };
  const fill = useFill(model, onNotice);
  const onPaste = (args: CellPasteArgs<number>, event: { clipboardData: DataTransfer }): number => {
    const bounds = boundsOf(model);
    if (bounds === null) return args.row;
    if (isTooBig(bounds)) onNotice("too-many");
    else change(model, pasteCells(model, bounds, readClipboard(event.clipboardData)), onNotice);
    return args.row;
  };
  return (
    <GridContext value={model}>
      <GridFrame hasRows={order.length > 0} gridRef={gridRef}>
        <DataGrid
          ref={gridRef}
          className="draft-grid"
          aria-label={texts.fix.grid}
          aria-describedby={PANEL_ID}
          columns={columns}
          rows={rows}
          rowKeyGetter={(row) => row}
          rowHeight={isWide ? ROW_PX : THUMB_ROW_PX}
          headerRowHeight={40}
          renderers={{
            renderCell: renderGridCell,
            noRowsFallback: <p className="grid-empty">{texts.fix.noRows}</p>,
          }}
          sortColumns={sortColumns}
          onSortColumnsChange={(sorted) => onSort(toRowSort(sorted.at(-1)))}
          onRowsChange={() => undefined}
          onActivePositionChange={onMove}
          onCellKeyDown={(args, event) => onGridKey({ model, args, event, gridRef, onNotice })}
          onCellMouseDown={(args, event) => onMouseDown(model, args, event)}
          onCellCopy={(_: CellCopyArgs<number>, event) => onCopy(model, event)}
          onCellPaste={onPaste}
          onFill={fill}
        />
      </GridFrame>
    </GridContext>
  );
};
