/** Refuses a feed with an error that has a stable code. */

import { CatalogError, type CatalogErrorCode } from "@catalog/connection";
import type { FeedRefusal, StockCounts } from "@catalog/runs";

import type { FeedFile } from "./file/feed-file.ts";

interface FeedFigures {
  readonly file: FeedFile;
  readonly rows: number;
  readonly lastRows: number | undefined;
  readonly ageMs: number | undefined;
  readonly stock: StockCounts;
}

const HOUR_MS = 3_600_000;

/** Throws {@link CatalogError} where the feed is refused; does nothing otherwise. */
export function assertFeedCredible(why: FeedRefusal | undefined, facts: FeedFigures): void {
  if (why === undefined) return;
  const { file, rows, lastRows = 0, ageMs = 0, stock } = facts;
  const details = {
    empty: ["E_FEED_EMPTY", file.name],
    "cut-off": ["E_FEED_CUT_OFF", file.name],
    stale: ["E_FEED_STALE", `${file.name}, ${Math.floor(ageMs / HOUR_MS)} h`],
    "few-rows": ["E_FEED_FEW_ROWS", `${rows} / ${lastRows}`],
    "zero-stock": ["E_FEED_ZERO_STOCK", `${stock.emptied} / ${stock.rows}`],
  } as const satisfies Record<FeedRefusal, readonly [CatalogErrorCode, string]>;
  const [code, detail] = details[why];
  throw new CatalogError(code, detail);
}
