/** Reads the first rows of a feed, so that a person sees how it is understood before it is synced. */

import type { Connection } from "@catalog/connection";

import { feedKey, isAddress, nameOfFeed } from "./feed-name.ts";
import { readFeedRecord } from "./feed-state.ts";
import { type FeedFetch, findFeedFile } from "./file/feed-file.ts";
import { fetchFeed } from "./file/fetch-feed.ts";
import { type FeedReading, openFeed } from "./file/open-feed.ts";

export interface ReadSampleOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  readonly reading: Omit<FeedReading, "signal">;
  readonly fetch: FeedFetch;
  readonly maxRows: number;
}

/** The beginning of a feed. */
export interface FeedSample {
  /** The file, or its address without secrets. */
  readonly name: string;
  readonly sheet: string;
  /** When the file was last changed, in milliseconds since 1970. */
  readonly modifiedMs: number | undefined;
  readonly columns: readonly {
    readonly header: string;
    /** Key of the field that a sync takes from it; `undefined` for a column that is not used. */
    readonly field: string | undefined;
  }[];
  /** Cells as they stand in the file. */
  readonly rows: readonly (readonly string[])[];
}

/** Throws what {@link openFeed} and the download throw for a feed that cannot be used. */
export async function readSample(
  { memory }: Pick<Connection, "memory">,
  { feed, reading, fetch, maxRows }: ReadSampleOptions,
): Promise<FeedSample> {
  const fetched = await fetchFeed({ feed, fetch }, undefined);
  if (fetched.kind === "unchanged")
    throw new Error("a feed without validators cannot be unchanged");
  using file = fetched.file;
  await using opened = await openFeed(file, { ...reading, profiles: memory.profiles });
  const fields = new Map(
    opened.mapping.columns.map(({ index, target }) => [
      index,
      target.kind === "field" ? target.field : undefined,
    ]),
  );
  const rows: string[][] = [];
  for await (const { cells } of opened.sheet.rows()) {
    rows.push(opened.sheet.header.cells.map((_, index) => String(cells[index] ?? "")));
    if (rows.length >= maxRows) break;
  }
  return {
    name: nameOfFeed(file.name),
    sheet: opened.sheet.sheet,
    modifiedMs: file.modifiedMs,
    columns: opened.sheet.header.cells.map((cell, index) => ({
      header: String(cell ?? ""),
      field: fields.get(index),
    })),
    rows,
  };
}

/**
 * When the data of a feed was last changed: the time of its file, or what its address told at the
 * last sync; `undefined` where that is not known.
 */
export async function readFeedTime(
  { memory }: Pick<Connection, "memory">,
  feed: string,
): Promise<number | undefined> {
  if (isAddress(feed)) {
    const told = (await readFeedRecord(memory.feedState, feedKey(feed)))?.lastModified;
    const ms = told === undefined ? Number.NaN : Date.parse(told);
    return Number.isFinite(ms) ? ms : undefined;
  }
  try {
    return findFeedFile(feed).modifiedMs;
  } catch {
    // There is no file now; the next sync tells so.
    return undefined;
  }
}
