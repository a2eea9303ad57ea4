/** Describes how a file was read: for a person, and as issues of rows that could not be read whole. */

import { canonicalStoreId } from "@catalog/client/market-address";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { type ColumnMapping, createStoreFold, type SourceRow } from "@catalog/mapping";
import { locateRow, type RowIssue, type RunSheets } from "@catalog/runs";
import type { OpenedSheet, OpenSheetOptions } from "@catalog/sheets";

import type { PlanSheet } from "../plan/plan-options.ts";
import { WORKBOOK_VERSION } from "../templates/product-workbook.ts";

/** One line: each guess with the flag that changes it, and each given setting without its flag. */
export function describeFile(
  { kind, sheet, sheets, guesses }: OpenedSheet,
  given: Pick<OpenSheetOptions, "encoding" | "delimiter" | "sheet" | "headerRow">,
): Localized {
  const { encoding = "utf-8", delimiter = ";", headerRow } = guesses;
  const row = part({ tr: `başlık ${headerRow}. satır`, en: `headers in row ${headerRow}` }, [
    "--header-row",
    given.headerRow,
  ]);
  if (kind === "xml" || kind === "json") {
    return toReading([
      part({ tr: `kayıt “${sheet}”`, en: `record “${sheet}”` }, ["--record", given.sheet]),
      part({ tr: `kodlama ${encoding}`, en: `encoding ${encoding}` }, [
        "--encoding",
        given.encoding,
      ]),
    ]);
  }
  const sign = SIGNS[delimiter] ?? { tr: delimiter, en: delimiter };
  const parts =
    kind === "csv"
      ? [
          part({ tr: `kodlama ${encoding}`, en: `encoding ${encoding}` }, [
            "--encoding",
            given.encoding,
          ]),
          part({ tr: `ayırıcı ${sign.tr}`, en: `delimiter ${sign.en}` }, [
            "--delimiter",
            given.delimiter,
          ]),
          row,
        ]
      : [part(nameSheets(sheets ?? [{ name: sheet }]), ["--sheet", given.sheet]), row];
  return toReading(parts);
}

const toReading = (parts: readonly Localized[]): Localized => ({
  tr: `Dosya okunuşu: ${parts.map(({ tr }) => tr).join(", ")}.`,
  en: `File read as: ${parts.map(({ en }) => en).join(", ")}.`,
});

/** Signs that a list of settings would hide. */
const SIGNS: Readonly<Record<string, Localized>> = {
  ",": { tr: "virgül", en: "comma" },
  "\t": { tr: "TAB", en: "TAB" },
};

function nameSheets(sheets: readonly { readonly name: string }[]): Localized {
  const names = sheets.map(({ name }) => `“${name}”`).join(" + ");
  return { tr: `sayfa ${names}`, en: `sheet ${names}` };
}

const part = (
  text: Localized,
  [flag, given]: readonly [flag: string, given: OpenSheetOptions["sheet" | "headerRow"]],
): Localized =>
  given === undefined ? { tr: `${text.tr} (${flag})`, en: `${text.en} (${flag})` } : text;

/** Finds reading issues of a row before its cells are mapped. Every issue blocks the row. */
export type RowFileCheck = (row: SourceRow) => readonly RowIssue[];

/** Creates the check of a sheet's rows; columns that are not mapped are not checked. */
export function createRowFileCheck(sheet: PlanSheet, mapping: ColumnMapping): RowFileCheck {
  const used = mapping.columns.filter(
    ({ target: { kind } }) => kind === "field" || kind === "property",
  );
  const { fold } = createStoreFold(mapping.columns);
  return (row) => {
    const slipped = countIssue(row, sheet);
    // Only cells with traits can be formulas.
    if (row.traits === undefined) return slipped;
    const read = fold(row);
    const placeOf = (column: Column): Column =>
      mapping.columns[read.folded?.places[column.index] ?? column.index] ?? column;
    return [
      ...slipped,
      ...used.flatMap((column) =>
        isOpenFormula(read, column) ? [formulaIssue(row, placeOf(column), sheet)] : [],
      ),
    ];
  };
}

/**
 * Creates the check for a feed, whose rows may have fewer cells than the header, as programs leave
 * out the last empty ones. A row with more cells has slipped, unless the additional cells are
 * empty.
 */
export function createFeedCheck(sheet: PlanSheet, mapping: ColumnMapping): RowFileCheck {
  const check = createRowFileCheck(sheet, mapping);
  return (row) => {
    const beyond = row.cells.slice(sheet.width ?? row.cells.length);
    const hasMore = beyond.some((cell) => cell !== null);
    return check(row).filter(({ code }) => hasMore || code !== "E_COLUMN_COUNT");
  };
}

function countIssue(row: SourceRow, { sheet, width, header }: PlanSheet): readonly RowIssue[] {
  const count = (row.folded ?? row).cells.length;
  if (width === undefined || count === width) return [];
  return [
    {
      code: "E_COLUMN_COUNT",
      sheet,
      row: row.row,
      column: String(header.cells[0] ?? ""),
      cell: `A${row.row}`,
      value: String(count),
      message: {
        tr: `Bu satırda ${count} hücre var, başlıkta ${width}; hücreler kaymış olabilir.`,
        en: `This row has ${count} cells and the header ${width}; its cells may have slipped.`,
      },
      suggestion: {
        tr: "İçinde ayırıcı ya da satır sonu geçen metni tırnak içine alın; eksik ayırıcıları tamamlayın.",
        en: "Put texts that contain the delimiter or a line break into quotes; add missing delimiters.",
      },
    },
  ];
}

type Column = ColumnMapping["columns"][number];

/** A formula without a stored result would otherwise count as an empty cell. */
const isOpenFormula = ({ cells, traits }: SourceRow, { index }: Column): boolean =>
  traits?.[index] === "formula" && (cells[index] ?? null) === null;

const formulaIssue = (
  { row }: SourceRow,
  { letter, header }: Column,
  { sheet }: PlanSheet,
): RowIssue => ({
  code: "E_FORMULA",
  sheet,
  row,
  column: header,
  cell: `${letter}${row}`,
  value: "",
  message: {
    tr: "Hücrede sonucu kaydedilmemiş bir formül var.",
    en: "The cell holds a formula whose result was not stored.",
  },
  suggestion: {
    tr: "Dosyayı Excel'de açıp kaydedin ya da değerin kendisini yazın.",
    en: "Open the file in Excel and save it, or type the value itself.",
  },
});

/** The lines of the hidden sheet `_meta`, by name; only our workbooks have it. */
type TemplateVersion = ReadonlyMap<string, string>;

/** Notes on an old workbook, or another store's, before it is used. */
export function toTemplateVersionNotes(
  stamp: TemplateVersion | undefined,
  storeId: string,
): readonly Localized[] {
  if (stamp === undefined) return [];
  const notes: Localized[] = [];
  const store = stamp.get("store") ?? storeId;
  if (canonicalStoreId(store) !== canonicalStoreId(storeId)) {
    notes.push({
      tr: `Bu şablon başka bir mağaza için yapılmış (${store}); teslimat şablonları farklı olabilir.`,
      en: `This workbook was made for another store (${store}); its shipping templates may differ.`,
    });
  }
  const version = Number(stamp.get("version"));
  if (version !== WORKBOOK_VERSION) {
    const [tr, en] =
      version > WORKBOOK_VERSION
        ? ["daha yeni bir sürümle", "a newer version"]
        : ["eski bir sürümle", "an older version"];
    notes.push({
      tr: `Bu şablon ${tr} yapılmış; yenisi için: catalog template`,
      en: `This workbook was made by ${en}; for today's: catalog template`,
    });
  }
  return notes;
}

interface SheetCount {
  note(row: number): void;
  /** The sheets with their numbers of products; empty for a file with one sheet. */
  notes(): readonly Localized[];
}

export function createSheetCount(file: RunSheets): SheetCount {
  const counts = new Map(file.sheets?.map(({ name }) => [name, 0]));
  const list = (lang: Lang, rowsText: (rows: string, isOne: boolean) => string): string =>
    [...counts]
      .map(([name, rows]) => `“${name}” ${rowsText(formatNumber(rows, lang), rows === 1)}`)
      .join(", ");
  return {
    note(row) {
      const name = locateRow(file, row)?.sheet;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    notes: () =>
      counts.size === 0
        ? []
        : [
            {
              tr: `Birlikte okunan sayfalar: ${list("tr", (rows) => `${rows} satır`)}.`,
              en: `Sheets read together: ${list("en", (rows, isOne) => `${rows} ${isOne ? "row" : "rows"}`)}.`,
            },
          ],
  };
}

/** Whether a column of a store is that of this store. */
const isRead = ({ only }: Column): boolean => only?.isAlone === true || only?.over !== undefined;

const listHeaders = (columns: readonly Column[]): string =>
  columns.map(({ header }) => `“${header}”`).join(", ");

/** Names the columns that are for one store only. */
export function describeStoreColumns({
  columns,
}: Pick<ColumnMapping, "columns">): readonly Localized[] {
  const ofStores = columns.filter(({ only }) => only !== undefined);
  const [own, others] = [ofStores.filter(isRead), ofStores.filter((column) => !isRead(column))];
  const [store] = own.map(({ only }) => only?.store ?? "");
  return [
    ...(store === undefined
      ? []
      : [
          {
            tr: `Yalnız “${store}” mağazası için olan sütunlar, dolu hücrelerinde ortak sütunun yerine geçti: ${listHeaders(own)}.`,
            en: `Columns for the store “${store}” only; their filled cells replace those of the common columns: ${listHeaders(own)}.`,
          },
        ]),
    ...(others.length === 0
      ? []
      : [
          {
            tr: `Başka mağazaların sütunları burada kullanılmaz: ${listHeaders(others)}.`,
            en: `Columns of other stores are not used here: ${listHeaders(others)}.`,
          },
        ]),
  ];
}

/** One line about the platform whose profile a file is read with; none without a platform. */
export function describePlatform(platform: ColumnMapping["platform"]): readonly Localized[] {
  if (platform === undefined) return [];
  const { label, isGiven } = platform;
  if (isGiven) return [{ tr: `Platform: ${label}.`, en: `Platform: ${label}.` }];
  return [
    {
      tr: `Platform: ${label} (başlıklardan anlaşıldı). Değilse --platform none verin.`,
      en: `Platform: ${label} (recognised by the headers). If it is not, give --platform none.`,
    },
  ];
}
