/** Reads the content of one cell, as its sheet displays it. */

import type { IssueLocation, Problem, Reading } from "../issues/issue.ts";
import type { CellDisplays } from "../values/cell-display.ts";
import type { KeywordReader } from "../values/keyword-reader.ts";
import { type Spelling, spellCell, type TextUse } from "../values/shown-text.ts";
import type { Cell, Layout, ReadColumn } from "./layout.ts";
import {
  type CellTrait,
  type CellValue,
  cellText,
  type JoinedCell,
  type SourceRow,
} from "./source-row.ts";

/**
 * Reads the cell of a column in a row; `undefined` where it is empty. Millions of cells are read,
 * and hardly one is reported, so that its location is made when it is asked for.
 */
export function readCell(layout: Layout, at: ReadColumn, row: SourceRow): Cell | undefined {
  const { field, use } = at;
  const source = cellAt(row, at.column.index);
  const { value, trait, format } = source;
  if (value === null || cellText(value) === "") return undefined;
  const spelling = spell({ value, trait, format, use }, layout.displays);
  const target = spelling.problem === undefined ? findRule(layout, field, spelling) : undefined;
  return new SheetCell({ layout, at, source, value, spelling, target });
}

/** The cell of another row of the product, where the row takes it; else the row's own cell. */
export function cellAt(
  { row, cells, traits, formats, joined }: SourceRow,
  index: number,
): JoinedCell {
  const taken = joined?.cells?.[index];
  if (taken !== undefined) return taken;
  return { row, value: cells[index] ?? null, trait: traits?.[index], format: formats?.[index] };
}

interface CellContent {
  readonly layout: Pick<Layout, "sheet">;
  readonly at: Pick<ReadColumn, "column" | "field">;
  readonly source: Pick<JoinedCell, "row" | "trait" | "format">;
  readonly value: Exclude<CellValue, null>;
  readonly spelling: Spelling;
  /** The text that a rule gives instead. */
  readonly target: string | undefined;
}

class SheetCell implements Cell {
  readonly value: Cell["value"];
  readonly text: string;
  readonly #content: CellContent;

  constructor(content: CellContent) {
    const { value, spelling, target } = content;
    this.value = target ?? value;
    this.text = target ?? spelling.text;
    this.#content = content;
  }

  get field(): string {
    return this.#content.at.field;
  }

  get index(): number {
    return this.#content.at.column.index;
  }

  get isRuled(): boolean {
    return this.#content.target !== undefined;
  }

  get others(): readonly string[] {
    return this.#content.spelling.others;
  }

  get trait(): CellTrait | undefined {
    return this.#content.source.trait;
  }

  get format(): string | undefined {
    return this.#content.source.format;
  }

  get problem(): Problem | undefined {
    return this.#content.spelling.problem;
  }

  get location(): IssueLocation {
    const { layout, at, source, value, spelling } = this.#content;
    const { letter, header } = at.column;
    const { row } = source;
    const shown = typeof value === "string" ? value : spelling.text;
    return { sheet: layout.sheet, row, column: header, cell: `${letter}${row}`, value: shown };
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
