import type { VariantTexts } from "./codes.ts";

/** English texts about the rows of products with variants. */
export const VARIANT_TEXTS_EN: VariantTexts = {
  E_CODE_LIST: {
    message:
      "This cell lists {count} codes ({first} …): the row is a listing with variations. Each of them would be a product of its own, so the row is not sent.",
    suggestion: "Give each variation a row with its own code, price and stock.",
  },
  "E_CODE_LIST.variations": {
    message:
      "This listing has variations (“{other}” is filled in) but only one code, so its price and stock are those of all of them together.",
    suggestion:
      'Give each variation a row with its own code. To sell the listing as one product: --map "{other}=-"',
  },
  E_PRICE_TAX: {
    message:
      "The prices in this row are without tax (“{other}”: {said}); the marketplace shows prices with tax, so the row is not sent.",
    suggestion: "Export the prices with tax, or add the tax in the file and correct “{other}”.",
  },
  E_SALE_DATE: {
    message:
      "“{value}” does not say clearly whether the reduced price is valid now, so the row is not sent.",
    suggestion:
      'Write the date as 2026-01-31. If the dates do not matter, leave their column out: --map "{header}=-"',
  },
  E_STOCK_STATE: {
    message:
      "The file says only that none is in stock (“{other}”: {state}) and gives no number; no stock is guessed.",
    suggestion: "Write 0, or the number, into this cell.",
  },
  "E_STOCK_STATE.contradicts": {
    message:
      "The stock is {value}, but the file says that none can be sold (“{other}”: {state}); nothing says which one counts.",
    suggestion: "Write 0 as the stock, or correct “{other}”.",
  },
  "E_STOCK_STATE.shared": {
    message:
      "“{value}”: this variant shares the stock of its parent row (row {parent}); sent for each variant, one product would be sold several times.",
    suggestion: "Divide the stock: write the number of each variant into its cell.",
  },
  "E_STOCK_STATE.untracked": {
    message:
      "The stock of this product is not tracked (“{other}” is empty), so the number here says nothing: the platform goes on selling it. No stock is guessed.",
    suggestion:
      'Write the number into this cell; if it really is sold out, --map "{other}=-" takes the 0 as it is.',
  },
  E_VARIANT_PARENT: {
    message:
      "This row is a variant, but no row above is its parent (“{value}”), so values are missing.",
    suggestion: "Put the parent row into the file, above its variants.",
  },
  "E_VARIANT_PARENT.ambiguous": {
    message:
      "“{value}” is the code of several rows (first row {parent}), so the parent is not known.",
    suggestion: "Give each parent row a code of its own.",
  },
  "E_VARIANT_PARENT.apart": {
    message:
      "This row belongs to “{value}”, but stands apart from the first row of that product (row {parent}); it is not sent, so that no values are mixed.",
    suggestion: "Sort the file: the rows of a product follow its first row.",
  },
  "E_VARIANT_PARENT.broken": {
    message: "The parent (row {parent}) or this row could not be read whole, so nothing was taken.",
    suggestion:
      "Look for a row with more or fewer cells than the header, or a formula without a result, and correct it.",
  },
  "E_VARIANT_PARENT.many": {
    message: "“{value}” has too many rows or images; this row was not read.",
    suggestion: "Divide the product into two files.",
  },
  W_IMAGE_ROW: {
    message: "This row holds an image only, which was added to the other rows of “{value}”.",
  },
  W_PARENT_ROW: {
    message: "This is a parent row: it is not sent itself, its variants have its values.",
  },
  W_SALE_PERIOD: {
    message:
      "The reduced price is valid until {date}; the marketplace does not end it by itself, so import the file again then.",
  },
  "W_SALE_PERIOD.future": {
    message: "The reduced price is valid only from {date}; the price without it is sent.",
  },
  "W_SALE_PERIOD.over": {
    message: "The reduced price was valid until {date}; the price without it is sent.",
  },
};
