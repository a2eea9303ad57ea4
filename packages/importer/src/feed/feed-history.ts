/**
 * The syncs of a feed, the newest first, as they are stored: those that sent, were tried, were
 * refused or could not fetch their feed are runs, and those that found it unchanged are counted.
 */

import type { Connection } from "@catalog/connection";
import { readHistory } from "@catalog/report";
import {
  countFileRows,
  type Counts,
  type RunRecord,
  type RunWarning,
  toCounts,
} from "@catalog/runs";

import { feedKey } from "./feed-name.ts";
import { readRests } from "./feed-state.ts";

/** One sync of a feed, or several in a row that found it unchanged. */
export interface FeedSync {
  /**
   * - `sync`: what changed was sent.
   * - `dry-run`, `shadow`: what would have been sent was stored.
   * - `refused`: no plan could be made; `failure` says why.
   * - `unchanged`: the address said that its feed is the one that was taken last.
   */
  readonly kind: "sync" | "dry-run" | "shadow" | "refused" | "unchanged";
  /** `undefined` for syncs that found the feed unchanged. */
  readonly run: RunRecord | undefined;
  /** Number of syncs. */
  readonly times: number;
  /** In milliseconds since 1970; of several the first one's. */
  readonly beganAtMs: number;
  /** `undefined` where it was cut off, or is going on; of several the last one's. */
  readonly endedAtMs: number | undefined;
  /** Exit code of the command; `null` where it has not come to its end. */
  readonly exit: number | null;
  /** Rows of the feed by what became of them; in a dry run those to be sent count as pending. */
  readonly counts: Counts | undefined;
  readonly failure: RunWarning | undefined;
  /** When the feed was written, in milliseconds since 1970. @default it is not known */
  readonly dataAtMs?: number | undefined;
}

interface FeedHistoryOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  /** Maximum number of runs. */
  readonly limit: number;
}

/** Reads the latest syncs, and whether there are older ones. */
export async function readFeedHistory(
  connection: Connection,
  { feed, limit }: FeedHistoryOptions,
): Promise<{ readonly syncs: readonly FeedSync[]; readonly hasMore: boolean }> {
  const key = feedKey(feed);
  const found = await connection.runs.list(limit + 1, { feed: key });
  const runs = found.slice(0, limit);
  const hasMore = found.length > runs.length;
  const syncs: FeedSync[] = [];
  for (const run of runs) syncs.push(await toSync(connection, run));
  const oldestMs = hasMore ? (syncs.at(-1)?.beganAtMs ?? 0) : 0;
  const rests = await readRests(connection.memory.feedState, key);
  for (const { firstMs, lastMs, count } of rests) {
    if (lastMs < oldestMs) continue;
    const times = { beganAtMs: firstMs, endedAtMs: lastMs, times: count };
    const none = { run: undefined, counts: undefined, failure: undefined };
    syncs.push({ kind: "unchanged", ...times, ...none, exit: 0 });
  }
  return { syncs: syncs.toSorted((a, b) => b.beganAtMs - a.beganAtMs), hasMore };
}

async function toSync(connection: Connection, run: RunRecord): Promise<FeedSync> {
  const { exit, ended_at: endedAt } = readHistory(connection, run);
  const { sync } = run.progress;
  const isRefused = run.state === "stopped" && run.facts === null;
  const counts = toCounts(await connection.journal.countRows(run.id));
  return {
    kind: isRefused ? "refused" : kindOf(run),
    run,
    times: 1,
    beganAtMs: sync?.beganAtMs ?? run.createdAtMs,
    endedAtMs: endedAt === null ? undefined : Date.parse(endedAt),
    exit,
    counts: isRefused ? undefined : countFileRows(run, counts),
    failure: isRefused ? run.warnings[0] : undefined,
    dataAtMs: sync?.dataAtMs,
  };
}

function kindOf({ settings, progress }: RunRecord): FeedSync["kind"] {
  if (settings.isDryRun !== true) return "sync";
  return progress.sync?.isShadow === true ? "shadow" : "dry-run";
}
