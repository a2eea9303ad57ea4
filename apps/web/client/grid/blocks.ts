/**
 * Blocks of cells by their positions in the view, their texts on the clipboard and in an editor,
 * and the columns and places that the grid shows.
 */

import type { ColumnView, RowView } from "../../src/api/index.ts";

export interface Corner {
  readonly row: number;
  readonly column: number;
}

export interface Block {
  readonly anchor: Corner;
  readonly head: Corner;
}

export interface Bounds {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The edges of a block, whatever corner it was begun at. */
export const toBounds = (block: Block): Bounds => ({
  top: Math.min(block.anchor.row, block.head.row),
  bottom: Math.max(block.anchor.row, block.head.row),
  left: Math.min(block.anchor.column, block.head.column),
  right: Math.max(block.anchor.column, block.head.column),
});

export const isInside = (bounds: Bounds, row: number, column: number): boolean =>
  row >= bounds.top && row <= bounds.bottom && column >= bounds.left && column <= bounds.right;

const clamp = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), max);

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The block after Shift and an arrow; the same block for any other key. */
export const extendBlock = (
  block: Block,
  key: string,
  size: { readonly rows: number; readonly columns: number },
): Block => {
  const step = STEPS[key];
  if (step === undefined) return block;
  const head = {
    row: clamp(block.head.row + step[0], 0, size.rows - 1),
    // The number of the row is no cell to copy.
    column: clamp(block.head.column + step[1], 1, size.columns - 1),
  };
  return { anchor: block.anchor, head };
};

/**
 * The block after a click with Shift. From the number of a row to that of another one it takes the
 * rows with all their cells.
 */
export const blockToClick = (block: Block, click: Corner, columns: number): Block => {
  if (click.column > 0) return { anchor: block.anchor, head: click };
  return {
    anchor: { row: block.anchor.row, column: 1 },
    head: { row: click.row, column: columns - 1 },
  };
};

/**
 * Where the texts of the clipboard go: from the upper left corner of the block, and one text into
 * every cell of it. What would lie outside of the view is left out.
 */
export const placeTexts = (
  bounds: Bounds,
  texts: readonly (readonly string[])[],
  size: { readonly rows: number; readonly columns: number },
): readonly { readonly row: number; readonly column: number; readonly value: string }[] => {
  const only = texts.length === 1 && texts[0]?.length === 1 ? texts[0][0] : undefined;
  const placed: { row: number; column: number; value: string }[] = [];
  const put = (row: number, column: number, value: string): void => {
    if (row < size.rows && column < size.columns) placed.push({ row, column, value });
  };
  if (only !== undefined) {
    for (let row = bounds.top; row <= bounds.bottom; row += 1) {
      for (let column = bounds.left; column <= bounds.right; column += 1) put(row, column, only);
    }
    return placed;
  }
  for (const [down, line] of texts.entries()) {
    for (const [right, value] of line.entries()) put(bounds.top + down, bounds.left + right, value);
  }
  return placed;
};

const NEEDS_QUOTES = /["\t\n\r]/u;

const formatCell = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The text of a block of cells; {@link parseTsv} reads it back. */
export const formatTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(formatCell).join("\t")).join("\n");

interface Cursor {
  readonly text: string;
  at: number;
}

/** Reads to the quote that ends the cell; a cell without one takes the rest. */
const readQuoted = (cursor: Cursor): string => {
  let cell = "";
  cursor.at += 1;
  while (cursor.at < cursor.text.length) {
    const end = cursor.text.indexOf('"', cursor.at);
    if (end === -1) {
      cell += cursor.text.slice(cursor.at);
      cursor.at = cursor.text.length;
      return cell;
    }
    cell += cursor.text.slice(cursor.at, end);
    cursor.at = end + 1;
    if (cursor.text[cursor.at] !== '"') return cell;
    cell += '"';
    cursor.at += 1;
  }
  return cell;
};

const readPlain = (cursor: Cursor): string => {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !"\t\n".includes(cursor.text.charAt(cursor.at))) {
    cursor.at += 1;
  }
  return cursor.text.slice(start, cursor.at);
};

/** A block of cells; the line break that programs put at the end makes no row. */
export const parseTsv = (text: string): readonly (readonly string[])[] => {
  const cursor: Cursor = { text: text.replaceAll("\r\n", "\n").replaceAll("\r", "\n"), at: 0 };
  if (cursor.text === "") return [];
  const rows: string[][] = [[]];
  for (;;) {
    const isQuoted = cursor.text[cursor.at] === '"';
    const cell = (isQuoted ? readQuoted(cursor) : "") + readPlain(cursor);
    rows.at(-1)?.push(cell);
    if (cursor.at >= cursor.text.length) return rows;
    const isRowEnd = cursor.text[cursor.at] === "\n";
    cursor.at += 1;
    if (isRowEnd && cursor.at >= cursor.text.length) return rows;
    if (isRowEnd) rows.push([]);
  }
};

/**
 * What an editor shows of a text. A control cannot hold every text: a text area turns each line break
 * into a line feed, a line drops them. Only what was typed changes; every other sign stays.
 */
interface ShownText {
  readonly text: string;
  /** Where each sign of the shown text, and its end, stands in the text of the cell. */
  readonly starts: readonly number[];
}

const LINE_BREAK = /\r\n|\r|\n/gu;

const show = (text: string, lineBreak: "\n" | ""): ShownText => {
  const starts: number[] = [];
  let shown = "";
  let at = 0;
  const take = (end: number): void => {
    for (; at < end; at += 1) starts.push(at);
  };
  for (const found of text.matchAll(LINE_BREAK)) {
    shown += text.slice(at, found.index) + lineBreak;
    take(found.index);
    if (lineBreak !== "") starts.push(at);
    at += found[0].length;
  }
  shown += text.slice(at);
  take(text.length);
  return { text: shown, starts: [...starts, text.length] };
};

/** The text as a control holds it: with line feeds, or without line breaks. */
export const showText = (text: string, lineBreak: "\n" | ""): string => show(text, lineBreak).text;

const countSame = (left: string, right: string): number => {
  const max = Math.min(left.length, right.length);
  let count = 0;
  while (count < max && left[count] === right[count]) count += 1;
  return count;
};

const countSameAtEnd = (left: string, right: string, max: number): number => {
  let count = 0;
  while (count < max && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
};

/** The text after its shown form became `typed`; new lines break as those of the text do. */
export const applyTyping = (text: string, typed: string, lineBreak: "\n" | ""): string => {
  const shown = show(text, lineBreak);
  if (shown.text === typed) return text;
  const head = countSame(shown.text, typed);
  const rest = Math.min(shown.text.length, typed.length) - head;
  const tail = countSameAtEnd(shown.text, typed, rest);
  const from = shown.starts[head] ?? text.length;
  const end = shown.text.length - tail;
  // A line break that the control has dropped stays behind what is taken out before it.
  const dropped = (shown.starts[end - 1] ?? 0) + 1;
  const next = shown.starts[end] ?? text.length;
  const to = end === head ? from : lineBreak === "" ? dropped : next;
  const inserted = typed.slice(head, typed.length - tail);
  const ownBreak = /\r\n|\r|\n/u.exec(text)?.[0] ?? "\n";
  return text.slice(0, from) + inserted.replaceAll("\n", ownBreak) + text.slice(to);
};

/** The next position whose row is among the rows with errors, around the end; `null` for none. */
export const findErrorPosition = (
  order: Uint32Array,
  errorRows: ReadonlySet<number>,
  from: number,
  step: 1 | -1,
): number | null => {
  const { length } = order;
  for (let n = 1; n <= length; n += 1) {
    const position = (((from + n * step) % length) + length) % length;
    const row = order[position];
    if (row !== undefined && errorRows.has(row)) return position;
  }
  return null;
};

/** The next of some columns after one, in the direction; `null` where there is none. */
export const findErrorColumn = (
  columns: readonly number[],
  from: number,
  step: 1 | -1,
): number | null => {
  const sorted = columns.toSorted((left, right) => left - right);
  const found =
    step === 1
      ? sorted.find((column) => column > from)
      : sorted.findLast((column) => column < from);
  return found ?? null;
};

/** A cell by the number of its row and the index of its column. */
export interface ChangedCell {
  readonly row: number;
  /** `null` where the row was left out or put back. */
  readonly column: number | null;
}

/** The first cell of some rows that differs from the rows before; `undefined` for none. */
export const findChange = (
  after: readonly RowView[],
  before: (row: number) => RowView | undefined,
): ChangedCell | undefined => {
  for (const { row, cells, isExcluded } of after) {
    const old = before(row);
    if (old === undefined) continue;
    const column = cells.findIndex((text, index) => text !== (old.cells[index] ?? ""));
    if (column !== -1) return { row, column };
    if (isExcluded !== old.isExcluded) return { row, column: null };
  }
  return undefined;
};

/** Fields whose column stays in sight while the others move. */
const FROZEN_FIELDS = ["product_code", "code", "title"] as const;
/** Fields whose values are names of the store, or of a closed list. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  "category",
  "brand",
  "brand_model",
  "shipping_template",
  "warranty_type",
  "warranty_period",
]);

/** Fields that are counted or paid, whose numbers are compared by their last digits. */
const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  "price",
  "list_price",
  "discount_value",
  "stock",
]);

/** Widths in pixels by what a column holds. */
const WIDTHS = {
  code: 130,
  title: 230,
  category: 220,
  name: 150,
  number: 110,
  text: 160,
} as const;

export interface GridColumn {
  readonly column: ColumnView;
  /** Pixels that it has at first. */
  readonly width: number;
  readonly isNumber: boolean;
  readonly isFrozen: boolean;
  /** Whether a cell holds a name of a list, which can be looked up. */
  readonly isName: boolean;
  /** Whether a person left the column out. */
  readonly isOut: boolean;
}

/** Whether the cells name images. */
export const isImageColumn = ({ column }: Pick<GridColumn, "column">): boolean =>
  /^image(?:s|_\d)$/u.test(column.field ?? "");

const isOut = (column: ColumnView): boolean => column.field === "-";

const kindOf = ({ field }: ColumnView): keyof typeof WIDTHS => {
  if (field === null) return "text";
  if (NUMBER_FIELDS.has(field)) return "number";
  if (field === "title" || field === "category") return field;
  if (NAME_FIELDS.has(field)) return "name";
  return field === "product_code" || field === "code" ? "code" : "text";
};

/** Code and title first, then the rest as in the file, and what was left out last. */
export const toGridColumns = (columns: readonly ColumnView[]): readonly GridColumn[] => {
  const frozen = FROZEN_FIELDS.flatMap((field) => {
    const column = columns.find((one) => one.field === field);
    return column === undefined ? [] : [column];
  });
  const rest = columns.filter((column) => !frozen.includes(column));
  const ordered = [...frozen, ...rest.filter((one) => !isOut(one)), ...rest.filter(isOut)];
  return ordered.map((column) => ({
    column,
    width: WIDTHS[kindOf(column)],
    isNumber: kindOf(column) === "number",
    isFrozen: frozen.includes(column),
    isName: column.field !== null && NAME_FIELDS.has(column.field),
    isOut: isOut(column),
  }));
};
