/** The period of a run on the command line: its flags, its approval, and what is said of it. */

import { CatalogError, type Connection, readRunPeriod } from "@catalog/connection";
import { EXIT, type Flags, printJson, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import { approvePeriod, mergeSettings, readPeriodWish } from "@catalog/importer";
import { leaveToWorkers } from "@catalog/jobs";
import { readSummary } from "@catalog/report";
import { describePeriod, formatLocalTime, type RunPeriod, type RunRecord } from "@catalog/runs";

import type { CommandContext } from "./context.ts";
import { readSettings } from "./run-settings.ts";
import { tellApart } from "./run-view.ts";

interface PeriodTexts {
  readonly scheduled: (run: string) => string;
  readonly end: (run: string) => string;
  readonly who: string;
}

const TEXTS: Readonly<Record<Lang, PeriodTexts>> = {
  tr: {
    scheduled: (run) =>
      `Zamanı gelince gönderilecek. Değiştirmek için: catalog apply ${run} --start-at ZAMAN; vazgeçmek için: catalog apply ${run} --unqueue`,
    end: (run) =>
      `Geri almayı değiştirmek için: catalog undo ${run} --at ZAMAN (vazgeçmek için never)`,
    who: "O saatte bu bilgisayarda catalog worker ya da yükleme sayfası (catalog web) çalışıyor olmalı; değilse ilk çalıştığında, gecikerek yapılır.",
  },
  en: {
    scheduled: (run) =>
      `It is sent when its time comes. To change that: catalog apply ${run} --start-at TIME; to give it up: catalog apply ${run} --unqueue`,
    end: (run) =>
      `To change when it is taken back: catalog undo ${run} --at TIME (never to give that up)`,
    who: "At that time catalog worker or the upload page (catalog web) must be running here; otherwise it is done late, when one of them runs next.",
  },
};

/**
 * The period that the flags give a run, over the one that its plan wishes for; `null` for none. Throws
 * `InputError` for a time that is none, or has passed.
 */
export function readPeriodFlags(
  connection: Pick<Connection, "clock">,
  flags: Flags,
  known?: RunPeriod,
): RunPeriod | null {
  const [start, end] = [readFlag.text(flags, "start-at"), readFlag.text(flags, "undo-at")];
  const local = (ms: number | undefined): string | null =>
    ms === undefined || known === undefined ? null : formatLocalTime(ms, known.timeZone);
  const wish = {
    start: start === undefined ? local(known?.startAtMs) : start === "now" ? null : start,
    end: end === undefined ? local(known?.endAtMs) : end === "never" ? null : end,
    timeZone: known?.timeZone,
    fields: known?.fields,
  };
  if (wish.start === null && wish.end === null) return null;
  return readPeriodWish(connection, wish);
}

/** Approves the run with the period of the flags, or with the one that its plan wishes for. */
export async function approveFromFlags(
  connection: Connection,
  run: Pick<RunRecord, "id">,
  flags: Flags,
): Promise<RunPeriod | null> {
  const known = (await connection.memory.periods.read(run.id))?.period;
  const period = readPeriodFlags(connection, flags, known);
  await approvePeriod(connection, run.id, period);
  return period;
}

/** The period of a run, or the one that its plan wishes for. */
export const readWish = async (
  { memory }: Connection,
  { id }: Pick<RunRecord, "id">,
): Promise<RunPeriod | undefined> => (await memory.periods.read(id))?.period;

/**
 * Throws `CatalogError` where a plan that was never sent carries times: `E_PERIOD_UNAPPROVED` where
 * nobody has approved them, `E_RUN_SCHEDULED` where its start is ahead.
 */
export async function assertMayResume(
  connection: Connection,
  run: Pick<RunRecord, "id" | "state">,
): Promise<void> {
  const period = run.state === "planned" ? await readWish(connection, run) : undefined;
  if (period === undefined) return;
  const { approvedAtMs, startAtMs, begunAtMs, isWithdrawn } = period;
  if (approvedAtMs === undefined) throw new CatalogError("E_PERIOD_UNAPPROVED", run.id);
  const isAhead = startAtMs !== undefined && begunAtMs === undefined && isWithdrawn !== true;
  if (isAhead) throw new CatalogError("E_RUN_SCHEDULED", run.id);
}

interface Wish {
  readonly flags: Flags;
  readonly known: RunPeriod | undefined;
}

/** Shows the times before a person approves the plan with them. */
export function tellWish(
  { terminal, lang, json, clock }: CommandContext,
  connection: Pick<Connection, "clock">,
  { flags, known }: Wish,
): void {
  const period = json ? null : readPeriodFlags(connection, flags, known);
  if (period === null) return;
  const judged = { state: "proposed", isHealthy: true, kept: 0, failed: 0, restored: 0 } as const;
  const text = describePeriod(period, judged, clock.now())[lang];
  terminal.out(`${wrapText(`  · ${text}`, { columns: terminal.outColumns, indent: 4 })}\n`);
}

interface ScheduledRun {
  readonly command: string;
  readonly flags: Flags;
  readonly run: RunRecord;
}

/** Leaves an approved run to its start, and says so. Returns the exit code. */
export async function endScheduled(
  context: CommandContext,
  connection: Connection,
  { command, flags, run }: ScheduledRun,
): Promise<number> {
  const { lang } = context;
  const settings = mergeSettings(run.settings, readSettings(flags));
  await leaveToWorkers(connection, run, { settings, lang, isLater: true });
  if (context.json) {
    const summary = await readSummary(connection, run, { command, exit: EXIT.done, lang });
    printJson(context.terminal, summary);
    return EXIT.done;
  }
  await tellPeriod(context, connection, run);
  tellApart(context, TEXTS[lang].scheduled(run.id));
  return EXIT.done;
}

/** Says when the run is sent and taken back, and who must run for it; nothing for any other run. */
export async function tellPeriod(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<void> {
  if (context.json || context.quiet) return;
  const found = await readRunPeriod(connection, run);
  if (found === undefined) return;
  const { lang } = context;
  const { state, isHealthy, text, period } = found;
  tellApart(context, `${isHealthy ? "" : "! "}${text[lang]}`);
  if (!AHEAD.has(state)) return;
  tellApart(context, TEXTS[lang].who);
  if (period.endAtMs !== undefined) tellApart(context, TEXTS[lang].end(run.id));
}

/** States in which something is still to be done by itself. */
const AHEAD: ReadonlySet<string> = new Set(["scheduled", "open", "late", "ending"]);
