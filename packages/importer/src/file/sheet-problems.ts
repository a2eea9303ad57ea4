/** One message with every mistake of a sheet at its cell. */

import { formatNumber, InputError, type Lang, type Localized } from "@catalog/i18n";
import { columnLetter } from "@catalog/mapping";

/** One thing wrong with a sheet that a person filled in. */
export interface SheetProblem {
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
  /** Index of the column; `undefined` where it is the whole row. */
  readonly column?: number | undefined;
  /** Names the place where the file is no table. */
  readonly place?: Localized | undefined;
  readonly value: string;
  readonly message: Localized;
}

/** Mistakes that one message names. */
const MAX_NAMED = 30;

/** Makes the error of a sheet of which nothing is used. */
export function toSheetError(
  code: string,
  what: Localized,
  problems: readonly SheetProblem[],
): InputError {
  const write = (lang: Lang): string => {
    const more = problems.length - MAX_NAMED;
    const lines = problems.slice(0, MAX_NAMED).map(({ row, column, value, message, place }) => {
      const cell = column === undefined ? "" : `${columnLetter(column)}${row}`;
      const at = cell === "" ? ROW[lang](row) : `${cell}${value === "" ? "" : ` “${value}”`}`;
      return `  ${place?.[lang] ?? at}: ${message[lang]}`;
    });
    const rest = more > 0 ? [`  + ${formatNumber(more, lang)}`] : [];
    return [what[lang], ...lines, ...rest].join("\n");
  };
  return new InputError({ tr: write("tr"), en: write("en") }, { code });
}

const ROW: Readonly<Record<Lang, (row: number) => string>> = {
  tr: (row) => `Satır ${row}`,
  en: (row) => `Row ${row}`,
};
