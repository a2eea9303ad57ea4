/** Reads the content of one cell, as its sheet displays it. */

import type { FieldKey } from "../columns/fields/field.ts";
import { FIELDS } from "../columns/fields/fields.ts";
import type { IssueLocation, Problem, Reading } from "../issues/issue.ts";
import type { CellDisplays } from "../values/cell-display.ts";
import type { KeywordReader } from "../values/keyword-reader.ts";
import { type Spelling, spellCell, type TextUse } from "../values/shown-text.ts";
import type { Cell, Layout, PropertyColumn } from "./layout.ts";
import { type CellTrait, type CellValue, cellText, type SourceRow } from "./source-row.ts";

/** A column, and how its cells are read. */
export interface ReadColumn {
  readonly column: PropertyColumn["column"];
  /** The field whose rules apply to its texts. */
  readonly field: string;
  /** `undefined` for a cell that is read as a number, or by a rule of its own. */
  readonly use: TextUse | undefined;
}

/** Fields that are sent as text; a model that is not listed is one. */
const TEXT_FIELDS: ReadonlySet<FieldKey> = new Set([
  "title",
  "sub_title",
  "description",
  "brand_model",
]);

const USES: ReadonlyMap<FieldKey, TextUse> = new Map(
  FIELDS.filter(({ key, kind }) => TEXT_FIELDS.has(key) || kind === "name" || kind === "words").map(
    ({ key }) => [key, TEXT_FIELDS.has(key) ? "text" : "list"],
  ),
);

/** How the text of a field is used. */
export const textUse = (field: FieldKey): TextUse | undefined => USES.get(field);

/**
 * Reads the cell of a column in a row; `undefined` where it is empty. Millions of cells are read,
 * and hardly one is reported, so that its location is made when it is asked for.
 */
export function readCell(
  layout: Layout,
  { column, field, use }: ReadColumn,
  { row, cells, traits, formats }: SourceRow,
): Cell | undefined {
  const { index } = column;
  const value = cells[index] ?? null;
  if (value === null || cellText(value) === "") return undefined;
  const trait = traits?.[index];
  const format = formats?.[index];
  const spelling = spell({ value, trait, format, use }, layout.displays);
  const { text, others, problem } = spelling;
  const shown = typeof value === "string" ? value : text;
  const target = problem === undefined ? findRule(layout, field, spelling) : undefined;
  return new SheetCell(
    {
      field,
      index,
      others,
      trait,
      format,
      problem,
      isRuled: target !== undefined,
      value: target ?? value,
      text: target ?? text,
    },
    { sheet: layout.sheet, column, row, shown },
  );
}

interface CellPlace {
  readonly sheet: string;
  readonly column: PropertyColumn["column"];
  readonly row: number;
  readonly shown: string;
}

class SheetCell implements Cell {
  readonly field: string;
  readonly isRuled: boolean;
  readonly index: number;
  readonly value: Cell["value"];
  readonly text: string;
  readonly others: readonly string[];
  readonly trait: CellTrait | undefined;
  readonly format: string | undefined;
  readonly problem: Problem | undefined;
  readonly #place: CellPlace;

  constructor(cell: Omit<Cell, "location">, place: CellPlace) {
    this.field = cell.field;
    this.isRuled = cell.isRuled;
    this.index = cell.index;
    this.value = cell.value;
    this.text = cell.text;
    this.others = cell.others;
    this.trait = cell.trait;
    this.format = cell.format;
    this.problem = cell.problem;
    this.#place = place;
  }

  get location(): IssueLocation {
    const { sheet, column, row, shown } = this.#place;
    const { letter, header } = column;
    return { sheet, row, column: header, cell: `${letter}${row}`, value: shown };
  }
}

interface OwnCell {
  readonly value: CellValue;
  readonly trait: CellTrait | undefined;
  readonly format: string | undefined;
  readonly use: TextUse | undefined;
}

const NO_OTHERS: readonly string[] = [];

function spell({ value, trait, format, use }: OwnCell, displays: CellDisplays): Spelling {
  const isPlainText = typeof value === "string" && format === undefined;
  const isBroken = trait === "date" || trait === "error";
  return isPlainText || isBroken || use === undefined
    ? { text: cellText(value), others: NO_OTHERS, problem: undefined }
    : spellCell({ value, format, use }, displays);
}

/** Finds the rule for the displayed text or for the stored text. */
function findRule(
  { rules }: Layout,
  field: string,
  { text, others }: Spelling,
): string | undefined {
  const target = rules.find(field, text);
  if (target !== undefined || others.length === 0) return target;
  return others.map((other) => rules.find(field, other)).find((found) => found !== undefined);
}

/** Reads a cell by a closed list of keywords, in the first of its spellings that is one. */
export function readWord<Value>(
  { text, others }: Pick<Cell, "text" | "others">,
  words: KeywordReader<Value>,
): Reading<Value> {
  const other = others.find((each) => words.find(each) !== undefined);
  return words.read(words.find(text) === undefined && other !== undefined ? other : text);
}
