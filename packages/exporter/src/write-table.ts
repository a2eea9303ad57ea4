/** Writes one table to a file in the requested format; a workbook has a sheet that explains it. */

import { InputError, type Lang } from "@catalog/i18n";
import { VALUE_KEYWORDS } from "@catalog/mapping";
import {
  type OutCell,
  SHEET_MAX,
  type StreamColumn,
  streamXlsx,
  writeCsv,
  writeJsonl,
} from "@catalog/sheets";

import {
  headerOf,
  type OutColumn,
  type TableStyle,
  toReadingOrder,
  toWord,
} from "./columns/out-column.ts";
import type { ExportFormat } from "./kinds.ts";

const TEXTS = {
  tr: {
    name: "Açıklamalar",
    header: ["Sütun", "Açıklama"],
    note: "Not",
    readOnly: "Yalnızca bilgi; içe aktarma bu sütunu okumaz.",
  },
  en: {
    name: "Guide",
    header: ["Column", "What it is"],
    note: "Note",
    readOnly: "For reading only; an import does not read this column.",
  },
} as const;

/** Longer explanations take several lines, in every program. */
const HELP_WIDTH = 90;

/**
 * A line for each remark, then one for each column that needs an explanation; `undefined` where
 * there is nothing to explain.
 */
function createGuideSheet<Item>(
  columns: readonly OutColumn<Item>[],
  remarks: readonly string[],
  { lang }: TableStyle,
): Parameters<typeof streamXlsx>[0]["sheets"][number] | undefined {
  const texts = TEXTS[lang];
  const rows = [
    ...remarks.map((remark) => [texts.note, remark]),
    ...columns.flatMap((column) => {
      const own = column.isReadOnly === true ? texts.readOnly : "";
      const help = [column.help?.[lang] ?? "", own].filter((text) => text !== "").join(" ");
      return help === "" ? [] : [[headerOf(column, lang), help]];
    }),
  ];
  if (rows.length === 0) return undefined;
  const [name, help] = texts.header;
  return {
    name: texts.name,
    columns: [{ header: name }, { header: help, width: HELP_WIDTH, kind: "wrapped" }],
    rows,
  };
}

interface Table<Item> {
  readonly name: string;
  readonly columns: readonly OutColumn<Item>[];
  readonly items: AsyncIterable<Item>;
  readonly count: number;
  /** A person has chosen the columns and their order. */
  readonly isOrdered: boolean;
}

interface WriteTableOptions {
  /** Absolute path of the file. */
  readonly path: string;
  readonly format: ExportFormat;
  readonly style: TableStyle;
  /** Decimal sign in a CSV file; its delimiter follows from it. */
  readonly decimal: "comma" | "point";
  /** Lines that explain the table, on a sheet after it. */
  readonly remarks: readonly string[];
  /** Permissions of the file. @default those of the replaced file, else the owner's only */
  readonly mode?: number | undefined;
}

export interface WrittenTable {
  readonly rows: number;
  /** Texts of which a cell holds only the beginning. */
  readonly cutTexts: number;
}

/** Writes the whole table, or leaves the existing file unchanged. */
export async function writeTable<Item>(
  table: Table<Item>,
  options: WriteTableOptions,
): Promise<WrittenTable> {
  const { path, format, style, decimal, mode } = options;
  const isSorted = format === "xlsx" && !table.isOrdered;
  const columns = isSorted ? toReadingOrder(table.columns) : table.columns;
  let rows = 0;
  let cutTexts = 0;
  const toOutCell = (column: OutColumn<Item>, item: Item): OutCell => {
    const cell = column.cell(item, style);
    if (typeof cell === "string" && cell.length > style.maxChars) cutTexts += 1;
    return toPrintable(cell, style);
  };
  const toTableCell = (column: OutColumn<Item>, item: Item) => {
    const cell = toOutCell(column, item);
    return typeof cell === "number" && isMoney(column, item) ? { amount: cell } : cell;
  };
  async function* toRows<Cell>(
    toEach: (column: OutColumn<Item>, item: Item) => Cell,
  ): AsyncGenerator<readonly Cell[]> {
    for await (const item of table.items) {
      rows += 1;
      yield columns.map((column) => toEach(column, item));
    }
  }
  const headers = columns.map((column) => headerOf(column, style.lang));
  if (format === "jsonl") {
    await writeJsonl({ path, keys: columns.map(({ key }) => key), rows: toRows(toOutCell), mode });
  } else if (format === "csv") {
    const delimiter = decimal === "comma" ? ";" : ",";
    await writeCsv({ path, header: headers, rows: toRows(toTableCell), delimiter, decimal, mode });
  } else {
    assertFits(table.count);
    const frozen = columns.findIndex(({ place }) => place !== "first");
    const sheet = {
      name: table.name,
      columns: columns.map((column, index) => ({
        ...toSheetColumn(column, headers[index]),
        width: column.width,
        choices: column.choices?.map((word) => word[style.lang]),
        suggestions: column.suggestions,
      })),
      frozenColumns: frozen === -1 ? 0 : frozen,
      rows: toRows(toTableCell),
    };
    const guide = createGuideSheet(columns, options.remarks, style);
    const sheets = guide === undefined ? [sheet] : [sheet, guide];
    await streamXlsx({ path, sheets, mode, momentFormat: MOMENT_FORMATS[style.lang] });
  }
  return { rows, cutTexts };
}

const MOMENTS = { xlsx: "local", csv: "offset", jsonl: "iso" } as const;

/** The style of a file of this format. */
export const toStyle = (lang: Lang, format: ExportFormat): TableStyle => ({
  lang,
  isForPrograms: format === "jsonl",
  moments: MOMENTS[format],
  maxChars: format === "xlsx" ? SHEET_MAX.cellChars : Infinity,
});

/** A column of a sheet, below its header. */
export const toSheetColumn = <Item>(
  { kind = "text", isReadOnly = false }: OutColumn<Item>,
  header = "",
): Pick<StreamColumn, "header" | "kind" | "isReadOnly"> => ({ header, kind, isReadOnly });

/** Whether the number of an item in a column is money. */
export const isMoney = <Item>(
  { kind, isMoney: isEachMoney }: OutColumn<Item>,
  item: Item,
): boolean => (isEachMoney === undefined ? kind === "price" : isEachMoney(item));

const MOMENT_FORMATS = { tr: "dd.mm.yyyy hh:mm", en: "yyyy-mm-dd hh:mm" } as const;

/** A Turkish table has words in place of TRUE and FALSE; programs read the English one. */
const toPrintable = (cell: OutCell, style: TableStyle): OutCell =>
  typeof cell === "boolean" && style.lang === "tr"
    ? toWord(VALUE_KEYWORDS.yes_no, cell, style)
    : cell;

function assertFits(rows: number): void {
  if (rows < SHEET_MAX.rows) return;
  throw new InputError({
    tr: `Bir Excel sayfası ${rows} satır almaz. --format csv ya da jsonl ile yazın; okunanlar saklandı.`,
    en: `A sheet of Excel does not take ${rows} rows. Write them with --format csv or jsonl; what was read is kept.`,
  });
}

/** A table in memory, in the order of its columns. */
export interface ReadTable {
  readonly columns: readonly {
    readonly key: string;
    readonly header: string;
    readonly isMoney: boolean;
  }[];
  readonly rows: readonly (readonly OutCell[])[];
}

/** Reads the whole table; for short ones, which a terminal shows. */
export async function readRows<Item>(
  columns: readonly OutColumn<Item>[],
  items: AsyncIterable<Item>,
  style: TableStyle,
): Promise<ReadTable> {
  const rows: (readonly OutCell[])[] = [];
  for await (const item of items) {
    rows.push(columns.map((column) => toPrintable(column.cell(item, style), style)));
  }
  return {
    rows,
    columns: columns.map(({ key, header, kind }) => ({
      key,
      header: header[style.lang],
      isMoney: kind === "price",
    })),
  };
}
