/**
 * The rows of a sheet that are products: below its headers, variants joined to their product. Rows that
 * are left out are named, so that no product is lost unseen.
 */

import type { Localized } from "@catalog/i18n";
import {
  columnLetter,
  type ColumnMapping,
  createSheetReader,
  type SheetReader,
  type SourceRow,
} from "@catalog/mapping";
import {
  cellInSheet,
  createCompactTextMap,
  type RunSheets,
  type RunWarning,
  type RowRecord,
} from "@catalog/runs";
import { type OpenedSheet, readBatches, type SheetRow } from "@catalog/sheets";

type StoredRow = Pick<RowRecord, Exclude<keyof SourceRow, "folded">>;

/** Number of the row of headers, or of the row of machine keys below it. */
export const lastHeaderRow = (
  { header }: Pick<OpenedSheet, "header">,
  { hasKeyRow }: Pick<ColumnMapping, "hasKeyRow">,
): number => header.row + (hasKeyRow ? 1 : 0);

type ReadableSheet = Pick<OpenedSheet, "header" | "rows"> & Partial<Pick<OpenedSheet, "batches">>;

/** Reads the products below the headers and the machine keys. */
export async function* productRows(
  sheet: ReadableSheet,
  mapping: ColumnMapping,
  onLeftOut?: (row: SheetRow, kind: RowKind) => void,
): AsyncGenerator<SheetRow> {
  for await (const batch of productBatches(sheet, mapping, onLeftOut)) yield* batch;
}

/** Reads the same rows, those of one piece of the file at a time. */
export async function* productBatches(
  sheet: ReadableSheet,
  mapping: ColumnMapping,
  onLeftOut: (row: SheetRow, kind: RowKind) => void = () => undefined,
): AsyncGenerator<Iterable<SheetRow>> {
  const lastHeader = lastHeaderRow(sheet, mapping);
  const readKind = createSheetReader(mapping).kindsBelow(lastHeader);
  function* products(batch: Iterable<SheetRow>): Generator<SheetRow> {
    for (const row of batch) {
      if (row.row <= lastHeader) continue;
      const kind = readKind(row);
      if (kind === "product") yield row;
      else onLeftOut(row, kind);
    }
  }
  for await (const batch of readBatches(sheet)) yield products(batch);
}

/** Keeps the fields that mapping needs. */
export function toMappingRow({ row, cells, traits, formats, joined, line }: StoredRow): SourceRow {
  return {
    row,
    cells,
    ...(traits === undefined ? undefined : { traits }),
    ...(formats === undefined ? undefined : { formats }),
    ...(joined === undefined ? undefined : { joined }),
    ...(line === undefined ? undefined : { line }),
  };
}

/** Rows of a sheet by what they are, and the columns that variants took from their parents. */
export interface JoinedRows {
  /** Rows that are sent and have no options. */
  readonly products: number;
  readonly variants: number;
  /** Products that the variants belong to. */
  readonly withVariants: number;
  readonly parents: number;
  readonly images: number;
  readonly takenColumns: ReadonlySet<number>;
}

/** Joins the rows of a sheet. */
export interface SheetJoiner {
  push(row: SourceRow): Promise<readonly SourceRow[]>;
  finish(): readonly SourceRow[];
  counts(): JoinedRows;
}

export interface SheetJoinerOptions {
  /** Whether all cells of a row could be read. */
  readonly isWhole: (row: SourceRow) => boolean;
  /** Reads a row that was joined before. */
  readonly readRow: (row: number) => Promise<SourceRow | undefined>;
  readonly unpublished: Pick<UnpublishedRows, "keeps" | "has">;
}

/** `undefined` for a sheet in which every row is a product by itself. */
export function createSheetJoiner(
  mapping: ColumnMapping,
  { readRow, ...options }: SheetJoinerOptions,
): SheetJoiner | undefined {
  const { unpublished } = options;
  const joiner = createSheetReader(mapping).joinVariants({
    createRowList: createCompactTextMap,
    // Rows that take cells of a parent that is left out are left out as well.
    readRow: async (row) => (unpublished.has(row) ? { row, cells: [] } : await readRow(row)),
  });
  return joiner && countRows(joiner, options);
}

function countRows(
  joiner: NonNullable<ReturnType<SheetReader["joinVariants"]>>,
  { isWhole, unpublished }: Omit<SheetJoinerOptions, "readRow">,
): SheetJoiner {
  const counts = { product: 0, variant: 0, parent: 0, image: 0, lost: 0 };
  const takenColumns = new Set<number>();
  const known = createCompactTextMap();
  let withVariants = 0;
  const noteProduct = (row: number): void => {
    if (known.get(String(row)) !== undefined) return;
    known.set(String(row), row);
    withVariants += 1;
  };
  const note = ({ joined }: SourceRow): void => {
    counts[joined?.role ?? "product"] += 1;
    for (const index of Object.keys(joined?.cells ?? {})) takenColumns.add(Number(index));
    if (joined?.role === "variant" && joined.parentRow !== undefined) noteProduct(joined.parentRow);
  };
  const keep = (joined: readonly SourceRow[]): readonly SourceRow[] => {
    const rows = joined.filter((row) => unpublished.keeps(row));
    for (const row of rows) note(row);
    return rows;
  };
  return {
    push: async (row) => keep(await joiner.push({ row, isWhole: isWhole(row) })),
    finish: () => keep(joiner.finish()),
    counts: () => ({
      products: counts.product,
      variants: counts.variant,
      withVariants,
      parents: counts.parent,
      images: counts.image,
      takenColumns,
    }),
  };
}

/** What a row is. */
export type RowKind = ReturnType<ReturnType<SheetReader["kindsBelow"]>>;

/** Kinds of rows that are left out and named; empty rows are not named. */
type NamedKind = Exclude<RowKind, "product" | "empty"> | "sharp";

/** Collects the rows that are left out, and products that look like remarks. */
interface LeftOutRows {
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

/** Leaves out rows of a sheet and counts them. */
export interface UnpublishedRows {
  /** Returns whether a row stays; rows are passed in the order in which they leave the joiner. */
  keeps(row: SourceRow): boolean;
  /** Whether the row was left out. */
  has(row: number): boolean;
  warnings(): readonly RunWarning[];
}

interface UnpublishedRowsOptions {
  readonly sheet: RunSheets;
  /** Whether all cells of a row could be read; another row may have slipped, and is kept. */
  readonly isWhole: (row: SourceRow) => boolean;
}

/** Leaves out no row. */
export const KEEP_UNPUBLISHED: UnpublishedRows = {
  keeps: () => true,
  has: () => false,
  warnings: () => [],
};

/** Finds the rows by the columns of the sheet that say so, where it has any. */
export function createUnpublishedRows(
  mapping: ColumnMapping,
  { sheet, isWhole }: UnpublishedRowsOptions,
): UnpublishedRows {
  const find = createSheetReader(mapping).findUnpublished(isWhole);
  if (find === undefined) return KEEP_UNPUBLISHED;
  const code = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  )?.index;
  const dropped = new Set<number>();
  const named: string[] = [];
  const columns = new Map<string, Set<string>>();
  const note = (row: SourceRow, cells: ReturnType<typeof find>): void => {
    dropped.add(row.row);
    for (const { column, text } of cells) {
      const values = columns.get(column.header) ?? new Set();
      columns.set(column.header, values.add(text));
    }
    const [cell] = cells;
    if (named.length === MAX_NAMED || cell === undefined) return;
    const text = code === undefined ? "" : String(row.cells[code] ?? "").trim();
    const address = cellInSheet(sheet, cell.row, cell.column.letter);
    named.push(text === "" ? address : `${address} (${text})`);
  };
  return {
    has: (row) => dropped.has(row),
    keeps(row) {
      const cells = find(row);
      if (cells.length > 0) note(row, cells);
      return cells.length === 0;
    },
    warnings: () =>
      dropped.size === 0
        ? []
        : [
            {
              code: "W_UNPUBLISHED_ROWS",
              message: describeUnpublished(dropped.size, { named, columns }),
            },
          ],
  };
}

interface UnpublishedOfColumns {
  readonly named: readonly string[];
  /** Values by the header of their column. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

function describeUnpublished(count: number, { named, columns }: UnpublishedOfColumns): Localized {
  const list = named.join(", ") + (count > named.length ? ", …" : "");
  const values = [...columns]
    .map(([header, texts]) => `“${header}”: ${[...texts].join(", ")}`)
    .join("; ");
  const flags = [...columns.keys()].map((header) => `--map "${header}=-"`).join(" ");
  return {
    tr: `Kaynağında satışta olmayan ${count} satır atlandı (${values}): ${list}. Bunlar da alınacaksa: ${flags}`,
    en: `Rows that are not on sale where they come from were left out (${values}): ${count}: ${list}. To take them after all: ${flags}`,
  };
}
