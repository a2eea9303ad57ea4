/** English texts about cells that display something other than they hold. */

import type { ShownTexts } from "./codes.ts";

const RETYPE =
  "Type the right one into the cell again; format the cell as Text for a text, as General for a number.";

export const SHOWN_TEXTS_EN: ShownTexts = {
  E_CELL_FORMAT: {
    message: "The cell shows “{shown}” but holds “{value}”.",
    suggestion: RETYPE,
  },
  "E_CELL_FORMAT.boolean": {
    message: "The cell holds a truth value (TRUE or FALSE) and not a text.",
    suggestion: "Format the cell as text and type the text again.",
  },
  "E_CELL_FORMAT.hidden": {
    message: "The cell looks empty but holds “{value}”.",
    suggestion: RETYPE,
  },
  "E_CELL_FORMAT.unknown": {
    message:
      "The cell's format “{format}” cannot be read, so what it shows is not known; it holds “{value}”.",
    suggestion: RETYPE,
  },
  "E_CODE_SUSPECT.zeros": {
    message:
      "“{value}” is kept as a number, while other codes begin with zeros, such as “{example}”. Excel may have removed its leading zeros.",
    suggestion:
      "Format the cell as text and type the code again: “{padded}”, or “{value}” if that is the code. If all of them are right, add --allow code-suspect.",
  },
  "E_DISCOUNT.rate-shown": {
    message: "“{shown}” is not a discount rate.",
    suggestion: "Write a whole number from 1 to 99.",
  },
  E_FORMULA: {
    message: "The cell is the formula “{value}”, and the file does not have its result.",
    suggestion:
      'Type the value itself, or open the file in Excel and save it again. To keep the zeros of a code, ="00123" is read as 00123.',
  },
  "E_NOT_INTEGER.shown": {
    message: "The cell shows “{shown}” but holds “{value}”, which is not a whole number.",
    suggestion: "Write a count without decimals, for example 12.",
  },
  "E_PRICE_CURRENCY.shown": {
    message: "The cell shows “{shown}”, which is not in the row's currency ({currency}).",
    suggestion:
      "Write the right one into the currency column, or take it out of the cell's format.",
  },
  "E_PRICE_PRECISION.shown": {
    message: "The cell shows “{shown}” but holds “{value}”, with more than two decimals.",
    suggestion: "Type the amount that is shown, or put the formula into ROUND(…,2).",
  },
};
