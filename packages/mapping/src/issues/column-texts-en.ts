import type { ColumnTexts } from "./codes.ts";

/** English texts about columns. */
export const COLUMN_TEXTS_EN: ColumnTexts = {
  E_COLUMN_CURRENCY: {
    message:
      "The column “{value}” ({cells}) names a currency but is not read; the prices would count as {currency}.",
    suggestion: "Say what the column is. {answers}",
  },
  E_COLUMN_MISSING: {
    message: "The file lacks columns that adding needs: {names}.",
    suggestion: "{advice}",
  },
  "E_COLUMN_MISSING.code": {
    message:
      "No column “{names}”, by which products are known, was found. The headers of the file: {headers}.",
    suggestion: "{advice}",
  },
  E_COLUMN_NUMBERS: {
    message:
      "The column “{value}” ({cells}) has cells with nothing but a number; the header does not tell whether these are the numbers of “{field}” or something else, such as years.",
    suggestion: "Write names instead of numbers, or say what the column is. {answers}",
  },
  E_COLUMN_PRICE: {
    message:
      "The column “{value}” ({cells}) is a price too; “{field}” would be taken from {other}.",
    suggestion: "Say which one counts. {answers}",
  },
  E_COLUMN_TWICE: {
    message: "Two columns mean the same field ({field}): {first} and {second}.",
    suggestion: "Delete one, or say with --map which one counts.",
  },
  "E_COLUMN_UNSURE.because": {
    message:
      "The column “{value}” ({cells}) may be “{field}”, but by the values in “{because}” not in every row.",
    suggestion: "Say what the column is. {answers}",
  },
  "E_COLUMN_UNSURE.empty": {
    message:
      "“{other}”, by which products are known, is empty in every row; “{value}” ({cells}) may serve as the product code.",
    suggestion: "Say what the column is. {answers}",
  },
  "E_COLUMN_UNSURE.expected": {
    message:
      "The file has no column “{field}”; “{value}” ({cells}), which holds numbers, may be that.",
    suggestion: "Say what the column is. {answers}",
  },
  "E_COLUMN_UNSURE.tax": {
    message:
      "The file's only column of prices, “{value}” ({cells}), seems to be without tax; the marketplace takes what the buyer pays, tax included.",
    suggestion:
      "Have a column of prices with tax added; if only stocks are meant to be sent, leave this one out. {answers}",
  },
  "E_COLUMN_UNSURE.parts": {
    message:
      "“{field}” stands in several columns, of which “{value}” ({cells}) is one; nothing says whether they are added up or one of them counts.",
    suggestion: "Say it for each of them; those that are not left out are added up. {answers}",
  },
  "E_COLUMN_UNSURE.sellable": {
    message:
      "The column “{value}” ({cells}) may be the stock too: what may be sold without what is reserved; “{field}” would be taken from {other}.",
    suggestion: "Say which one counts. {answers}",
  },
  E_COLUMN_UNSURE: {
    message:
      "The column “{value}” ({cells}) may be “{field}”, but the header can mean something else as well.",
    suggestion: "Say what the column is. {answers}",
  },
  E_FILE_EXPORT: {
    message:
      "This file is not a list of products but an export of {contents}, as the column “{value}” shows. It cannot be used to change products; nothing was sent.",
    suggestion:
      "To change products, export the products and edit that file; answer questions and work on orders in the marketplace's panel. If this is your list of products all the same, remove the column “{value}”, or say that it is not used.",
  },
  W_COLUMN_NOT_SENT: {
    message:
      "The column “{value}” is not sent: the marketplace has no such field for new products.",
  },
  W_COLUMN_OTHER_ID: {
    message: "The column “{value}” ({cells}) holds ids of another system and was not used.",
  },
  W_COLUMN_UNKNOWN: {
    message:
      "The column “{value}” is not known; it counts only where it names a property of the row's category.",
    suggestion: 'If it is “{field}”, rename it or pass --map "{value}={key}".',
  },
  W_COLUMN_UNUSED: {
    message: "The column “{value}” ({cells}) was not used: “{field}” was taken from {other}.",
    suggestion: 'If that is the wrong one, pass --map "{value}={key}".',
  },
};
