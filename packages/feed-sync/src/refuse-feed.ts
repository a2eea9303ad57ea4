/** Refuses a feed with an error that has a stable code. */

import type { Clock } from "@catalog/clock";
import { CatalogError, type CatalogErrorCode, fieldLabel } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { FeedRefusal, StockCounts } from "@catalog/runs";

import type { FeedFile } from "./file/feed-file.ts";

interface FeedFigures {
  readonly file: FeedFile;
  readonly rows: number;
  readonly lastRows: number | undefined;
  readonly cells: readonly {
    readonly field: string;
    readonly now: number;
    readonly last: number | undefined;
  }[];
  readonly ageMs: number | undefined;
  readonly stock: StockCounts;
  readonly moved: number;
  readonly shifted: readonly Localized[];
}

const HOUR_MS = 3_600_000;

/** Throws {@link CatalogError} where the feed is refused; does nothing otherwise. */
export function assertFeedCredible(why: FeedRefusal | undefined, facts: FeedFigures): void {
  if (why === undefined) return;
  const { file, ageMs = 0, stock, moved, rows, shifted } = facts;
  const details = {
    empty: ["E_FEED_EMPTY", file.name],
    "cut-off": ["E_FEED_CUT_OFF", file.name],
    stale: ["E_FEED_STALE", describeAge(file.name, ageMs)],
    shifted: ["E_FEED_SHIFTED", joinTexts(shifted)],
    older: ["E_FEED_OLDER", file.name],
    "few-rows": ["E_FEED_FEW_ROWS", describeCounts(facts)],
    "zero-stock": ["E_FEED_ZERO_STOCK", `${stock.emptied} / ${stock.rows}`],
    "moved-values": ["E_FEED_MOVED_VALUES", `${moved} / ${rows}`],
  } as const satisfies Record<FeedRefusal, readonly [CatalogErrorCode, string | Localized]>;
  const [code, detail] = details[why];
  throw new CatalogError(code, detail);
}

/** Throws {@link CatalogError} `E_FEED_STALE` for a feed that has not been written for too long. */
export function assertNotStale(
  { name, modifiedMs }: { readonly name: string; readonly modifiedMs: number | undefined },
  { maxAgeMs, clock }: { readonly maxAgeMs?: number | undefined; readonly clock: Clock },
): void {
  const ageMs = modifiedMs === undefined ? 0 : clock.now() - modifiedMs;
  if (maxAgeMs === undefined || ageMs <= maxAgeMs) return;
  throw new CatalogError("E_FEED_STALE", describeAge(name, ageMs));
}

const describeAge = (name: string, ageMs: number): string =>
  `${name}, ${Math.floor(ageMs / HOUR_MS)} h`;

const joinTexts = (texts: readonly Localized[]): Localized => ({
  tr: texts.map(({ tr }) => tr).join(", "),
  en: texts.map(({ en }) => en).join(", "),
});

/** The numbers of rows and of filled cells that have become smaller: "rows: 30 / 60, Stock: 3 / 60". */
function describeCounts({ rows, lastRows, cells }: FeedFigures): Localized {
  const counts = [
    { name: { tr: "satır", en: "rows" }, now: rows, last: lastRows },
    ...cells.map(({ field, ...count }) => ({
      name: { tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") },
      ...count,
    })),
  ].filter(({ now, last = 0 }) => now < last);
  const list = (lang: "tr" | "en"): string =>
    counts.map(({ name, now, last }) => `${name[lang]}: ${now} / ${last}`).join(", ");
  return { tr: list("tr"), en: list("en") };
}
