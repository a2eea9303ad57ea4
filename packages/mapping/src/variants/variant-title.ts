/** Titles of variants: the product's title and the options, by a pattern. */

import { fold, trimText } from "../fold.ts";
import type { Cell } from "../rows/layout.ts";
import { readCell } from "../rows/read-cell.ts";
import { refuseBroken, type RowWork } from "../rows/row-work.ts";
import { cellText } from "../rows/source-row.ts";

/** The pattern of titles where none is given. */
export const DEFAULT_TITLE_PATTERN = "{title} {options}";

const PLACE = /\{(\w+)\}/gu;
const KNOWN_PLACE = /^(?:title|options|option[1-9])$/u;

/**
 * Makes the title of a variant of the product's title and its options. `{options}` stands for all
 * options with blanks between, `{option1}` for the first.
 */
export type VariantTitles = (title: string, options: readonly string[]) => string;

/** The names in a pattern that stand for nothing; a pattern must have none. */
export const findUnknownPlaces = (pattern: string): readonly string[] =>
  [...pattern.matchAll(PLACE)]
    .map(([, name = ""]) => name)
    .filter((name) => !KNOWN_PLACE.test(name));

/** Signs that divided an option from its neighbour and have nothing to divide any more. */
const EMPTY_BRACKETS = /\(\s*\)|\[\s*\]/gu;
const RUN_OF_DIVIDERS = /(?<![\s\-–/,|·:])[\s\-–/,|·:]+/gu;
const DIVIDER_BEFORE_BLANK = /[-–/,|·:](?=\s)/gu;
/** Signs that divide only where a blank stands before them; a comma always does. */
const SPACED_DIVIDERS: ReadonlySet<string | undefined> = new Set("-–/|·:");

/** Stands for a value while the signs of the pattern are tidied, which leaves values as they are. */
const VALUE = "\ufffe";

/** A title without options is left as it is. */
export function createVariantTitles(pattern: string = DEFAULT_TITLE_PATTERN): VariantTitles {
  return (title, options) => {
    if (options.every((option) => option === "")) return title;
    const values: string[] = [];
    const filled = pattern.replaceAll(PLACE, (_, name: string) => {
      const value = valueOf(name, title, options);
      if (value === "") return "";
      values.push(value);
      return VALUE;
    });
    const isWhole = options.every((option) => option !== "");
    const parts = (isWhole ? filled : dropDividers(filled)).split(VALUE);
    const whole = parts.map((part, index) => part + (values[index] ?? "")).join("");
    return trimText(whole.replaceAll(/\s+/gu, " "));
  };
}

function valueOf(name: string, title: string, options: readonly string[]): string {
  if (name === "title") return title;
  if (name === "options") return options.filter((option) => option !== "").join(" ");
  return options[Number(name.slice(-1)) - 1] ?? "";
}

const dropDividers = (title: string): string =>
  dropLast(
    title.replaceAll(EMPTY_BRACKETS, "").replaceAll(RUN_OF_DIVIDERS, (run) => dropRepeated(run)),
  );

/** Keeps the first of several dividers, up to the last one that a blank follows. */
function dropRepeated(run: string): string {
  const last = [...run.matchAll(DIVIDER_BEFORE_BLANK)].at(-1)?.index;
  if (last === undefined) return run;
  const repeated = run.slice(0, last + 1);
  const isOne = repeated.replaceAll(/\s/gu, "").length === 1;
  return isOne ? run : repeated.slice(0, 2) + run.slice(last + 1);
}

function dropLast(title: string): string {
  let left = title.trimEnd();
  for (;;) {
    const before = left.slice(0, -1);
    const isSpaced = SPACED_DIVIDERS.has(left.at(-1)) && before !== before.trimEnd();
    if (!isSpaced && !left.endsWith(",")) return left;
    left = before.trimEnd();
  }
}

/** The title of a row; a variant whose own title says its options keeps it. */
export function toVariantTitle(work: RowWork, title: Cell, titles: VariantTitles): string {
  const { source, layout } = work;
  const { variants } = layout;
  if (source.joined?.role !== "variant" || variants === undefined) return title.text;
  const isOwn = source.joined.cells?.[title.index] === undefined;
  if (isOwn && variants.rows.kind === "referring") return title.text;
  const options = readOptions(work).map((option) =>
    variants.rows.kind === "whole" && hasWords(title.text, option) ? "" : option,
  );
  const named = cellText(source.cells[title.index]);
  const isNamed = variants.rows.kind === "referring" && options.every((option) => option === "");
  return titles(title.text, isNamed && named !== title.text ? [named] : options);
}

const toWords = (text: string): string =>
  ` ${fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/** Whether a title says an option already, as shops name rows that are products by themselves. */
const hasWords = (title: string, option: string): boolean =>
  option !== "" && toWords(title).includes(toWords(option));

/** The options of a row as its sheet displays them; an empty text for one that is not given. */
function readOptions(work: RowWork): readonly string[] {
  const { layout, source } = work;
  const { options = [], noOption } = layout.variants ?? {};
  return options.map((index) => {
    const column = layout.mapping.columns[index];
    const cell = column && readCell(layout, { column, field: "", use: "text" }, source);
    if (cell === undefined || cell.text === noOption || refuseBroken(cell, work)) return "";
    return cell.text;
  });
}
