/** Names the rows that are no products, so that no product is lost unseen. */

import type { Localized } from "@catalog/i18n";
import { type ColumnMapping, columnLetter, type RowKind, type SourceRow } from "@catalog/mapping";
import { cellInSheet, type RunSheets, type RunWarning } from "@catalog/runs";

/** Kinds of rows that are left out and named; empty rows are not named. */
type NamedKind = Exclude<RowKind, "product" | "empty"> | "sharp";

/** Collects the rows that are left out, and products that look like remarks. */
export interface LeftOutRows {
  noteLeftOut(row: SourceRow, kind: RowKind): void;
  noteProduct(row: SourceRow): void;
  warnings(): readonly RunWarning[];
}

const MAX_NAMED = 10;

interface NamedRows {
  count: number;
  readonly named: string[];
}

/** Fields that the first column of products holds. */
const FIRST_FIELDS: ReadonlySet<string> = new Set(["product_code", "title"]);

export function createLeftOutRows(
  { columns }: Pick<ColumnMapping, "columns">,
  file: RunSheets = {},
): LeftOutRows {
  const found = new Map<NamedKind, NamedRows>();
  const target = columns[0]?.target;
  const isFirstField = target?.kind === "field" && FIRST_FIELDS.has(target.field);

  const note = (kind: NamedKind, { row, cells }: SourceRow): void => {
    const rows = found.get(kind) ?? { count: 0, named: [] };
    found.set(kind, rows);
    rows.count += 1;
    if (rows.named.length === MAX_NAMED) return;
    const index = Math.max(
      0,
      cells.findIndex((cell) => toText(cell) !== ""),
    );
    const address = cellInSheet(file, row, columnLetter(index));
    rows.named.push(`${address} “${shorten(toText(cells[index]))}”`);
  };

  return {
    noteLeftOut(row, kind) {
      if (kind !== "product" && kind !== "empty") note(kind, row);
    },
    noteProduct(row) {
      const [first] = row.cells;
      if (isFirstField && typeof first === "string" && SHARP.test(first)) note("sharp", row);
    },
    warnings() {
      return [...found].map(([kind, { count, named }]) => {
        const list = named.join(", ") + (count > named.length ? ", …" : "");
        const { code, toMessage } = TEXTS[kind];
        return { code, message: toMessage(count, list) };
      });
    },
  };
}

/** A number that its column is too narrow for is an error of its own. */
const SHARP = /^\s*#+[^#\s]/u;

const toText = (cell: SourceRow["cells"][number] | undefined): string => String(cell ?? "").trim();

const MAX_CHARS = 40;

const shorten = (text: string): string =>
  text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).trimEnd()}…` : text;

interface KindText {
  readonly code: string;
  readonly toMessage: (count: number, list: string) => Localized;
}

const TEXTS: Readonly<Record<NamedKind, KindText>> = {
  remark: {
    code: "W_REMARKS",
    toMessage: (count, list) => ({
      tr: `# ile başlayan ${count} satır açıklama sayıldı ve atlandı: ${list}.`,
      en: `Rows that start with # are remarks and were left out: ${count}: ${list}.`,
    }),
  },
  sharp: {
    code: "W_SHARP_ROWS",
    toMessage: (count, list) => ({
      tr: `# ile başlayan ${count} satır ürün olarak okundu: ${list}. Atlanacaksa dosyadan silin ya da #'ten sonra bir boşluk bırakın.`,
      en: `Rows that start with # were read as products: ${count}: ${list}. To leave them out, delete them or put a blank behind the #.`,
    }),
  },
  total: {
    code: "W_TOTAL_ROWS",
    toMessage: (count, list) => ({
      tr: `${count} satır toplam satırına benziyor ve atlandı: ${list}.`,
      en: `Rows that look like totals were left out: ${count}: ${list}.`,
    }),
  },
  group: {
    code: "W_GROUP_ROWS",
    toMessage: (count, list) => ({
      tr: `Tek hücresi dolu ${count} satır grup başlığı sayıldı ve atlandı: ${list}.`,
      en: `Rows with one text and nothing else were taken for headings and left out: ${count}: ${list}.`,
    }),
  },
  header: {
    code: "W_HEADER_ROWS",
    toMessage: (count, list) => ({
      tr: `Başlıkları yineleyen ${count} satır atlandı: ${list}.`,
      en: `Rows that hold headers again were left out: ${count}: ${list}.`,
    }),
  },
};
