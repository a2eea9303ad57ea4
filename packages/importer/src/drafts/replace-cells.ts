/** Finds and replaces a text in the cells of a draft; case and the Turkish i do not count. */

import { fold } from "@catalog/mapping";

import { cellToText, type DraftSheet } from "./draft-source.ts";
import type { CellEdit } from "./edit-draft.ts";
import { createTextFold } from "./fold-text.ts";
import type { DraftRepository } from "./stored-draft.ts";

/** What is replaced by what. */
export interface ReplaceOptions {
  readonly find: string;
  readonly replace: string;
  /** @default every column */
  readonly columns?: readonly number[] | undefined;
  /** Whether a cell must equal the text. @default false */
  readonly isWholeCell?: boolean | undefined;
}

/** A cell in which the text is replaced. */
export interface Replacement extends CellEdit {
  readonly before: string;
}

const BATCH_ROWS = 500;

/** Finds the cells; reading ends with the cell after `limit`. */
export async function* findReplacements(
  drafts: Pick<DraftRepository, "order" | "readRowsAt">,
  sheet: DraftSheet,
  options: ReplaceOptions,
): AsyncGenerator<Replacement> {
  const columns = options.columns && new Set(options.columns);
  const replaceIn = createTextReplacement(options);
  // Of a text with letters, the folded texts of the rows hold its folded form.
  const folded = /[\p{L}\p{N}]/u.test(options.find) ? createTextFold()(options.find) : undefined;
  const numbers = await drafts.order(sheet.draft, { folded });
  for (let at = 0; at < numbers.length; at += BATCH_ROWS) {
    const batch = Array.from(numbers.subarray(at, at + BATCH_ROWS));
    for (const row of await drafts.readRowsAt(sheet.draft, batch)) {
      for (const [column, cell] of sheet.effective(row).cells.entries()) {
        if (cell === null || columns?.has(column) === false) continue;
        const before = cellToText(cell);
        const value = replaceIn(before);
        if (value !== before) yield { row: row.row, column, before, value };
      }
    }
  }
}

/** Creates the replacement in one text; its time grows with the length of the text. */
export function createTextReplacement({
  find,
  replace,
  isWholeCell = false,
}: ReplaceOptions): (text: string) => string {
  const signs = createSigns();
  const wanted = signs(find).folded;
  return (text) => {
    const { folded, starts } = signs(text);
    if (wanted === "") return text;
    if (isWholeCell) return folded === wanted ? replace : text;
    let result = "";
    let done = 0;
    for (let at = folded.indexOf(wanted); at !== -1;) {
      const [start, end] = [starts[at] ?? 0, starts[at + wanted.length] ?? text.length];
      result += text.slice(done, start) + replace;
      done = end;
      at = folded.indexOf(wanted, at + wanted.length);
    }
    return done === 0 ? text : result + text.slice(done);
  };
}

interface FoldedText {
  readonly folded: string;
  /** Where the sign of each place in the folded text begins in the text. */
  readonly starts: readonly number[];
}

/** A space finds every space of a line, but no line break: replacing it would glue lines together. */
const foldOne = (sign: string): string => {
  if (/[\n\r\v\f\u0085\u2028\u2029]/u.test(sign)) return sign;
  return /\s/u.test(sign) ? " " : fold(sign);
};

/** Folds sign by sign, so that places in the text are known; signs that are no letters stay. */
function createSigns(): (text: string) => FoldedText {
  const known = new Map<string, string>();
  const foldSign = (sign: string): string => {
    const found = known.get(sign) ?? foldOne(sign);
    known.set(sign, found);
    return found;
  };
  return (text) => {
    const starts: number[] = [];
    let folded = "";
    let at = 0;
    for (const sign of text) {
      const one = foldSign(sign);
      for (let index = 0; index < one.length; index += 1) starts.push(at);
      folded += one;
      at += sign.length;
    }
    return { folded, starts: [...starts, text.length] };
  };
}
