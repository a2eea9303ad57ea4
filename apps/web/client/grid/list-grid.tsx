/**
 * The table of many rows: given as an order of numbers, drawn where it is in sight, and read as far
 * as it is drawn. It sorts by its headers, ticks rows, and opens them; nothing is edited in it.
 */

import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useMemo,
  useRef,
} from "react";
import {
  type CellKeyboardEvent,
  type CellKeyDownArgs,
  type CellMouseArgs,
  type CellMouseEvent,
  type Column,
  DataGrid,
  type DataGridHandle,
  type RenderCellProps,
  type RenderHeaderCellProps,
  type SortColumn,
} from "react-data-grid";

import { Icon } from "../ui/controls.tsx";
import { Failure, Loading } from "../ui/messages.tsx";
import { GridFrame, isSameOrder, useMedia, WIDE } from "./grid-frame.tsx";
import { type RowWindow, useRowAt, useUnreadRows } from "./row-window.ts";
import { type ListTicks, rowsBetween } from "./ticks.ts";

export interface ListColumn<Row> {
  readonly key: string;
  readonly header: string;
  /** Whether the header is only heard, as of a column of pictures. @default false */
  readonly isHeaderHidden?: boolean;
  /** Pixels, or a track of a CSS grid such as `minmax(200px, 1fr)`. */
  readonly width: number | string;
  /** Numbers stand at the end, in figures of one width. @default "start" */
  readonly align?: "start" | "end";
  /** Whether it stays in sight in a wide window; only the first columns can. @default false */
  readonly isFrozen?: boolean;
  /** @default false */
  readonly isSortable?: boolean;
  /** Whether the first click on its header puts the greatest first. @default false */
  readonly isGreatestFirst?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface ListSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** What a narrow window shows of a row, in place of the columns. */
export interface ListCard<Row> {
  readonly header: string;
  readonly heightPx: number;
  readonly render: (row: Row) => ReactNode;
}

interface ListGridProps<Row> {
  /** What the table is called. */
  readonly label: string;
  readonly rows: RowWindow<Row>;
  /** Numbers of the rows that are listed; `undefined` until they are read. */
  readonly order: Uint32Array | undefined;
  readonly columns: readonly ListColumn<Row>[];
  readonly card?: ListCard<Row> | undefined;
  readonly sort?: ListSort | null;
  readonly onSort?: (sort: ListSort | null) => void;
  readonly ticks?: ListTicks<Row> | undefined;
  /** Called by a click on a row, and by Enter, with its number and its position. */
  readonly onOpen?: ((row: number, position: number) => void) | undefined;
  /** The row that is open beside the table: it is marked, and scrolled to. @default none */
  readonly openRow?: number | null;
  /** Position of the row that is in sight at first. @default 0 */
  readonly startAt?: number | undefined;
  /** In place of rows where there are none. */
  readonly empty: ReactNode;
  readonly loading: string;
  /** @default 32 */
  readonly rowHeightPx?: number;
}

type Ticks = Pick<ListTicks<never>, "has" | "all" | "onTickAll" | "allLabel"> & {
  /** With `isRange`, all rows from the one that was ticked before. */
  readonly tick: (position: number, isTicked: boolean, isRange: boolean) => void;
};

/** Apart from the columns, so that a tick draws the boxes anew and nothing else. */
const TicksContext = createContext<Ticks | null>(null);

const useTicks = (): Ticks => {
  const ticks = use(TicksContext);
  if (ticks === null) throw new Error("No list with boxes is around this component.");
  return ticks;
};

interface BoxProps {
  readonly label: string;
  readonly isTicked: boolean;
  readonly isMixed?: boolean;
  readonly isDisabled?: boolean;
  readonly tabIndex: number;
  readonly onChange: (isTicked: boolean, isRange: boolean) => void;
}

/** Fills its cell, so that a finger meets it. */
const Box = ({ label, isTicked, isMixed, isDisabled, tabIndex, onChange }: BoxProps): ReactNode => (
  <label className="list-tick">
    <input
      ref={(input) => {
        if (input !== null) input.indeterminate = isMixed === true;
      }}
      type="checkbox"
      aria-label={label}
      checked={isTicked}
      disabled={isDisabled}
      tabIndex={tabIndex}
      onChange={({ target, nativeEvent }) =>
        onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  </label>
);

const AllBox = ({ tabIndex }: RenderHeaderCellProps<number>): ReactNode => {
  const { all, onTickAll, allLabel } = useTicks();
  return <Box {...all} label={allLabel} tabIndex={tabIndex} onChange={onTickAll} />;
};

interface CellProps<Row> {
  readonly rows: RowWindow<Row>;
  readonly place: RenderCellProps<number>;
}

interface RowBoxProps<Row> extends CellProps<Row>, Pick<ListTicks<Row>, "label" | "canTick"> {}

const RowBox = <Row,>({ rows, place, label, canTick }: RowBoxProps<Row>): ReactNode => {
  const { row, rowIdx, tabIndex } = place;
  const { has, tick } = useTicks();
  const view = useRowAt(rows, row, rowIdx);
  if (view === undefined) return null;
  return (
    <Box
      label={label(view)}
      isTicked={has(row)}
      isDisabled={canTick?.(view) === false}
      tabIndex={tabIndex}
      onChange={(isTicked, isRange) => tick(rowIdx, isTicked, isRange)}
    />
  );
};

interface TextCellProps<Row> extends CellProps<Row> {
  readonly render: (row: Row) => ReactNode;
}

/** A cell; a bar until its row is read. */
const ListCell = <Row,>({ rows, place, render }: TextCellProps<Row>): ReactNode => {
  const view = useRowAt(rows, place.row, place.rowIdx);
  if (view === undefined) return <span className="cell-waiting" aria-hidden="true" />;
  return render(view);
};

const TICK_KEY = "tick";

type TickNames<Row> = Pick<ListTicks<Row>, "label" | "canTick">;

const toTickColumn = <Row,>(
  rows: RowWindow<Row>,
  names: TickNames<Row>,
  isWide: boolean,
): Column<number> => ({
  key: TICK_KEY,
  name: "",
  width: isWide ? 40 : 48,
  minWidth: 40,
  frozen: true,
  cellClass: "list-tick-cell",
  headerCellClass: "list-tick-cell",
  renderHeaderCell: AllBox,
  renderCell: (place) => <RowBox rows={rows} place={place} {...names} />,
});

const toColumn = <Row,>(
  rows: RowWindow<Row>,
  column: ListColumn<Row>,
  isWide: boolean,
): Column<number> => {
  const { key, header, width, align, isFrozen, isSortable, isGreatestFirst, render } = column;
  const place = align === "end" ? "list-end" : "";
  return {
    key,
    name: header,
    width,
    minWidth: 48,
    frozen: isFrozen === true && isWide,
    resizable: true,
    sortable: isSortable === true,
    sortDescendingFirst: isGreatestFirst === true,
    cellClass: place,
    headerCellClass: place,
    renderHeaderCell: ({ sortDirection }) => (
      <span className="list-header" title={header}>
        <span className={column.isHeaderHidden === true ? "unseen" : undefined}>{header}</span>
        {sortDirection === undefined ? null : (
          <Icon name={sortDirection === "ASC" ? "up" : "down"} />
        )}
      </span>
    ),
    renderCell: (at) => <ListCell rows={rows} place={at} render={render} />,
  };
};

const toCardColumn = <Row,>(rows: RowWindow<Row>, card: ListCard<Row>): Column<number> => ({
  key: "card",
  name: card.header,
  cellClass: "list-card",
  renderCell: (place) => <ListCell rows={rows} place={place} render={card.render} />,
});

/** The boxes first; in a narrow window one column of cards, where the list has them. */
const useGridColumns = <Row,>(
  { rows, columns, card, ticks }: ListGridProps<Row>,
  isWide: boolean,
): readonly Column<number>[] => {
  const hasTicks = ticks !== undefined;
  const names = useRef<TickNames<Row>>(undefined);
  names.current = ticks;
  return useMemo(() => {
    const own =
      card === undefined || isWide
        ? columns.map((column) => toColumn(rows, column, isWide))
        : [toCardColumn(rows, card)];
    if (!hasTicks) return own;
    const box: TickNames<Row> = {
      label: (row) => names.current?.label(row) ?? "",
      canTick: (row) => names.current?.canTick?.(row) ?? true,
    };
    return [toTickColumn(rows, box, isWide), ...own];
  }, [rows, columns, card, hasTicks, isWide]);
};

/** The boxes of the table, which know the row that was ticked before. */
const useBoxes = <Row,>(ticks: ListTicks<Row> | undefined, order: Uint32Array): Ticks | null => {
  const latest = useRef<number>(undefined);
  useEffect(() => {
    latest.current = undefined;
  }, [order]);
  return useMemo(() => {
    if (ticks === undefined) return null;
    const { has, all, onTickAll, allLabel, onTick } = ticks;
    return {
      has,
      all,
      onTickAll,
      allLabel,
      tick: (position, isTicked, isRange) => {
        const from = isRange ? (latest.current ?? position) : position;
        latest.current = position;
        onTick(rowsBetween(order, from, position), isTicked);
      },
    };
  }, [ticks, order]);
};

const take = (event: CellKeyboardEvent): void => {
  event.preventGridDefault();
  event.preventDefault();
};

interface ListKey {
  readonly args: CellKeyDownArgs<number>;
  readonly event: CellKeyboardEvent;
  readonly boxes: Ticks | null;
  readonly onOpen: ListGridProps<never>["onOpen"];
}

const onControlKey = ({ args, event, boxes }: ListKey): void => {
  const key = event.key.toLowerCase();
  if (key === "home" && args.mode === "ACTIVE" && args.column !== undefined) {
    // The grid would go to its header.
    take(event);
    args.setActivePosition({ idx: args.column.idx, rowIdx: 0 });
  }
  if (key === "a" && boxes !== null) {
    take(event);
    boxes.onTickAll(!boxes.all.isTicked);
  }
};

const onListKey = (key: ListKey): void => {
  const { args, event, boxes, onOpen } = key;
  const { row, rowIdx } = args;
  if (row === undefined) return;
  if (event.ctrlKey || event.metaKey) {
    onControlKey(key);
    return;
  }
  // A box that has the focus is ticked by the browser.
  const isInBox = event.target instanceof HTMLInputElement;
  if (event.key === " " && boxes !== null && !isInBox) {
    take(event);
    boxes.tick(rowIdx, !boxes.has(row), event.shiftKey);
  }
  if (event.key === "Enter" && onOpen !== undefined) {
    take(event);
    onOpen(row, rowIdx);
  }
};

/** Whether a click opens the row: not one on a control, nor one that the browser follows itself. */
const opensRow = ({ target, defaultPrevented }: CellMouseEvent): boolean => {
  if (!(target instanceof Element)) return true;
  const control = target.closest("a, button, input, label");
  // The link of a row has led there already; who has opened the list still leaves its place.
  return control === null || (defaultPrevented && control.matches(".list-link"));
};

const toSortColumns = (sort: ListSort | null | undefined): readonly SortColumn[] =>
  sort == null ? [] : [{ columnKey: sort.column, direction: sort.isDescending ? "DESC" : "ASC" }];

const toListSort = (sorted: SortColumn | undefined): ListSort | null =>
  sorted === undefined
    ? null
    : { column: sorted.columnKey, isDescending: sorted.direction === "DESC" };

/** Shows the first row when other rows are listed, or the same in another order. */
const useFirstRow = (
  order: Uint32Array,
  grid: RefObject<DataGridHandle | null>,
  active: RefObject<{ readonly row: number; readonly column: number } | null>,
): void => {
  const shown = useRef(order);
  useEffect(() => {
    const before = shown.current;
    shown.current = order;
    // Rows that were added at the end, or none, leave the person where they are.
    if (isSameOrder(before, order.subarray(0, before.length))) return;
    grid.current?.scrollToCell({ rowIdx: 0 });
    if (active.current === null || active.current.row < 0 || order.length === 0) return;
    const position = { rowIdx: 0, idx: active.current.column };
    grid.current?.setActivePosition(position, { shouldFocus: false });
  }, [order, grid, active]);
};

/** Goes to the row that the table begins with. */
const useStart = (startAt: number | undefined, grid: RefObject<DataGridHandle | null>): void => {
  const start = useRef(startAt);
  useEffect(() => {
    if (start.current === undefined) return;
    grid.current?.scrollToCell({ rowIdx: start.current });
    grid.current?.setActivePosition({ rowIdx: start.current, idx: 1 }, { shouldFocus: false });
  }, [grid]);
};

/** Keeps the open row in sight, also where another place has opened it. */
const useOpenRow = (
  { openRow = null, order }: { readonly openRow?: number | null; readonly order: Uint32Array },
  grid: RefObject<DataGridHandle | null>,
): void => {
  useEffect(() => {
    const rowIdx = openRow === null ? -1 : order.indexOf(openRow);
    if (rowIdx >= 0) grid.current?.scrollToCell({ rowIdx });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another order has a way of its own
  }, [openRow, grid]);
};

interface ListRowsProps<Row> extends ListGridProps<Row> {
  readonly order: Uint32Array;
}

const ListRows = <Row,>(props: ListRowsProps<Row>): ReactNode => {
  const { label, rows, order, card, sort, onSort, ticks, onOpen, empty, rowHeightPx = 32 } = props;
  const isWide = useMedia(WIDE);
  const grid = useRef<DataGridHandle>(null);
  const active = useRef<{ readonly row: number; readonly column: number }>(null);
  const columns = useGridColumns(props, isWide);
  const numbers = useMemo(() => [...order], [order]);
  const sortColumns = useMemo(() => toSortColumns(sort), [sort]);
  const boxes = useBoxes(ticks, order);
  useEffect(() => rows.setOrder(order), [rows, order]);
  useFirstRow(order, grid, active);
  useStart(props.startAt, grid);
  useOpenRow(props, grid);
  const isCards = card !== undefined && !isWide;
  const className = ["list-grid", isCards ? "list-cards" : "", onOpen ? "list-opens" : ""];
  return (
    <TicksContext value={boxes}>
      <GridFrame hasRows={order.length > 0} gridRef={grid} column={ticks === undefined ? 0 : 1}>
        <DataGrid
          ref={grid}
          className={className.filter(Boolean).join(" ")}
          aria-label={label}
          columns={columns}
          rows={numbers}
          rowKeyGetter={(row) => row}
          rowClass={(row) => (row === props.openRow ? "list-open" : undefined)}
          rowHeight={isCards ? card.heightPx : rowHeightPx}
          headerRowHeight={isCards ? 44 : 34}
          renderers={{ noRowsFallback: <div className="grid-empty">{empty}</div> }}
          sortColumns={sortColumns}
          onSortColumnsChange={(sorted) => onSort?.(toListSort(sorted.at(-1)))}
          onActivePositionChange={({ rowIdx, column }) => {
            active.current = column === undefined ? null : { row: rowIdx, column: column.idx };
          }}
          onCellKeyDown={(args, event) => onListKey({ args, event, boxes, onOpen })}
          onCellClick={({ row, rowIdx, column }: CellMouseArgs<number>, event) => {
            if (column.key !== TICK_KEY && opensRow(event)) onOpen?.(row, rowIdx);
          }}
        />
      </GridFrame>
    </TicksContext>
  );
};

/** A table of many rows, which also tells its window of rows their order. */
export const ListGrid = <Row,>(props: ListGridProps<Row>): ReactNode => {
  const { order, rows, loading } = props;
  const unread = useUnreadRows(rows);
  return (
    <>
      <Failure error={unread} />
      {order === undefined ? <Loading text={loading} /> : <ListRows {...props} order={order} />}
    </>
  );
};
