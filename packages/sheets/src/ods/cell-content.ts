/** The cells of an OpenDocument table: text, value and number format. */

import {
  formatNumber,
  type NumberFormat,
  parseNumberFormat,
  type ReadCell,
  serialToIso,
} from "../xlsx/read/cell-value.ts";
import { parseAttributes } from "../xlsx/read/xml-scanner.ts";

/** Receives the elements in a cell. */
interface CellText {
  begin(): void;
  open(name: string, source: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Undefined where there was no paragraph. */
  end(): string | undefined;
}

/** Maximum number of repeated blanks; the text is cut there and refused for its length. */
const MAX_BLANKS = 40_000;

export function createCellText(): CellText {
  let paragraphs: string[] = [];
  let current: string | undefined;
  let inner = 0;

  const add = (piece: string): void => {
    if (current !== undefined) current += piece;
  };
  const openers: Readonly<Record<string, (source: string) => void>> = {
    s(source) {
      const blanks = Number(parseAttributes(source).get("c") ?? 1);
      add(KEPT_BLANK.repeat(Math.min(Math.max(blanks || 1, 1), MAX_BLANKS)));
    },
    tab: () => add("\t"),
    "line-break": () => add("\n"),
  };
  return {
    begin() {
      paragraphs = [];
      current = undefined;
      inner = 0;
    },
    open(name, source) {
      if (name === "p" || name === "h") {
        inner += 1;
        if (inner === 1) current = "";
      } else openers[name]?.(source);
    },
    // Line ends and tabs belong to the layout of the XML; real ones are elements. Runs of blanks are
    // kept as LibreOffice keeps them, although OpenDocument joins them.
    text: (piece) =>
      add(LINE.test(piece) ? piece.replaceAll(/(?:(?<! ) +)?[\t\r\n][ \t\r\n]*/g, LAYOUT) : piece),
    close(name) {
      if (name !== "p" && name !== "h") return;
      inner -= 1;
      if (inner > 0 || current === undefined) return;
      paragraphs.push(withoutLayout(current));
      current = undefined;
    },
    end: () => (paragraphs.length === 0 ? undefined : paragraphs.join("\n")),
  };
}

/**
 * Placeholder for a blank of an element until those of the layout are removed; XML cannot contain
 * it.
 */
const KEPT_BLANK = "\uffff";
/** Placeholder for a line end of the layout. */
const LAYOUT = "\ufffe";

const LINE = /[\t\r\n]/;

/** Most texts have neither; the patterns that look behind them take most of the time otherwise. */
const HAS_LAYOUT = /[\ufffe\uffff]|^ | $/;

const withoutLayout = (text: string): string =>
  HAS_LAYOUT.test(text)
    ? text
        .replaceAll(/(?:(?<! ) +)?\ufffe[ \ufffe]*/g, " ")
        .replaceAll(/^ +|(?<! ) +$/g, "")
        .replaceAll(KEPT_BLANK, " ")
    : text;

type Attributes = ReadonlyMap<string, string>;

/** Receives the elements of one number style, in their order. */
interface NumberCodeBuilder {
  /** An element and its attributes. */
  open(name: string, source: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Returns the code; `codeOf` resolves the styles that this one names for some values. */
  code(codeOf: (style: string) => string | undefined): string;
}

/** Elements of a number style whose text counts. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  "text",
  "currency-symbol",
  "embedded-text",
  "fill-character",
]);

/** Elements of dates and times, whose display does not matter here. */
const DATE_ELEMENTS: ReadonlySet<string> = new Set([
  "day",
  "month",
  "year",
  "era",
  "day-of-week",
  "week-of-year",
  "quarter",
  "hours",
  "minutes",
  "seconds",
  "am-pm",
]);

const DATE_CODE = "yyyy-mm-dd";

interface Embedded {
  /** Number of digits that follow it. */
  readonly position: number;
  readonly text: string;
}

interface Section {
  readonly condition: string;
  readonly style: string;
}

function createNumberCode(styleElement: string): NumberCodeBuilder {
  const isPercentage = styleElement === "percentage-style";
  const sections: Section[] = [];
  let code = "";
  let text = "";
  let number: Attributes | undefined;
  let embedded: Embedded[] = [];
  let position = 0;

  const closers: Readonly<Record<string, () => void>> = {
    text: () => (code += isPercentage ? text.split("%").map(quote).join("%") : quote(text)),
    // An empty one is the sign that Excel writes without quotes.
    "currency-symbol": () => (code += `[$${text.replaceAll(/[[\]]/g, "") || "$"}]`),
    "fill-character": () => (code += text === "" ? "" : `*${text.slice(0, 1)}`),
    "embedded-text": () => embedded.push({ position, text }),
    number: () => (code += numberCode(number ?? new Map(), embedded)),
    "scientific-number": () => (code += scientificCode(number ?? new Map())),
    fraction: () => (code += "# ?/?"),
    "text-content": () => (code += "@"),
    // A formula with such a result is stored as the number 1 or 0.
    boolean: () => (code += '"TRUE";"TRUE";"FALSE"'),
  };
  return {
    open(name, source) {
      const attributes = parseAttributes(source);
      if (TEXT_ELEMENTS.has(name)) text = "";
      if (DATE_ELEMENTS.has(name)) code = DATE_CODE;
      if (name === "embedded-text") position = Number(attributes.get("position") ?? 0);
      if (name === "number" || name === "scientific-number") {
        number = attributes;
        embedded = [];
      }
      if (name !== "map") return;
      const condition = attributes.get("condition") ?? "";
      sections.push({ condition, style: attributes.get("apply-style-name") ?? "" });
    },
    text: (piece) => (text += piece),
    close: (name) => closers[name]?.(),
    code: (codeOf) => (code === DATE_CODE ? code : withSections(code, sections, codeOf)),
  };
}

/** Quotes a text; a quote itself can only be escaped. */
const quote = (text: string): string =>
  text
    .split('"')
    .map((part) => (part === "" ? "" : `"${part}"`))
    .join('\\"');

/** Maximum number of digits; a file may ask for millions, which no program displays. */
const MAX_DIGITS = 127;

const count = (attributes: Attributes, name: string): number =>
  Math.min(Number(attributes.get(name) ?? 0), MAX_DIGITS);

function numberCode(attributes: Attributes, embedded: readonly Embedded[]): string {
  const minDigits = count(attributes, "min-integer-digits");
  const isGeneral = !attributes.has("decimal-places") && minDigits <= 1 && embedded.length === 0;
  if (isGeneral && attributes.get("grouping") !== "true") return "General";
  const digits = Math.max(minDigits, 1, ...embedded.map(({ position }) => position));
  const integer = "0".repeat(minDigits).padStart(digits, "#");
  const isGrouped = attributes.get("grouping") === "true";
  const whole = insertTexts(isGrouped ? group(integer) : integer, embedded);
  return whole + decimalsCode(attributes) + scaleCode(attributes);
}

/** Groups a code: `0` becomes `#,##0`. */
function group(digits: string): string {
  const signs = digits.padStart(4, "#").split("");
  return signs
    .map((sign, at) => (at > 0 && (signs.length - at) % 3 === 0 ? `,${sign}` : sign))
    .join("");
}

/** Inserts each text before its number of digits. */
function insertTexts(integer: string, embedded: readonly Embedded[]): string {
  let code = "";
  let digits = 0;
  for (const sign of integer.split("").toReversed()) {
    code = sign + code;
    if (sign === ",") continue;
    digits += 1;
    const found = embedded.find(({ position }) => position === digits);
    if (found !== undefined) code = quote(found.text) + code;
  }
  return code;
}

function decimalsCode(attributes: Attributes): string {
  const places = count(attributes, "decimal-places");
  if (places === 0) return "";
  const isOptional = attributes.get("decimal-replacement") === "";
  const certain = attributes.has("min-decimal-places")
    ? count(attributes, "min-decimal-places")
    : places;
  const zeros = isOptional ? 0 : Math.min(certain, places);
  return `.${"0".repeat(zeros)}${"#".repeat(places - zeros)}`;
}

/** A comma behind the digits divides by a thousand. */
function scaleCode(attributes: Attributes): string {
  const factor = count(attributes, "display-factor") || 1;
  return ",".repeat(Math.max(0, Math.round(Math.log10(factor) / 3)));
}

function scientificCode(attributes: Attributes): string {
  const decimals = "0".repeat(count(attributes, "decimal-places"));
  const exponent = "0".repeat(count(attributes, "min-exponent-digits") || 2);
  return `0${decimals === "" ? "" : `.${decimals}`}E+${exponent}`;
}

const CONDITION = /^value\(\)\s*(<=|>=|!=|<|>|=)\s*(-?[\d.]+)$/;
/** Conditions that the sections of a code have by their position. */
const BY_POSITION: ReadonlySet<string> = new Set([">=0", ">0 <0", ">0 <0 =0"]);

/** Puts the codes of other styles for some values before the style's own. */
function withSections(
  own: string,
  sections: readonly Section[],
  codeOf: (style: string) => string | undefined,
): string {
  if (sections.length === 0) return own;
  const conditions = sections.map(({ condition }) => {
    const [, operator = "", operand = ""] = CONDITION.exec(condition) ?? [];
    return `${operator === "!=" ? "<>" : operator}${operand}`;
  });
  const codes = sections.map(({ style }) => codeOf(style) ?? "");
  const isByPosition = BY_POSITION.has(conditions.join(" "));
  const parts = codes.map((code, index) => (isByPosition ? code : `[${conditions[index]}]${code}`));
  return [...parts, own].join(";");
}

const NUMBER_STYLES: ReadonlySet<string> = new Set([
  "number-style",
  "currency-style",
  "percentage-style",
  "date-style",
  "time-style",
  "boolean-style",
  "text-style",
]);

interface CellStyle {
  readonly parent: string | undefined;
  readonly code: string | undefined;
}

/** Collects styles in the order of the document. */
export interface CellStyles {
  open(name: string, source: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Undefined for a style without a number format. */
  find(style: string): NumberFormat | undefined;
  /** Whether tables of this style are hidden. */
  hidesTable(style: string): boolean;
}

/** Maximum depth of parent styles, which also ends a cycle. */
const MAX_PARENTS = 20;

/** Makes the styles of a document; those of `common` are included. */
export function createCellStyles(common?: CellStyleSource): CellStyles & CellStyleSource {
  const codes = new Map(common?.codes);
  const styles = new Map(common?.styles);
  const hiddenTables = new Set<string>();
  const formats = new Map<string, NumberFormat | undefined>();
  let number: { readonly name: string; readonly builder: NumberCodeBuilder } | undefined;
  let current = "";

  const open = (name: string, source: string): void => {
    if (NUMBER_STYLES.has(name)) {
      const style = parseAttributes(source).get("name") ?? "";
      number = { name: style, builder: createNumberCode(name) };
    } else if (number !== undefined) number.builder.open(name, source);
    else if (name === "style") {
      const attributes = parseAttributes(source);
      current = attributes.get("name") ?? "";
      const data = attributes.get("data-style-name");
      if (attributes.get("family") !== "table-cell") return;
      const code = data === undefined ? undefined : codes.get(data);
      styles.set(current, { parent: attributes.get("parent-style-name"), code });
    } else if (name === "table-properties") {
      if (parseAttributes(source).get("display") === "false") hiddenTables.add(current);
    }
  };
  return {
    codes,
    styles,
    open,
    text: (text) => number?.builder.text(text),
    close(name) {
      if (number === undefined) return;
      number.builder.close(name);
      if (!NUMBER_STYLES.has(name)) return;
      codes.set(
        number.name,
        number.builder.code((style) => codes.get(style)),
      );
      number = undefined;
    },
    find(style) {
      if (!formats.has(style)) formats.set(style, findFormat(styles, style));
      return formats.get(style);
    },
    hidesTable: (style) => hiddenTables.has(style),
  };
}

function findFormat(
  styles: ReadonlyMap<string, CellStyle>,
  style: string,
): NumberFormat | undefined {
  let at: string | undefined = style;
  for (let steps = 0; at !== undefined && steps < MAX_PARENTS; steps += 1) {
    const found = styles.get(at);
    if (found?.code !== undefined) return parseNumberFormat(found.code);
    at = found?.parent;
  }
  return undefined;
}

/** The styles of one document as another one uses them. */
interface CellStyleSource {
  readonly codes: ReadonlyMap<string, string>;
  readonly styles: ReadonlyMap<string, CellStyle>;
}

/** The opening tag of a cell. */
export interface OdsCell {
  readonly attributes: ReadonlyMap<string, string>;
  readonly isError: boolean;
}

/** A second set of attributes, whose names equal those of the first but mean other things. */
const OWN_ATTRIBUTES = /\scalcext:[\w-]+\s*=\s*(?:"[^"]*"|'[^']*')/g;
const IS_ERROR = /\scalcext:value-type\s*=\s*["']error["']/;

export const parseOdsCell = (source: string): OdsCell => ({
  attributes: parseAttributes(
    source.includes("calcext:") ? source.replaceAll(OWN_ATTRIBUTES, "") : source,
  ),
  isError: IS_ERROR.test(source),
});

/** Texts of errors in cells whose type does not say so. */
const ERROR_TEXT = /^(?:#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!)|Err:\d{3})$/;

/**
 * Reads a cell; `undefined` for an empty one. `text` is undefined where the cell has no paragraph.
 */
export function toOdsCell(
  cell: OdsCell,
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  const { attributes } = cell;
  const shown = text ?? "";
  if (isErrorCell(cell, shown)) return { value: shown === "" ? "#ERROR" : shown, trait: "error" };
  const read = readTyped(attributes, text, format);
  return attributes.has("formula") && read !== "wrong" ? asFormula(read, text) : read;
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(["float", "percentage", "currency"]);

/** Whether a cell is an error; older programs store a failed formula as the number 0. */
const isErrorCell = ({ attributes, isError }: OdsCell, shown: string): boolean =>
  isError || (NUMBER_TYPES.has(attributes.get("value-type") ?? "") && ERROR_TEXT.test(shown));

/** A formula without a result is kept; one whose result is empty text is an empty cell. */
function asFormula(read: ReadCell | undefined, text: string | undefined): ReadCell | undefined {
  if (read === undefined) return text === undefined ? { value: null, trait: "formula" } : undefined;
  return read.trait === undefined ? { ...read, trait: "formula" } : read;
}

function readTyped(
  attributes: Attributes,
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  const type = attributes.get("value-type") ?? "string";
  if (NUMBER_TYPES.has(type)) return readNumber(attributes, text, format);
  const given = attributes.get(`${type}-value`) ?? text;
  if (type === "boolean") return { value: given === "true" };
  if (type === "date") return readDate(given);
  return type === "time" ? readTime(given) : readText(given, format);
}

function readDate(date: string | undefined): ReadCell | undefined {
  if (date === undefined || date === "") return undefined;
  const value = date.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace(/\.\d+$/, "");
  return { value, trait: "date" };
}

function readText(
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | undefined {
  return text === undefined || text === "" ? undefined : { value: text, format: format?.textCode };
}

/**
 * Whether a formula's result is a truth value, which is stored as a number and displayed as a word.
 */
const isLogical = (value: number, shown = ""): boolean =>
  (value === 0 || value === 1) && /^\p{L}+$/u.test(shown);

function readNumber(
  attributes: Attributes,
  text: string | undefined,
  format: NumberFormat | undefined,
): ReadCell | "wrong" | undefined {
  const source = attributes.get("value")?.trim();
  if (source === undefined || source === "") return readText(text, undefined);
  const value = Number(source);
  if (!Number.isFinite(value) || /[xbo]/i.test(source)) return "wrong";
  if (format?.code === undefined && isLogical(value, text)) return { value: value === 1 };
  return formatNumber(value, ownFormat(attributes, value, format), false);
}

/** The format by the type of a cell, where it has no style. */
function ownFormat(
  attributes: Attributes,
  value: number,
  format: NumberFormat | undefined,
): NumberFormat | undefined {
  if (format?.code !== undefined) return format;
  const currency = attributes.get("currency");
  if (currency !== undefined) return parseNumberFormat(`General" ${currency.replaceAll('"', "")}"`);
  if (attributes.get("value-type") !== "percentage") return format;
  const percent = Number((value * 100).toPrecision(12));
  const decimals = String(percent).split(".")[1]?.length ?? 0;
  return parseNumberFormat(decimals === 0 ? "0%" : `0.${"0".repeat(decimals)}%`);
}

const DURATION = /^P(?:(\d+)D)?T(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/;
const SECONDS_A_DAY = 86_400;

function readTime(source: string | undefined): ReadCell | undefined {
  if (source === undefined || source === "") return undefined;
  const [, days = "0", hours, minutes, seconds] = DURATION.exec(source) ?? [];
  if (hours === undefined) return { value: source, trait: "date" };
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { value: serialToIso(Number(days) + time / SECONDS_A_DAY, false), trait: "date" };
}
