/** Writes one table to a file in the requested format. */

import { InputError } from "@catalog/i18n";
import { MAX_SHEET_ROWS, type OutCell, streamXlsx, writeCsv, writeJsonl } from "@catalog/sheets";

import { headerOf, type OutColumn, type TableStyle } from "./columns/out-column.ts";
import type { ExportFormat } from "./kinds.ts";

export interface Table<Item> {
  readonly name: string;
  readonly columns: readonly OutColumn<Item>[];
  readonly items: Iterable<Item>;
  readonly count: number;
}

export interface WriteTableOptions {
  /** Absolute path of the file. */
  readonly path: string;
  readonly format: ExportFormat;
  readonly style: TableStyle;
  /** Decimal sign in a CSV file; its delimiter follows from it. */
  readonly decimal: "comma" | "point";
  /** Sheet of explanations after the table. */
  readonly guideRows: { readonly name: string; readonly lines: readonly (readonly OutCell[])[] };
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
  const { columns } = table;
  let rows = 0;
  let cutTexts = 0;
  const toOutCell = (column: OutColumn<Item>, item: Item): OutCell => {
    const cell = column.cell(item, style);
    if (typeof cell === "string" && cell.length > style.maxChars) cutTexts += 1;
    return cell;
  };
  function* toRows(): Generator<readonly OutCell[]> {
    for (const item of table.items) {
      rows += 1;
      yield columns.map((column) => toOutCell(column, item));
    }
  }
  const headers = columns.map((column) => headerOf(column, style.lang));
  if (format === "jsonl") {
    await writeJsonl({ path, keys: columns.map(({ key }) => key), rows: toRows(), mode });
  } else if (format === "csv") {
    const delimiter = decimal === "comma" ? ";" : ",";
    await writeCsv({ path, header: headers, rows: toRows(), delimiter, decimal, mode });
  } else {
    assertFits(table.count);
    const sheet = {
      name: table.name,
      columns: columns.map(({ kind = "text", width, isReadOnly = false }, index) => ({
        header: headers[index] ?? "",
        kind,
        isReadOnly,
        width,
      })),
      rows: toRows(),
    };
    const [first = [], ...lines] = options.guideRows.lines;
    const guide = {
      name: options.guideRows.name,
      columns: first.map((header) => ({ header: String(header ?? ""), width: 60 })),
      rows: lines,
    };
    await streamXlsx({ path, sheets: [sheet, guide], mode });
  }
  return { rows, cutTexts };
}

function assertFits(rows: number): void {
  if (rows < MAX_SHEET_ROWS) return;
  throw new InputError({
    tr: `Bir Excel sayfası ${rows} satır almaz. --format csv ya da jsonl ile yazın; okunanlar saklandı.`,
    en: `A sheet of Excel does not take ${rows} rows. Write them with --format csv or jsonl; what was read is kept.`,
  });
}
