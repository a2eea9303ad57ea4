/** When a run is sent and taken back by itself, as the page shows and changes it. */

import {
  type Connection,
  fieldLabel,
  type PeriodReading,
  readRunPeriod,
} from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { changePeriod, readPeriodWish } from "@catalog/importer";
import { formatLocalTime, formatPeriodTime, type RunPeriod, type RunRecord } from "@catalog/runs";

import type { DraftPeriodView } from "../../api/drafts.ts";
import type { ChangePeriodBody, PeriodBody, PeriodTime, RunPeriodView } from "../../api/runs.ts";
import { plainText } from "../plain-advice.ts";
import { RequestError } from "../site.ts";

function toTime(atMs: number | undefined, timeZone: string, lang: Lang): PeriodTime | null {
  if (atMs === undefined) return null;
  return {
    at: new Date(atMs).toISOString(),
    local: formatLocalTime(atMs, timeZone),
    text: formatPeriodTime(atMs, timeZone, lang),
  };
}

/** Reads the period of a run; `null` for a run that is sent by hand and stays. */
export async function readPeriodView(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
): Promise<RunPeriodView | null> {
  const found = await readRunPeriod(connection, run);
  return found === undefined ? null : toView(found, run, lang);
}

function toView(
  { period, state, isHealthy, text, endRun }: PeriodReading,
  run: Pick<RunRecord, "state">,
  lang: Lang,
): RunPeriodView {
  const { timeZone, startAtMs, endAtMs, fields, isQueued, isWithdrawn, end } = period;
  const isApproved = period.approvedAtMs !== undefined;
  return {
    timeZone,
    start: isWithdrawn === true ? null : toTime(startAtMs, timeZone, lang),
    end: toTime(endAtMs, timeZone, lang),
    fields: fields?.map((field) => ({ field, label: fieldLabel(field, lang) })) ?? null,
    state,
    stateText: plainText(text[lang]),
    isHealthy,
    endRun: endRun ?? null,
    can: {
      changeStart: isApproved && run.state === "planned" && isQueued !== true && end === undefined,
      changeEnd: isApproved && end === undefined && state !== "ending" && state !== "late",
    },
  };
}

/** The period that a draft wishes for its run. */
export function toDraftPeriod(
  period: Pick<RunPeriod, "timeZone" | "startAtMs" | "endAtMs" | "fields"> | null,
  lang: Lang,
): DraftPeriodView | null {
  if (period === null) return null;
  const { timeZone, startAtMs, endAtMs, fields } = period;
  return {
    timeZone,
    start: toTime(startAtMs, timeZone, lang),
    end: toTime(endAtMs, timeZone, lang),
    fields: fields ?? null,
  };
}

/** The wish for a draft; `null` for none. Throws `InputError` for a time that is none or has passed. */
export function readDraftPeriod(
  connection: Pick<Connection, "clock">,
  period: PeriodBody | null,
): RunPeriod | null {
  if (period === null || (period.start === null && period.end === null)) return null;
  return readPeriodWish(connection, period);
}

/**
 * Reads the period with which a person approves a run. A run that carries one is not approved by a page
 * that does not say what becomes of it.
 */
export async function readApproval(
  connection: Connection,
  run: Pick<RunRecord, "id">,
  period: PeriodBody | null | undefined,
): Promise<RunPeriod | null> {
  const stored = (await connection.memory.periods.read(run.id))?.period;
  if (period === undefined && stored !== undefined) throw unseen();
  return readDraftPeriod(connection, period ?? null);
}

const unseen = (): RequestError =>
  new RequestError(409, "E_PERIOD_UNSEEN", {
    tr: "Bu gönderimin başlama ve geri alma zamanı var. Sayfayı yenileyip zamanlara bakın ve yeniden onaylayın. Hiçbir şey gönderilmedi.",
    en: "This run has times at which it is sent and undone. Reload the page, look at them and approve it again. Nothing was sent.",
  });

/** Changes the period of a run that was approved. */
export async function changeRunPeriod(
  connection: Connection,
  run: RunRecord,
  { seen, ...wish }: ChangePeriodBody,
): Promise<void> {
  await changePeriod(connection, run, {
    wish,
    seen: { startAtMs: toMs(seen.start), endAtMs: toMs(seen.end) },
  });
}

const toMs = (iso: string | null): number | undefined =>
  iso === null ? undefined : Date.parse(iso);
