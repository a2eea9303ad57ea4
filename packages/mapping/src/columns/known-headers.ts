/** Counts known headers, by which the header row of a sheet is found. */

import { cellText, type CellValue } from "../rows/source-row.ts";
import { headerKey } from "./header-key.ts";
import { createHeaderMatcher, type HeaderMatch } from "./header-matcher.ts";
import { readKeyRow } from "./key-row.ts";

/** Number of known headers among the cells of a row. */
export type KnownHeaderCount = (cells: readonly CellValue[]) => number;

/**
 * Creates the count. `named` are headers for which a person has named a field. The row of machine
 * keys below our own headers counts none.
 */
export function createKnownHeaderCount(named: Iterable<string> = []): KnownHeaderCount {
  const matcher = createHeaderMatcher();
  const headers = new Set([...named].map((header) => headerKey(header)));
  const isKnown = (text: string): boolean =>
    text.length <= MAX_CHARS && (headers.has(headerKey(text)) || isUseful(matcher.find(text)));
  return (cells) => {
    if (readKeyRow(cells) !== undefined) return 0;
    const texts = cells.filter((cell) => typeof cell === "string").map((cell) => cellText(cell));
    return new Set(texts.filter((text) => text !== "" && isKnown(text))).size;
  };
}

/** Maximum length of a header; longer texts are descriptions. */
const MAX_CHARS = 100;

/** A column that only a guess or a question leads to does not count. */
const isUseful = (match: HeaderMatch | undefined): boolean =>
  match !== undefined && match.target.kind !== "unknown";
