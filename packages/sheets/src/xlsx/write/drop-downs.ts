/** The drop-down lists of the cells in a column. */

import { columnLetters } from "../cell-address.ts";
import { escapeXml } from "./sheet-cells.ts";

/** Name of the hidden sheet that holds the lists of a workbook. */
export const LISTS_SHEET = "_listeler";

export interface ChoiceColumn {
  readonly choices?: readonly string[];
  /** A list in the sheet {@link LISTS_SHEET}, by its column from 0. */
  readonly list?: { readonly at: number; readonly length: number } | undefined;
}

/** Maximum length of a list that is stored in the sheet itself, a limit of Excel. */
const MAX_CHARS = 255;

const FIRST_ROW = 2;

/**
 * The part of a worksheet with the drop-down lists of its columns down to the last row. Throws a
 * `RangeError` for words that cannot form a list: too many, or with a comma or a quote in them.
 */
export function formatDropDowns(columns: readonly ChoiceColumn[], lastRow: number): string {
  if (lastRow < FIRST_ROW) return "";
  const lists = columns.flatMap(({ choices = [], list }, index) => {
    const letters = columnLetters(index + 1);
    const cells = `${letters}${FIRST_ROW}:${letters}${lastRow}`;
    if (choices.length > 0) return [formatChoices(choices, cells)];
    return list === undefined || list.length === 0 ? [] : [formatList(list, cells)];
  });
  if (lists.length === 0) return "";
  return `<dataValidations count="${lists.length}">${lists.join("")}</dataValidations>`;
}

function formatChoices(choices: readonly string[], cells: string): string {
  const list = choices.join(",");
  if (list.length > MAX_CHARS || choices.some((word) => /[",]/u.test(word))) {
    throw new RangeError(`these words make no drop-down: ${list}`);
  }
  return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>${escapeXml(`"${list}"`)}</formula1></dataValidation>`;
}

/** Other values may be typed, so Excel has nothing to say of them. */
function formatList({ at, length }: NonNullable<ChoiceColumn["list"]>, cells: string): string {
  const letters = columnLetters(at + 1);
  const range = `'${LISTS_SHEET}'!$${letters}$${FIRST_ROW}:$${letters}$${length + 1}`;
  return `<dataValidation type="list" allowBlank="1" sqref="${cells}"><formula1>${range}</formula1></dataValidation>`;
}
