/** Values that would correct a cell, for issues whose correction is one of a few values. */

import type { Localized } from "@catalog/i18n";

import { findField } from "../fields/fields.ts";
import { decodeCodes } from "../names/name-key.ts";
import { suggestKeywords } from "../values/keywords.ts";
import { formatMoney } from "../values/money.ts";
import { type ColumnNotation, type DecimalSign, rewriteDecimals } from "../values/numbers.ts";
import { completeImageAddress } from "../values/value-readers.ts";
import type { Issue } from "./issue.ts";

/** A text for the cell, in each language where its notation differs. */
type Fix = string | Localized;

/** The cell of an issue, and what is known of its row. */
interface IssueCell {
  readonly issue: Pick<Issue, "value"> & { readonly code: string };
  /** The field of its column; `undefined` for a property or an unknown column. */
  readonly field: string | undefined;
  /** The whole text of the cell. */
  readonly text: string;
  /** How the numbers of its column are written; `undefined` for a column of no numbers. */
  readonly notation?: ColumnNotation | undefined;
  /** The number format of the cell, where it has one. */
  readonly format?: string | undefined;
  /** Names of the store that the text may mean. */
  readonly choices: readonly string[];
  /** Codes that the row's code may have been meant to be. */
  readonly codes: readonly string[];
  /** The code of the row's product in the store, where only its leading zeros differ. */
  readonly codeWithZeros: string | undefined;
  /** A listed model that is near to the row's own. */
  readonly nearModel: string | undefined;
}

const MAX_FIXES = 8;

/** Finds the values, the likeliest first; an empty text empties the cell. */
export function proposeFixes(cell: IssueCell): readonly Fix[] {
  if (NAMED_WITH_LISTS.has(cell.issue.code)) return [];
  if (cell.choices.length > 0) return cell.choices;
  const fixes = PROPOSALS[cell.issue.code]?.(cell) ?? [];
  return fixes.slice(0, MAX_FIXES);
}

/** Which category the row's brand belongs to is looked up where names are listed, and not for each cell. */
const NAMED_WITH_LISTS: ReadonlySet<string> = new Set(["E_CATEGORY_AMBIGUOUS"]);

type Propose = (cell: IssueCell) => readonly Fix[];

const empty: Propose = () => [""];

const PROPOSALS: Readonly<Record<string, Propose>> = {
  E_CELL_FORMAT: keepDigits,
  E_CLEAR: empty,
  E_CLEAR_REQUIRED: empty,
  E_CODE_SUSPECT: ({ codes }) => codes,
  E_DISCOUNT: (cell) => (cell.text !== "" && EMPTIED.has(cell.field ?? "") ? [""] : []),
  E_ID_CODE_MISMATCH: ({ codeWithZeros: code }) => toList(code),
  E_IMAGE_URL: (cell) => replacePart(cell, completeImageAddress(cell.issue.value)),
  E_NOT_INTEGER: (cell) => readBothWays(cell).slice(0, 1),
  E_NUMBER_AMBIGUOUS: readBothWays,
  E_NUMBER_MIXED: ({ text, notation }) =>
    notation?.decimal === undefined ? [] : [rewriteDecimals(text.trim(), notation.decimal)],
  E_PRICE_PRECISION: roundBothWays,
  E_REQUIRED: ({ field }) => listWords(field, ""),
  E_STOCK_NEGATIVE: () => ["0"],
  E_VALUE_UNKNOWN: ({ field, issue }) => listWords(field, issue.value),
  E_WARRANTY: ({ field, issue }) => proposePeriods(field, issue.value),
  W_IMAGE_TWICE: ({ text, issue }) => (text.trim() === issue.value ? [""] : []),
  W_MODEL_UNKNOWN: ({ nearModel }) => toList(nearModel),
  W_TEXT_CODES: (cell) => replacePart(cell, decodeCodes(cell.issue.value)),
};

/** A row without a discount has none of these. */
const EMPTIED: ReadonlySet<string> = new Set(["list_price", "discount_type"]);

const toList = (value: string | undefined): readonly string[] =>
  value === undefined ? [] : [value];

const toFix = ({ tr, en }: Localized): Fix => (tr === en ? tr : { tr, en });

const listWords = (field: string | undefined, text: string): readonly Fix[] =>
  suggestKeywords(findField(field ?? "")?.keywords ?? [], text).map(toFix);

function replacePart({ text, issue }: IssueCell, part: string | undefined): readonly string[] {
  const isChanged = part !== undefined && part !== issue.value && text.includes(issue.value);
  return isChanged ? [text.replace(issue.value, () => part)] : [];
}

/** No warranty has a period of 0, and any other has not. */
function proposePeriods(field: string | undefined, value: string): readonly Fix[] {
  if (field !== "warranty_period") return [];
  const words = findField(field)?.keywords ?? [];
  const isNone = /^0(?!\d)/u.test(value.trim());
  return words.filter((word) => (word.value === 0) !== isNone).map(toFix);
}

const ONE_SIGN = /^(?<before>[^\d.,]*)(?<whole>\d{1,3})[.,](?<rest>\d{3})(?<after>[^\d.,]*)$/u;

/** A sign before three digits divides thousands, or decimals where they may be some. */
function readBothWays({ text, field, notation }: IssueCell): readonly Fix[] {
  const { before = "", whole = "", rest = "", after = "" } = ONE_SIGN.exec(text)?.groups ?? {};
  if (whole === "") return [];
  const thousands = whole.startsWith("0") ? [] : [`${whole}${rest}`];
  if (field === "stock" || isOpen(notation)) {
    const counts = field === "stock" ? readNoDecimals(whole, rest) : [];
    return [...thousands, ...counts].map((digits) => `${before}${digits}${after}`);
  }
  const amounts = [...thousands.map((digits) => Number(digits) * CENTS), ...readCents(whole, rest)];
  return amounts.map((minor) =>
    writeAmount(notation, (sign) => `${before}${formatMoney(minor, sign)}${after}`),
  );
}

/** A stock has no decimals but zeros. */
const readNoDecimals = (whole: string, rest: string): readonly string[] =>
  rest === "000" ? [whole] : [];

/** Two decimals and a zero. */
const readCents = (whole: string, rest: string): readonly number[] =>
  rest.endsWith("0") ? [Number(`${whole}${rest.slice(0, 2)}`)] : [];

const CENTS = 100;

/** A column with as many of both signs takes neither. */
const isOpen = (notation: ColumnNotation | undefined): boolean =>
  notation?.isMixed === true && notation.decimal === undefined;

/** An amount as the column writes it, or as the language does where the column does not show it. */
function writeAmount(
  notation: ColumnNotation | undefined,
  write: (sign: DecimalSign) => string,
): Fix {
  if (notation?.decimal !== undefined) return write(notation.decimal);
  return toFix({ tr: write("comma"), en: write("point") });
}

const WHOLE = /^[1-9]\d{0,14}$/u;

/** A format with an exponent only shortens a whole number, of which Excel keeps 15 digits. */
function keepDigits({ text, format }: IssueCell): readonly string[] {
  return /E[+-]/iu.test(format ?? "") && WHOLE.test(text) ? [text] : [];
}

const LONG_DECIMALS = /^(?<whole>\d{1,12})[.,](?<cents>\d{2})(?<rest>\d{1,30})$/u;

/** The price with two decimals, rounded down and up; the nearer one comes first. */
function roundBothWays({ text, notation }: IssueCell): readonly Fix[] {
  const { whole, cents, rest = "" } = LONG_DECIMALS.exec(text.trim())?.groups ?? {};
  if (whole === undefined || cents === undefined) return [];
  const down = Number(whole) * CENTS + Number(cents);
  const both = Number(rest.at(0)) >= 5 ? [down + 1, down] : [down, down + 1];
  // Three digits behind one sign may as well be a group of thousands.
  const [, thousands, group] = /^([1-9]\d{0,2})[.,](\d{3})$/u.exec(text.trim()) ?? [];
  const all = thousands === undefined ? both : [Number(`${thousands}${group}`) * CENTS, ...both];
  return all
    .filter((minor) => minor > 0)
    .map((minor) => writeAmount(notation, (sign) => formatMoney(minor, sign)));
}
