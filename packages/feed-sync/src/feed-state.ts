/** State of a store's feeds between two syncs. */

import type { PriceUnit } from "@catalog/runs";
import { z } from "zod";

import type { FeedState } from "./feed-store.ts";
import type { FeedValidators } from "./file/feed-file.ts";

/** State of the store, shared by all of its feeds. */
export interface ShopRecord {
  /** When the whole listing was read last. */
  readonly reconciledAtMs: number | null;
  readonly priceUnit: PriceUnit;
  readonly sweep: number;
}

const storeNoteSchema = z.object({
  reconciledAtMs: z.number().nullable(),
  priceUnit: z.enum(["minor", "major", "unknown"]),
  sweep: z.number(),
});

/** State of one feed after the last sync that accepted it. */
export interface FeedRecord extends FeedValidators {
  readonly rows: number;
  readonly endsWithBreak: boolean;
  /** Every row was sent or needed no sending. */
  readonly isSettled: boolean;
  /** The fields that the feed gave, each with the header of its column. @default none is known */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Filled cells of stock and price. @default none is known */
  readonly filled?: Readonly<Record<string, number>> | undefined;
  /** When its file was written, in milliseconds since 1970. @default it is not known */
  readonly modifiedMs?: number | undefined;
}

const feedNoteSchema = z.object({
  rows: z.number(),
  endsWithBreak: z.boolean().default(false),
  isSettled: z.boolean(),
  fields: z.record(z.string(), z.string()).optional(),
  filled: z.record(z.string(), z.number()).optional(),
  modifiedMs: z.number().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});

const NEW_SHOP: ShopRecord = { reconciledAtMs: null, priceUnit: "unknown", sweep: 0 };

const SHOP_KEY = "store";

/** State of the store; defaults for a new one. */
export async function readShopRecord({
  readNote,
}: Pick<FeedState, "readNote">): Promise<ShopRecord> {
  return (await readNote(SHOP_KEY, storeNoteSchema)) ?? NEW_SHOP;
}

/** State of the feed after the last sync that accepted it, if there was one. */
export async function readFeedRecord(
  { readNote }: Pick<FeedState, "readNote">,
  key: string,
): Promise<FeedRecord | undefined> {
  return await readNote(`feed ${key}`, feedNoteSchema);
}

export async function saveShopRecord(
  { saveNotes }: Pick<FeedState, "saveNotes">,
  note: ShopRecord,
): Promise<void> {
  await saveNotes({ [SHOP_KEY]: note });
}

export async function saveFeedRecord(
  { saveNotes }: Pick<FeedState, "saveNotes">,
  key: string,
  note: FeedRecord,
): Promise<void> {
  await saveNotes({ [`feed ${key}`]: note });
}
