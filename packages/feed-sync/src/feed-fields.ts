/** The fields that a feed gives, compared with those that its last accepted version gave. */

import { feedKey } from "./feed-name.ts";
import { type FeedRecord, readFeedRecord, saveFeedRecord } from "./feed-state.ts";
import type { FeedState } from "./feed-store.ts";
import { isSentField, type OpenedFeed } from "./file/open-feed.ts";

/** The header of each field that is sent. */
export const listFields = ({ columns }: OpenedFeed["mapping"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ header, target }) =>
      target.kind === "field" && isSentField(target.field) ? [[target.field, header]] : [],
    ),
  );

/** The fields of which a cell is filled; a column of empty cells sends nothing. */
export const listGiven = (
  fields: Readonly<Record<string, string>>,
  filled: Readonly<Record<string, number>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => filled[field] !== 0));

/** A field of a feed, and the header of its column. */
export interface FeedField {
  readonly field: string;
  readonly header: string;
}

/** Fields that change what buyers pay although the column of prices stays as it is. */
const PRICING: ReadonlySet<string> = new Set([
  "list_price",
  "discount_value",
  "discount_type",
  "currency",
]);

/** The columns beside the price that the last accepted version did not have. */
export const findNewPricing = (
  fields: Readonly<Record<string, string>>,
  last: FeedRecord | undefined,
): readonly FeedField[] =>
  last?.fields === undefined
    ? []
    : Object.entries(fields)
        .filter(([field]) => PRICING.has(field) && !Object.hasOwn(last.fields ?? {}, field))
        .map(([field, header]) => ({ field, header }));

/** The fields of the last accepted version that are missing now. */
export const findLostFields = (
  fields: Readonly<Record<string, string>>,
  last: FeedRecord | undefined,
): readonly FeedField[] =>
  Object.entries(last?.fields ?? {})
    .filter(([field]) => !Object.hasOwn(fields, field))
    .map(([field, header]) => ({ field, header }));

/**
 * Takes a person's word that these fields were removed from the feed on purpose, so that the next
 * sync does not miss them. A field that comes back is missed again once it is gone.
 */
export async function dropFields(
  feedState: Pick<FeedState, "readNote" | "saveNotes">,
  feed: string,
  dropped: readonly string[],
): Promise<void> {
  const key = feedKey(feed);
  const record = await readFeedRecord(feedState, key);
  if (record?.fields === undefined || dropped.length === 0) return;
  const kept = Object.entries(record.fields).filter(([field]) => !dropped.includes(field));
  await saveFeedRecord(feedState, key, { ...record, fields: Object.fromEntries(kept) });
}
