import type { IssueTexts } from "./codes.ts";
import { COLUMN_TEXTS_EN } from "./column-texts-en.ts";
import { DEFAULT_TEXTS_EN } from "./default-texts.ts";
import { IMAGE_TEXTS_EN } from "./image-texts-en.ts";
import { SHOWN_TEXTS_EN } from "./shown-texts-en.ts";
import { VARIANT_TEXTS_EN } from "./variant-texts-en.ts";

const PICK_BY_SUFFIX = "Write one of these, with the suffix in brackets: {names}";
/** One name, or several. */
const DID_YOU_MEAN = "{meant}";

/** English issue texts. */
export const TEXTS_EN: IssueTexts = {
  ...SHOWN_TEXTS_EN,
  ...IMAGE_TEXTS_EN,
  ...COLUMN_TEXTS_EN,
  ...DEFAULT_TEXTS_EN,
  ...VARIANT_TEXTS_EN,
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
