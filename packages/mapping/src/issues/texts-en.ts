/** English texts of the issues. */

import type { IssueTexts } from "./codes.ts";

const AMBIGUOUS_DEFAULT = {
  message: "“{field}” is empty here, and its saved default “{value}” fits several names.",
  suggestion: "These fit: {names}. Correct the default: catalog rules default {command}",
};

const RETYPE =
  "Type the right one into the cell again; format the cell as Text for a text, as General for a number.";

const RETYPE_CODE =
  "Format the cell as text and type the original code again. If this is the code, import the file again with --allow code-suspect, or write Yes in the row's Approve cell in held.xlsx, save it, and then: catalog release <run> --approved held.xlsx";

const PICK_BY_SUFFIX = "Write one of these, with the suffix in brackets: {names}";
/** One name, or several. */
const DID_YOU_MEAN = "{meant}";

/** English issue texts. */
export const TEXTS_EN: IssueTexts = {
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
  E_IMAGE_FILE: {
    message: "“{value}” is a file name, and it is not known where the images are.",
    suggestion:
      "Write the address of the image, which begins with https. If the images are on your computer, give their folder or zip file on the command line (--images-dir).",
  },
  E_IMAGE_URL: {
    message: "“{value}” is not the address of an image.",
    suggestion: "Give one address that begins with https for each image.",
  },
  "E_IMAGE_URL.blank": {
    message: "“{value}” has a blank within the address.",
    suggestion: "Write %20 for the blank: {address}",
  },
  "E_IMAGE_URL.http": {
    message: "“{value}” begins with http; the marketplace takes https addresses only.",
    suggestion: "If the image opens at this address too, write this one: {address}",
  },
  "E_IMAGE_URL.scheme": {
    message: "“{value}” lacks the beginning of an address.",
    suggestion: "Put https:// in front: {address}",
  },
  W_IMAGE_TWICE: {
    message: "“{value}” occurs more than once in this row and is sent once.",
  },
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
  E_COLUMN_STORE: {
    message: "No store is named “{text}”, as the column “{value}” says. The stores: {names}.",
    suggestion: "Correct the name in the square brackets. {answers}",
  },
  "E_COLUMN_STORE.key": {
    message:
      "The column “{value}” cannot be for one store only: “{field}” says which product a row is, and is the same in all stores.",
    suggestion: "Have one common column “{base}”, and delete this one.",
  },
  "E_COLUMN_STORE.unsure": {
    message: "It is not clear whose place the column “{value}” takes in this store.",
    suggestion: "Write its header like that of the common column: “{example}”. {answers}",
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
      "{advice}To change products, export the products and edit that file. If this is your list of products all the same, remove the column “{value}”, or say that it is not used.",
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
  "E_MODEL_AMBIGUOUS.default": AMBIGUOUS_DEFAULT,
  "E_TEMPLATE_AMBIGUOUS.default": AMBIGUOUS_DEFAULT,
  "E_TEMPLATE_UNKNOWN.default": {
    message: "“{field}” is empty here, and the store does not have its saved default “{value}”.",
    suggestion:
      "Correct the default: catalog rules default {command}\nThe store's templates: catalog lookup templates",
  },
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
  E_BRAND_AMBIGUOUS: {
    message: "More than one brand is named “{value}”.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_BRAND_NEEDS_CATEGORY: {
    message:
      "The brand “{value}” cannot be looked up: brands are listed by category, and this row has none.",
    suggestion: "Fill in the category as well, or write the brand's id.",
  },
  E_BRAND_UNKNOWN: {
    message: "No brand in this category is named “{value}”.",
    suggestion: DID_YOU_MEAN,
  },
  "E_BRAND_UNKNOWN.unlike": {
    message: "No brand in this category is named “{value}”, or anything like it.",
    suggestion:
      "Write one of the brands of the category; if the product is of another category, change that. The brands of the category: catalog lookup brands --category {category}",
  },
  E_CATEGORY_AMBIGUOUS: {
    message: "More than one category is named “{value}”.",
    suggestion:
      "Write its whole path, for example: {names}. All of them: catalog lookup categories {search}",
  },
  E_CATEGORY_NOT_LEAF: {
    message: "“{value}” has categories below it; products go into the lowest ones only.",
    suggestion: "Choose one below it: {names}",
  },
  E_CATEGORY_UNKNOWN: {
    message: "No category is named “{value}”.",
    suggestion: DID_YOU_MEAN,
  },
  "E_CATEGORY_UNKNOWN.unlike": {
    message: "No category is named “{value}”, or anything like it.",
    suggestion:
      "Write one of the categories of the store. The categories: catalog lookup categories",
  },
  E_CELL_DATE: {
    message: "This cell was turned into a date; what you typed can no longer be read.",
    suggestion: "Format the cell as text and type the value again.",
  },
  E_CELL_ERROR: {
    message: "The cell holds a formula error: “{value}”.",
    suggestion:
      "Repair the formula, or type the value itself; where it shows #####, widen the column and save the file again.",
  },
  E_CLEAR: {
    message: "“{header}” cannot be emptied.",
    suggestion: "Leave the cell empty to keep it as it is.",
  },
  E_CLEAR_REQUIRED: {
    message: "“{header}” is required and cannot be emptied.",
    suggestion: "Write a new value, or leave the cell empty to keep it as it is.",
  },
  E_CODE_NOT_TEXT: {
    message: "The product code was read as “{value}”, which is probably not what you typed.",
    suggestion: "Format the column as text and type the code again.",
  },
  E_CODE_SUSPECT: {
    message: "The code “{value}” is nearly the same as {others} on another row: {difference}.",
    suggestion:
      "If it is one product, write its code the same way on every row. If they are two, add --allow code-suspect.",
  },
  E_DESCRIPTION_EMPTY: {
    message:
      "“{header}” holds no text to show, only scripts, styles or other parts that are not sent.",
    suggestion: "Write the text of the description.",
  },
  "E_DISCOUNT.list-needs-price": {
    message: "There is a list price, but no valid price in the row.",
    suggestion: "Fill in the price as well.",
  },
  "E_DISCOUNT.list-not-above": {
    message: "The list price ({list}) cannot be below the price ({price}).",
    suggestion: "Leave the list price empty when there is no discount.",
  },
  "E_DISCOUNT.not-below-price": {
    message: "The discount value ({discount}) must be below the price ({price}).",
    suggestion: "Check the discount type and its value.",
  },
  "E_DISCOUNT.rate": {
    message: "“{value}” is not a discount rate.",
    suggestion: "Write a whole number from 1 to 99.",
  },
  "E_DISCOUNT.two-ways": {
    message: "The discount is given in two ways: by a list price and by a discount value.",
    suggestion: "Fill in only one of them.",
  },
  "E_DISCOUNT.type-conflict": {
    message: "The discount type “{value}” contradicts the header “{other}”.",
    suggestion: "Correct the type, or leave this cell empty.",
  },
  "E_DISCOUNT.type-missing": {
    message: "Is the discount “{value}” an amount, a rate or a discounted price? Nothing says so.",
    suggestion: "Fill in the discount type.",
  },
  "E_DISCOUNT.value-missing": {
    message: "There is a discount type, but no discount value.",
    suggestion: "Fill in the discount value, or leave the type empty too.",
  },
  E_HEADER_CURRENCY: {
    message:
      "The header “{value}” names another currency; as no currency is given, the prices would be sent as {currency}.",
    suggestion: "Say which currency it is. {answers}",
  },
  "E_HEADER_CURRENCY.stated": {
    message:
      "The header “{other}” names another currency; as no currency is given, the prices in “{value}” would be sent as {currency}.",
    suggestion: "Say which currency it is. {answers}",
  },
  "E_HEADER_CURRENCY.platform": {
    message:
      "The prices of {platform} name no currency; as none is given, those in “{value}” would be sent as {currency}.",
    suggestion: "Say which currency it is. {answers}",
  },
  E_HEADER_DUP: {
    message: "The header “{value}” occurs twice: {first} and {second}.",
    suggestion: "Delete one of the columns, or rename it.",
  },
  E_HEADER_NAME: {
    message: "“{value}” cannot be the header of a column.",
    suggestion: "Rename the column.",
  },
  E_KEY_MISSING: {
    message: "“{header}” is empty in this row, so its product is not known.",
    suggestion: "Fill in the product code.",
  },
  E_MAP_FIELD: {
    message: "The column “{header}” is mapped to “{field}”, but there is no such field.",
    suggestion: "Did you mean “{closest}”? The fields are: {names}.",
  },
  "E_MAP_FIELD.unlike": {
    message: "The column “{header}” is mapped to “{field}”, but there is no such field.",
    suggestion: "The fields are: {names}.",
  },
  E_MODEL_AMBIGUOUS: {
    message: "More than one model is named “{value}”.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_MODEL_UNKNOWN: {
    message: "No model of this brand has the id “{value}”.",
    suggestion: "Write the model's name; one that is not listed may be typed freely.",
  },
  E_NOT_A_NUMBER: {
    message: "“{value}” could not be read as a number.",
    suggestion: "Write digits only, such as {example}.",
  },
  "E_NOT_A_NUMBER.count": {
    message: "“{value}” could not be read as a count.",
    suggestion: "Write the count in digits only, such as 10.",
  },
  "E_NOT_A_NUMBER.some": {
    message: "“{value}” says that there is stock, but not how much.",
    suggestion:
      "Write the count, or add a rule for “{value}” once: field “Stock”, meaning a count, such as 10.",
  },
  E_NOT_INTEGER: {
    message: "“{value}” is not a whole number.",
    suggestion: "Write a count without decimals, such as 12.",
  },
  E_NUMBER_AMBIGUOUS: {
    message:
      "“{value}” can be read in two ways: nothing in the column tells thousands from decimals.",
    suggestion: "Say which sign is the decimal one: --decimal comma or --decimal point.",
  },
  E_NUMBER_MIXED: {
    message: "“{value}” is written differently from the other numbers of this column.",
    suggestion: "Write all numbers of the column in one way, such as {example}.",
  },
  "E_NUMBER_MIXED.seen": {
    message:
      "This column writes numbers in two ways: “{value}” has a decimal {sign}, {other} a decimal {otherSign}.",
    suggestion: "Write all numbers of the column in one way.",
  },
  E_NUMBER_TOO_LARGE: {
    message: "“{value}” is too large a number.",
    suggestion: "Check the value.",
  },
  "E_NUMBER_TOO_LARGE.stock": {
    message: "“{value}” is a bar code and no stock.",
    suggestion: "Write the count, or point out the column of stocks.",
  },
  E_OPTION_AMBIGUOUS: {
    message: "The property “{property}” has more than one option named “{value}”.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_OPTION_UNKNOWN: {
    message: "The property “{property}” has no option named “{value}”.",
    suggestion: "Some of its options: {names}",
  },
  E_PATH: {
    message: "“{value}” is a path on this machine; paths are not read.",
    suggestion: "Write only the file's name, or an address that begins with https.",
  },
  E_PRICE_CURRENCY: {
    message: "The currency of “{value}” is not the row's currency ({currency}).",
    suggestion: "Use one currency in the row, or write the number alone.",
  },
  "E_PRICE_CURRENCY.unknown": {
    message: "“{value}” is in another currency ({foreign}); the marketplace takes TL, USD and EUR.",
    suggestion:
      "Convert the amount to one of these and write that. With digits alone it would be sent as TL.",
  },
  E_PRICE_NOT_POSITIVE: {
    message: "“{value}” must be above zero.",
    suggestion: "Write an amount above zero.",
  },
  E_PRICE_PRECISION: {
    message: "“{value}” has more than two decimals.",
    suggestion: "Write at most two decimals, such as {example}.",
  },
  E_PRODUCT_ID: {
    message: "“{value}” does not look like a product id.",
    suggestion: "Copy the id from an export, or leave it empty and use the product code.",
  },
  E_PROPERTY_AMBIGUOUS: {
    message: "The category of this row has more than one property named “{property}”.",
    suggestion: "Use one of these as the header: {names}",
  },
  E_PROPERTY_NEEDS_CATEGORY: {
    message:
      "The property “{property}” cannot be looked up: it depends on the category, and this row has none.",
    suggestion: "Fill in the category as well.",
  },
  E_PROPERTY_UNKNOWN: {
    message: "The category of this row has no property named “{property}”.",
    suggestion: DID_YOU_MEAN,
  },
  E_REQUIRED: {
    message: "“{header}” is empty, and a new product needs it.",
    suggestion: "For example: {example}",
  },
  "E_REQUIRED.listed": {
    message: "“{header}” is empty, and a new product needs it.",
    suggestion: "{advice}",
  },
  E_RULE_TARGET: {
    message: "The saved rule for “{value}” says “{target}”, but there is no such value here.",
    suggestion: 'Correct or remove the rule: catalog rules remove "{field}" "{value}"',
  },
  E_SET_FIELD: {
    message: "--set gives a value to “{field}”, but there is no such field.",
    suggestion: "Did you mean “{closest}”? The fields are: {names}.",
  },
  "E_SET_FIELD.unlike": {
    message: "--set gives a value to “{field}”, but there is no such field.",
    suggestion: "The fields are: {names}.",
  },
  E_SET_PLACEHOLDER: {
    message: "--set gives “{value}” to “{field}”, which is no value.",
    suggestion: "Write the value that all rows have in place of “{value}”.",
  },
  E_SET_TWICE: {
    message: "--set gives two values to the field “{field}”: “{first}” and “{value}”.",
    suggestion: "Keep one of the values.",
  },
  E_STOCK_NEGATIVE: {
    message: "Stock cannot be negative: “{value}”.",
    suggestion: "Write zero or more.",
  },
  E_TEMPLATE_AMBIGUOUS: {
    message: "More than one shipping template is named “{value}”.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_TEMPLATE_UNKNOWN: {
    message: "The store has no shipping template named “{value}”.",
    suggestion: "For example: {names}. All templates of the store: catalog lookup templates",
  },
  E_VALUE_UNKNOWN: {
    message: "“{value}” is not a value of “{header}”.",
    suggestion: "Write one of these: {names}",
  },
  "E_WARRANTY.has-period": {
    message: "The warranty type is none, but the warranty period is “{value}”.",
    suggestion: "Write 0 as the period when there is no warranty, or change the type.",
  },
  "E_WARRANTY.no-period": {
    message: "There is a warranty type, but the warranty period is “{value}”.",
    suggestion: "Write 12, 24 or 36, or choose the type None.",
  },
  W_FORMULA: {
    message: "The cell holds a formula; its last result was used: “{value}”.",
  },
  W_MODEL_UNKNOWN: {
    message: "This brand has no model named “{value}”; it is sent as free text.",
    suggestion: "Did you mean “{closest}”? Then write that into the cell.",
  },
  W_TEXT_CODES: {
    message: "“{header}” has an HTML code and is sent as it is written: “{value}”.",
    suggestion: "If you mean “{decoded}”, write that into the cell.",
  },
  W_MAP_HEADER: {
    message: "The header “{value}” given with --map is not in the file.",
  },
};
