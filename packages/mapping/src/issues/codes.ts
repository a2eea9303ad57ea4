/** Stable codes of the faults that a location in the input can have, and the keys of their texts. */

/** Codes of issues: `E_…` keeps a file or a row from being sent, `W_…` does not. */
export const ISSUE_CODES = [
  "E_BRAND_AMBIGUOUS",
  "E_BRAND_NEEDS_CATEGORY",
  "E_BRAND_UNKNOWN",
  "E_CATEGORY_AMBIGUOUS",
  "E_CATEGORY_NOT_LEAF",
  "E_CATEGORY_UNKNOWN",
  "E_CELL_DATE",
  "E_CELL_ERROR",
  "E_CELL_FORMAT",
  "E_CLEAR",
  "E_CLEAR_REQUIRED",
  "E_CODE_LIST",
  "E_CODE_NOT_TEXT",
  "E_CODE_SUSPECT",
  "E_COLUMN_CURRENCY",
  "E_COLUMN_MISSING",
  "E_COLUMN_NUMBERS",
  "E_COLUMN_PRICE",
  "E_COLUMN_STORE",
  "E_COLUMN_TWICE",
  "E_COLUMN_UNSURE",
  "E_DESCRIPTION_EMPTY",
  "E_DISCOUNT",
  "E_FILE_EXPORT",
  "E_FORMULA",
  "E_HEADER_CURRENCY",
  "E_HEADER_DUP",
  "E_HEADER_NAME",
  "E_IMAGE_FILE",
  "E_IMAGE_URL",
  "E_KEY_MISSING",
  "E_MAP_FIELD",
  "E_MODEL_AMBIGUOUS",
  "E_MODEL_UNKNOWN",
  "E_NOT_A_NUMBER",
  "E_NOT_INTEGER",
  "E_NUMBER_AMBIGUOUS",
  "E_NUMBER_MIXED",
  "E_NUMBER_TOO_LARGE",
  "E_OPTION_AMBIGUOUS",
  "E_OPTION_UNKNOWN",
  "E_PATH",
  "E_PRICE_CURRENCY",
  "E_PRICE_NOT_POSITIVE",
  "E_PRICE_PRECISION",
  "E_PRICE_TAX",
  "E_PRODUCT_ID",
  "E_PROPERTY_AMBIGUOUS",
  "E_PROPERTY_NEEDS_CATEGORY",
  "E_PROPERTY_UNKNOWN",
  "E_REQUIRED",
  "E_RULE_TARGET",
  "E_SALE_DATE",
  "E_SET_FIELD",
  "E_SET_PLACEHOLDER",
  "E_SET_TWICE",
  "E_STOCK_NEGATIVE",
  "E_STOCK_STATE",
  "E_TEMPLATE_AMBIGUOUS",
  "E_TEMPLATE_UNKNOWN",
  "E_VALUE_UNKNOWN",
  "E_VARIANT_PARENT",
  "E_WARRANTY",
  "W_COLUMN_NOT_SENT",
  "W_COLUMN_OTHER_ID",
  "W_COLUMN_UNKNOWN",
  "W_COLUMN_UNUSED",
  "W_FORMULA",
  "W_IMAGE_ROW",
  "W_IMAGE_TWICE",
  "W_MAP_HEADER",
  "W_MODEL_UNKNOWN",
  "W_PARENT_ROW",
  "W_SALE_PERIOD",
  "W_TEXT_CODES",
] as const;

/** A stable name for one kind of mistake; safe to branch on and to keep. */
export type IssueCode = (typeof ISSUE_CODES)[number];

/** Variants of codes that cover several mistakes with a text each. */
type Variant =
  | "E_CODE_LIST.variations"
  | "E_CODE_SUSPECT.date"
  | "E_CODE_SUSPECT.exponent"
  | "E_CODE_SUSPECT.serial"
  | "E_CODE_SUSPECT.zeros"
  | "E_CELL_FORMAT.boolean"
  | "E_CELL_FORMAT.hidden"
  | "E_CELL_FORMAT.unknown"
  | "E_COLUMN_MISSING.code"
  | "E_COLUMN_UNSURE.because"
  | "E_COLUMN_UNSURE.expected"
  | "E_COLUMN_UNSURE.empty"
  | "E_COLUMN_UNSURE.parts"
  | "E_COLUMN_UNSURE.sellable"
  | "E_COLUMN_STORE.unsure"
  | "E_COLUMN_STORE.key"
  | "E_COLUMN_UNSURE.tax"
  | "E_DISCOUNT.list-needs-price"
  | "E_DISCOUNT.list-not-above"
  | "E_DISCOUNT.not-below-price"
  | "E_DISCOUNT.rate"
  | "E_DISCOUNT.rate-shown"
  | "E_DISCOUNT.two-ways"
  | "E_DISCOUNT.type-conflict"
  | "E_DISCOUNT.type-missing"
  | "E_DISCOUNT.value-missing"
  | "E_BRAND_UNKNOWN.unlike"
  | "E_CATEGORY_UNKNOWN.unlike"
  | "E_HEADER_CURRENCY.platform"
  | "E_HEADER_CURRENCY.stated"
  | "E_MAP_FIELD.unlike"
  | "E_MODEL_AMBIGUOUS.default"
  | "E_SET_FIELD.unlike"
  | "E_IMAGE_URL.blank"
  | "E_IMAGE_URL.http"
  | "E_IMAGE_URL.scheme"
  | "E_NOT_A_NUMBER.count"
  | "E_NOT_A_NUMBER.some"
  | "E_NOT_INTEGER.shown"
  | "E_NUMBER_MIXED.seen"
  | "E_NUMBER_TOO_LARGE.stock"
  | "E_PRICE_CURRENCY.shown"
  | "E_PRICE_CURRENCY.unknown"
  | "E_PRICE_PRECISION.shown"
  | "E_REQUIRED.listed"
  | "E_STOCK_STATE.contradicts"
  | "E_STOCK_STATE.shared"
  | "E_STOCK_STATE.untracked"
  | "E_TEMPLATE_AMBIGUOUS.default"
  | "E_TEMPLATE_UNKNOWN.default"
  | "E_VARIANT_PARENT.ambiguous"
  | "E_VARIANT_PARENT.apart"
  | "E_VARIANT_PARENT.broken"
  | "E_VARIANT_PARENT.many"
  | "E_WARRANTY.has-period"
  | "E_WARRANTY.no-period"
  | "W_SALE_PERIOD.future"
  | "W_SALE_PERIOD.over";

/** Names one text of the catalogs: a code, or a variant of a code that has several texts. */
export type TextKey = Exclude<IssueCode, "E_DISCOUNT" | "E_WARRANTY"> | Variant;

/** Texts of one key, with `{name}` where a parameter goes. */
interface IssueText {
  readonly message: string;
  /** Left out of an issue that lacks one of its parameters. */
  readonly suggestion?: string;
}

/** A catalog of one language; a key without a text does not compile. */
export type IssueTexts = Readonly<Record<TextKey, IssueText>>;

const CODES: ReadonlyMap<string, IssueCode> = new Map(ISSUE_CODES.map((code) => [code, code]));

/** The code that a text belongs to. */
export function codeOf(key: TextKey): IssueCode {
  const [name = ""] = key.split(".", 1);
  const code = CODES.get(name);
  if (code === undefined) throw new RangeError(`no code is named "${name}"`);
  return code;
}
