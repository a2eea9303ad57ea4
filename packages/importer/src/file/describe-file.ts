/** Describes how a file was read, and checks each row for cells that could not be read whole. */

import type { Localized } from "@catalog/i18n";
import type { Column, ColumnMapping } from "@catalog/mapping";
import type { RowIssue, SourceRow } from "@catalog/runs";
import type { OpenedSheet, OpenSheetOptions } from "@catalog/sheets";

import type { PlanSheet } from "../plan/plan-source.ts";

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
  return {
    tr: `Dosya okunuşu: ${parts.map(({ tr }) => tr).join(", ")}.`,
    en: `File read as: ${parts.map(({ en }) => en).join(", ")}.`,
  };
}

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
  return (row) => {
    const slipped = countIssue(row, sheet);
    // Only cells with traits can be formulas.
    if (row.traits === undefined) return slipped;
    return [...slipped, ...used.flatMap((column) => formulaIssue(row, column, sheet))];
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
  const count = row.cells.length;
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

/** A formula without a stored result would otherwise count as an empty cell. */
function formulaIssue(
  { row, cells, traits }: SourceRow,
  { index, letter, header }: Column,
  { sheet }: PlanSheet,
): readonly RowIssue[] {
  if (traits?.[index] !== "formula" || (cells[index] ?? null) !== null) return [];
  return [
    {
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
    },
  ];
}
