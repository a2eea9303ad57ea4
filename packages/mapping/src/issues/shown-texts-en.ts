/** English texts about cells that display something other than they hold. */

import type { ShownTexts } from "./codes.ts";

const RETYPE =
  "Type the right one into the cell again; format the cell as Text for a text, as General for a number.";

const RETYPE_CODE =
  "Format the cell as text and type the original code again. If this is the code, import the file again with --allow code-suspect, or write Yes in the row's Approve cell in held.xlsx, save it, and then: catalog release <run> --approved held.xlsx";

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
  "E_CODE_SUSPECT.date": {
    message:
      "The code “{value}” looks like a date, which Excel may have made of a code such as 1-3. The new product is held, because an added product cannot be deleted.",
    suggestion: RETYPE_CODE,
  },
  "E_CODE_SUSPECT.exponent": {
    message:
      "The code “{value}” looks like a long number that a program has shortened (such as 2.5E8). The new product is held, because an added product cannot be deleted.",
    suggestion: RETYPE_CODE,
  },
  "E_CODE_SUSPECT.serial": {
    message:
      "The other codes of the file are like 13-14, while “{value}” may be Excel's number of a day (of the code 1-3, for example). The new product is held, because an added product cannot be deleted.",
    suggestion: RETYPE_CODE,
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
