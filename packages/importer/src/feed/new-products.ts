/** The rows of a feed whose products the store does not have, as a draft takes them. */

import { createSheetReader, type SourceRow, unfoldRow } from "@catalog/mapping";

import { type NewProductRow, trimCells, type updateFeedDraft } from "../drafts/feed-draft.ts";
import type { FeedReading, OpenedFeed } from "./open-feed.ts";
import type { FeedPlan } from "./plan-feed.ts";
import { readFeedRows } from "./scan-feed.ts";

/**
 * - `never`: their codes are reported.
 * - `draft`: they wait in a draft for a person.
 * - `send`: those of which nothing is open are added; the others wait in the draft.
 */
export type AddPolicy = "draft" | "send" | "never";

/** What a draft of the feed is made of. */
export interface NewProducts {
  readonly header: readonly string[];
  readonly rows: readonly NewProductRow[];
  /** Number of the products. */
  readonly products: number;
  readonly toKey: Parameters<typeof updateFeedDraft>[1]["toKey"];
  readonly columns: ReadonlyMap<string, string>;
  readonly decimal: FeedReading["decimal"];
}

/** Whether the row names a product that the store does not have. */
export const isNewProduct = ({ parsed, decision }: FeedPlan["rows"][number]): boolean =>
  parsed.codeKey !== null && decision.issues.some(({ code }) => code === "E_PRODUCT_UNKNOWN");

/** Reads the rows of new products once more; `undefined` where nothing is made of them. */
export async function readNewProducts(
  feed: OpenedFeed,
  plan: Pick<FeedPlan, "rows">,
  { adds = "never", columns = new Map(), trial }: NewProductsOptions,
): Promise<NewProducts | undefined> {
  if (adds === "never" || trial !== undefined) return undefined;
  const fresh = plan.rows.filter(isNewProduct).map(({ parsed }) => parsed);
  const rows = fresh.length === 0 ? [] : await readFamilies(feed, fresh);
  const toKey = createRowKeys(feed);
  const keys = toKey(rows);
  return {
    header: feed.sheet.header.cells.map((cell) => String(cell ?? "")),
    rows: rows.map(({ cells, traits, formats }, index) => ({
      key: keys[index] ?? "",
      cells,
      traits,
      formats,
    })),
    products: fresh.length,
    toKey,
    columns,
    decimal: feed.decimal,
  };
}

interface NewProductsOptions extends Pick<FeedReading, "columns"> {
  readonly adds?: AddPolicy | undefined;
  /** Nothing is made of the products in a trial. */
  readonly trial?: "once" | "shadow" | undefined;
}

/** The rows in the order of the feed, with those that share the values of their products. */
async function readFamilies(
  feed: OpenedFeed,
  fresh: readonly FeedPlan["rows"][number]["parsed"][],
): Promise<readonly SourceRow[]> {
  const wanted = new Set(fresh.map(({ row }) => row));
  const parents = new Set(fresh.map(({ joined }) => joined?.parentRow));
  const isWanted = ({ row, joined }: SourceRow): boolean => {
    if (wanted.has(row) || parents.has(row)) return true;
    const isShared = joined?.role === "parent" || joined?.role === "image";
    return isShared && joined.parentRow !== undefined && parents.has(joined.parentRow);
  };
  const found: SourceRow[] = [];
  for await (const row of readFeedRows(feed)) if (isWanted(row)) found.push(unfoldRow(row));
  return found.toSorted((a, b) => a.row - b.row);
}

/** A row is told apart by its code, one without a code by its cells, and equal ones by their order. */
function createRowKeys({ wholeMapping, sheet }: OpenedFeed): NewProducts["toKey"] {
  const { codes } = createSheetReader(wholeMapping, sheet.sheet);
  return (rows) => {
    const counts = new Map<string, number>();
    return rows.map(({ cells }) => {
      const text = codes.read({ row: 0, cells })?.codeKey ?? JSON.stringify(trimCells(cells));
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return count === 0 ? text : `${text} ${count}`;
    });
  };
}
