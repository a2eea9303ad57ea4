/** The drop-down lists of the cells in a column. */

import { columnLetters } from "../cell-address.ts";
import { escapeXml } from "./sheet-cells.ts";

export interface ChoiceColumn {
  readonly choices?: readonly string[];
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
  const lists = columns.flatMap(({ choices = [] }, index) =>
    choices.length === 0 ? [] : [formatList(columnLetters(index + 1), choices, lastRow)],
  );
  if (lists.length === 0) return "";
  return `<dataValidations count="${lists.length}">${lists.join("")}</dataValidations>`;
}

function formatList(letters: string, choices: readonly string[], lastRow: number): string {
  const list = choices.join(",");
  if (list.length > MAX_CHARS || choices.some((word) => /[",]/u.test(word))) {
    throw new RangeError(`these words make no drop-down: ${list}`);
  }
  const cells = `${letters}${FIRST_ROW}:${letters}${lastRow}`;
  return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>${escapeXml(`"${list}"`)}</formula1></dataValidation>`;
}
