/** What the syncs of a feed came to, and what a schedule in shadow would have sent. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type Connection, fieldLabel } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  type FeedSync,
  readFeedHistory,
  readShadowDays,
  readShadowPlan,
  type ShadowDay,
  writeShadowWorkbook,
} from "@catalog/importer";
import { isShadow, type ScheduleRecord } from "@catalog/jobs";

import type { FeedHistoryView, FeedSyncView, ShadowDayView, ShadowView } from "../../api/feeds.ts";
import { plainText } from "../plain-advice.ts";

/** Syncs that the page shows. */
const MAX_SYNCS = 100;

const toIso = (ms: number): string => new Date(ms).toISOString();

const toOptionalIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : toIso(ms);

/** Reads the latest syncs of a schedule's feed. */
export async function readHistoryView(
  connection: Connection,
  { feed }: ScheduleRecord,
  lang: Lang,
): Promise<FeedHistoryView> {
  const { syncs, hasMore } = await readFeedHistory(connection, { feed, limit: MAX_SYNCS });
  return { syncs: syncs.map((sync) => toSyncView(sync, lang)), hasMore };
}

function toSyncView(sync: FeedSync, lang: Lang): FeedSyncView {
  const { kind, run, times, beganAtMs, endedAtMs, counts, failure, dataAtMs } = sync;
  return {
    kind,
    at: toIso(beganAtMs),
    endAt: toOptionalIso(endedAtMs),
    times,
    run: run?.id ?? null,
    dataAt: toOptionalIso(dataAtMs),
    problem: failure === undefined ? null : plainText(failure.message[lang]),
    counts:
      counts === undefined
        ? null
        : {
            rows: counts.rows,
            updated: kind === "sync" ? counts.updated : counts.pending,
            unchanged: counts.unchanged,
            held: counts.held,
            failed: counts.invalid + counts.duplicate + counts.rejected,
          },
  };
}

const DAY_MS = 86_400_000;
const DAYS = 7;

/** Changes of one day that the page shows; the workbook has all of them. */
const MAX_CHANGES = 200;

/** Reads a week of a shadow, and the plan that going live sends. */
export async function readShadowView(
  connection: Connection,
  schedule: ScheduleRecord,
  lang: Lang,
): Promise<ShadowView> {
  const days = await readDays(connection, schedule, lang);
  const { feed, timeZone } = schedule;
  const plan = await readShadowPlan(connection, { feed, timeZone, lang });
  return {
    isShadow: isShadow(schedule),
    days: days.map((day) => toDayView(day, lang)),
    plan:
      plan === undefined ? null : { at: toIso(plan.run.createdAtMs), ...toDayView(plan.day, lang) },
  };
}

async function readDays(
  connection: Connection,
  { feed, timeZone }: ScheduleRecord,
  lang: Lang,
): Promise<readonly ShadowDay[]> {
  const sinceMs = connection.clock.now() - DAYS * DAY_MS;
  return await readShadowDays(connection, { feed, timeZone, lang, sinceMs });
}

function toDayView({ day, changes, refused, ...counts }: ShadowDay, lang: Lang): ShadowDayView {
  const { syncs, updated, held, wrong } = counts;
  return {
    day,
    syncs,
    updated,
    held,
    wrong,
    refused: refused.map(({ atMs, message }) => {
      return { at: toIso(atMs), message: plainText(message[lang]) };
    }),
    changes: changes.slice(0, MAX_CHANGES).map((change) => ({
      code: change.code ?? "",
      field: fieldLabel(change.field, lang),
      old: change.oldText,
      new: change.newText,
      isHeld: change.isHeld,
      reason: change.reasons.map((reason) => plainText(reason[lang])).join(" "),
      first: toIso(change.firstMs),
      last: toIso(change.lastMs),
    })),
    more: Math.max(0, changes.length - MAX_CHANGES),
  };
}

interface WriteShadowOptions {
  readonly lang: Lang;
  /** Folder of the page. */
  readonly folder: string;
}

/** Writes all days into a workbook, and returns where it is and what it is called. */
export async function writeShadowFile(
  connection: Connection,
  schedule: ScheduleRecord,
  { lang, folder }: WriteShadowOptions,
): Promise<{ readonly path: string; readonly name: string }> {
  const days = await readDays(connection, schedule, lang);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `shadow-${schedule.id}.xlsx`);
  await writeShadowWorkbook(days, { path, timeZone: schedule.timeZone, lang });
  return { path, name: lang === "tr" ? "golge.xlsx" : "shadow.xlsx" };
}
