/** Finds the likely target of every column, before columns for one field are compared. */

import { createPlatformMatcher, type PlatformMatcher } from "../platforms/platform-matcher.ts";
import type { PlatformProfile } from "../platforms/platform.ts";
import type { ColumnCells } from "./column-cells.ts";
import { keepStated, restoreDoubts } from "./column-overrides.ts";
import { resolveLoneCurrency } from "./currency-column.ts";
import { RANK } from "./fields/field.ts";
import { resolveTradeHeaders } from "./fields/trade-headers.ts";
import { createHeaderMatcher, type HeaderMatch } from "./header-matcher.ts";
import { numberImageColumns } from "./image-columns.ts";

/** The headers, and what is known of their columns beyond the headers. */
export interface MatchColumnsOptions {
  readonly headers: readonly string[];
  /** Columns whose target was chosen by hand, or is remembered. */
  readonly chosen: ReadonlyMap<number, HeaderMatch>;
  /** Headers of `chosen` that a person may not have decided. */
  readonly unconfirmed: ReadonlySet<string>;
  /** Machine keys by column. */
  readonly keys: ReadonlyMap<number, HeaderMatch> | undefined;
  readonly platform: PlatformProfile | undefined;
  readonly cells: ReadonlyMap<number, ColumnCells> | undefined;
}

/** The matches of all columns. */
export interface MatchedColumns {
  readonly matches: readonly HeaderMatch[];
  /** What the profile of the platform knows; `undefined` for a file of no platform. */
  readonly platform: PlatformMatcher | undefined;
  /** Columns that may hold ids of this marketplace; their cells decide. */
  readonly idColumns: ReadonlySet<number>;
}

/**
 * Matches each column: a person's decision beats the machine key, which beats the profile of the
 * platform, which beats the other known headers.
 */
export function matchColumns(options: MatchColumnsOptions): MatchedColumns {
  const { headers, chosen, keys, unconfirmed, cells } = options;
  const matcher = createHeaderMatcher();
  const platform = options.platform && createPlatformMatcher(options.platform, { headers, cells });
  const read = (header: string, index: number): HeaderMatch => {
    if (isResultId(headers, index)) return RESULT_ID;
    return platform?.match(header, index) ?? matcher.match(header);
  };
  const matches = headers.map((header, index): HeaderMatch => {
    const matched = chosen.get(index);
    if (matched === undefined) return keys?.get(index) ?? read(header, index);
    return unconfirmed.has(header)
      ? restoreDoubts(matched, read(header, index))
      : keepStated(matched, read(header, index));
  });
  const idColumns = new Set(
    [...headers.keys()].filter((index) => {
      const isDecided = chosen.has(index) && !unconfirmed.has(headers[index] ?? "");
      return !isDecided && keys?.has(index) !== true && isProductId(matches[index]);
    }),
  );
  const own = matches.map((match, index) =>
    idColumns.has(index) && holdsOtherIds(cells?.get(index)) ? OTHER_ID : match,
  );
  const resolved = resolveLoneCurrency(resolveTradeHeaders(own, headers));
  return { matches: numberImageColumns(resolved, headers), platform, idColumns };
}

const OTHER_ID: HeaderMatch = { target: { kind: "other-id" }, rank: RANK.header };

const isProductId = (match: HeaderMatch | undefined): boolean =>
  match?.target.kind === "field" && match.target.field === "product_id";

/** Whether a column is filled in and no cell looks like an id of this marketplace. */
const holdsOtherIds = (cells: ColumnCells | undefined): boolean =>
  cells !== undefined && cells.filled > 0 && cells.ids === 0;

/**
 * The second product id of a result file stands right after its result, where the input had an id
 * too.
 */
const RESULT_HEADERS: ReadonlySet<string> = new Set(["Sonuç", "Result"]);
const ID_HEADERS: ReadonlySet<string> = new Set(["Ürün ID", "Product ID"]);

const RESULT_ID: HeaderMatch = { target: { kind: "own-result" }, rank: RANK.header };

/** Whether a column is the product id that a result file adds. */
export function isResultId(headers: readonly string[], index: number): boolean {
  const header = headers[index] ?? "";
  const follows = ID_HEADERS.has(header) && RESULT_HEADERS.has(headers[index - 1] ?? "");
  return follows && headers.indexOf(header) < index;
}
