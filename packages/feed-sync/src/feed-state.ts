/** State of a store's feeds between two syncs. */

import { createHash } from "node:crypto";

import { type FeedMemory } from "@catalog/database";
import { type PriceUnit } from "@catalog/runs";
import { z } from "zod";

import { type FeedValidators } from "./file/feed-file.ts";

/** State of the store, shared by all of its feeds. */
export interface StoreNote {
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
export interface FeedNote extends FeedValidators {
  readonly rows: number;
  readonly endsWithBreak: boolean;
  /** Every row was sent or needed no sending. */
  readonly isSettled: boolean;
}

const feedNoteSchema = z.object({
  rows: z.number(),
  endsWithBreak: z.boolean().default(false),
  isSettled: z.boolean(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});

const NEW_STORE: StoreNote = { reconciledAtMs: null, priceUnit: "unknown", sweep: 0 };

const STORE_KEY = "store";

/** Key of a feed, which reveals nothing of its address. */
export const feedKey = (feed: string): string =>
  createHash("sha256").update(feed).digest("hex").slice(0, 24);

/** State of the store; defaults for a new one. */
export function readStoreNote({ readNote }: Pick<FeedMemory, "readNote">): StoreNote {
  return readNote(STORE_KEY, storeNoteSchema) ?? NEW_STORE;
}

/** State of the feed after the last sync that accepted it, if there was one. */
export function readFeedNote(
  { readNote }: Pick<FeedMemory, "readNote">,
  key: string,
): FeedNote | undefined {
  return readNote(`feed ${key}`, feedNoteSchema);
}

export function saveStoreNote({ saveNotes }: Pick<FeedMemory, "saveNotes">, note: StoreNote): void {
  saveNotes({ [STORE_KEY]: note });
}

export function saveFeedNote(
  { saveNotes }: Pick<FeedMemory, "saveNotes">,
  key: string,
  note: FeedNote,
): void {
  saveNotes({ [`feed ${key}`]: note });
}
