/** Converts number styles of OpenDocument files to the codes that Excel stores. */

import { parseAttributes } from "../xlsx/read/xml/xml-scanner.ts";

type Attributes = ReadonlyMap<string, string>;

/** Receives the elements of one number style, in their order. */
export interface NumberCodeBuilder {
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

export function createNumberCode(styleElement: string): NumberCodeBuilder {
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
