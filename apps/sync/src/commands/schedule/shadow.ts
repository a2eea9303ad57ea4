/**
 * Runs `catalog schedule shadow`, which lists day by day what a schedule in shadow would have sent,
 * and `catalog schedule live`, after which it sends.
 */

import { type Connection, CatalogError, fieldLabel } from "@catalog/connection";
import { EXIT, printJson, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import {
  nameOfFeed,
  readShadowDays,
  readShadowPlan,
  type ShadowChange,
  type ShadowDay,
  writeShadowWorkbook,
} from "@catalog/importer";
import { goLive, isShadow, type ScheduleRecord } from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { readSchedule, showSchedules, toDocument } from "./list.ts";
import { scheduleTexts } from "./texts.ts";

interface ShadowOptions {
  readonly schedule: ScheduleRecord;
  readonly days: number;
  /** @default no workbook is written */
  readonly out?: string | undefined;
}

const DAY_MS = 86_400_000;

/** Lists the days; what they hold does not change the exit code. */
export async function runShadow(
  context: CommandContext,
  connection: Connection,
  { schedule, days: count, out }: ShadowOptions,
): Promise<number> {
  const { terminal, lang, json, clock } = context;
  const { id, feed, timeZone } = schedule;
  const sinceMs = clock.now() - count * DAY_MS;
  const days = await readShadowDays(connection, { feed, timeZone, lang, sinceMs });
  if (out !== undefined) await writeShadowWorkbook(days, { path: out, timeZone, lang });
  const mode = isShadow(schedule) ? "shadow" : "live";
  if (json) {
    const listed = { command: "schedule", action: "shadow", exit: EXIT.done, schedule: id, mode };
    const file = out ?? null;
    const documents = days.map((day) => toDayDocument(day, lang));
    printJson(terminal, { ...listed, feed: nameOfFeed(feed), days: documents, file });
    return EXIT.done;
  }
  const texts = TEXTS[lang];
  terminal.out(`${terminal.shown(nameOfFeed(feed))}: ${texts[mode]}\n`);
  if (days.length === 0) terminal.out(`  ${texts.none}\n`);
  for (const day of days) showDay(context, day, timeZone);
  if (out !== undefined) terminal.out(`\n${texts.file(out)}\n`);
  if (mode === "shadow" && days.length > 0) terminal.err(`\n${texts.goLive(id.slice(0, 6))}\n`);
  return EXIT.done;
}

interface LiveOptions {
  readonly schedule: ScheduleRecord;
  /** Whether it goes live without a question, and without a plan to look at. */
  readonly isSure: boolean;
}

/** Shows what the last sync in shadow has planned, and lets the next sync send. */
export async function runLive(
  context: CommandContext,
  connection: Connection,
  { schedule, isSure }: LiveOptions,
): Promise<number> {
  const { terminal, lang, json } = context;
  const { id, feed, timeZone } = schedule;
  if (!isShadow(schedule)) throw new CatalogError("E_SCHEDULE_LIVE", id);
  const plan = await readShadowPlan(connection, { feed, timeZone, lang });
  if (!isSure && plan === undefined) throw new CatalogError("E_SCHEDULE_UNTRIED", id);
  const declined = await confirmLive(context, plan?.day, { timeZone, isSure });
  if (declined !== undefined) return declined;
  await goLive(connection, schedule);
  const record = await connection.memory.schedules.read(id);
  if (record === undefined) throw new CatalogError("E_SCHEDULE_UNKNOWN", id);
  const listed = await readSchedule(connection, record);
  if (!json) {
    terminal.out(`\n${TEXTS[lang].isLive}\n`);
    showSchedules(context, [listed]);
    return EXIT.done;
  }
  const planned = plan && { run: plan.run.id, ...toDayDocument(plan.day, lang), syncs: 1 };
  const document = { command: "schedule", action: "live", exit: EXIT.done };
  printJson(terminal, { ...document, schedule: toDocument(listed), plan: planned ?? null });
  return EXIT.done;
}

/** Shows the plan, and asks whether to send. Returns the exit code where the person declines. */
async function confirmLive(
  context: CommandContext,
  day: ShadowDay | undefined,
  { timeZone, isSure }: { readonly timeZone: string; readonly isSure: boolean },
): Promise<number | undefined> {
  const { terminal, lang, json } = context;
  const texts = TEXTS[lang];
  if (!isSure && !terminal.canAsk) throw new UsageError(scheduleTexts.needsYes);
  if (day !== undefined && !json) {
    terminal.out(`${texts.willSend}\n`);
    showDay(context, day, timeZone, day.changes.length);
  }
  if (isSure) return undefined;
  const answer = await terminal.ask(texts.mayGoLive(day?.updated ?? 0), texts);
  if (answer === true) return undefined;
  terminal.err(`${texts.staysShadow}\n`);
  return answer === undefined ? EXIT.interrupted : EXIT.done;
}

const toIso = (ms: number): string => new Date(ms).toISOString();

/** The keys of a day in documents, which are a public contract. */
export const toDayDocument = (
  { day, syncs, refused, updated, held, wrong, changes }: ShadowDay,
  lang: Lang,
): object => ({
  day,
  syncs,
  updated,
  held,
  wrong,
  refused: refused.map(({ atMs, code, message }) => ({
    at: toIso(atMs),
    code,
    message: message[lang],
  })),
  changes: changes.map((change) => ({
    code: change.code,
    field: change.field,
    old: change.old ?? null,
    new: change.new,
    held: change.isHeld,
    reasons: change.reasons.map((reason) => reason[lang]),
    first_at: toIso(change.firstMs),
    last_at: toIso(change.lastMs),
    syncs: change.syncs,
  })),
});

/** Changes of a day that are shown; the workbook has all of them. */
const MAX_SHOWN = 20;

function showDay(
  { terminal, lang }: CommandContext,
  day: ShadowDay,
  timeZone: string,
  max: number = MAX_SHOWN,
): void {
  const texts = TEXTS[lang];
  terminal.out(`\n  ${texts.day(day)}\n`);
  const show = (text: string): void => {
    const line = `    ${terminal.shown(text)}`;
    terminal.out(`${wrapText(line, { columns: terminal.outColumns, indent: 8 })}\n`);
  };
  const time = (ms: number): string => formatDateTime(ms, lang, { timeStyle: "short", timeZone });
  for (const { atMs, message } of day.refused)
    show(`${time(atMs)}  ${texts.refused(message[lang])}`);
  for (const change of day.changes.slice(0, max)) show(texts.change(change, time));
  const left = day.changes.length - max;
  if (left > 0) show(texts.more(left));
}

interface Texts {
  readonly shadow: string;
  readonly live: string;
  readonly none: string;
  readonly day: (day: ShadowDay) => string;
  readonly refused: (message: string) => string;
  readonly change: (change: ShadowChange, time: (ms: number) => string) => string;
  readonly more: (count: number) => string;
  readonly file: (path: string) => string;
  readonly goLive: (id: string) => string;
  readonly willSend: string;
  readonly mayGoLive: (updated: number) => string;
  readonly staysShadow: string;
  readonly isLive: string;
  readonly yes: string;
  readonly no: string;
}

const toSpan = ({ firstMs, lastMs }: ShadowChange, time: (ms: number) => string): string =>
  time(firstMs) === time(lastMs) ? time(firstMs) : `${time(firstMs)}–${time(lastMs)}`;

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    shadow: "gölgede, hiçbir şey göndermiyor",
    live: "gönderiyor; gölgede geçen günleri:",
    none: "Bu günlerde gölgede eşitleme yok.",
    day: ({ day, syncs, updated, held, wrong, refused }) =>
      [
        `${day}: ${formatNumber(syncs, "tr")} eşitleme`,
        `${formatNumber(updated, "tr")} ürün güncellenirdi`,
        `${formatNumber(held, "tr")} ürün bekletilirdi`,
        ...(wrong > 0 ? [`${formatNumber(wrong, "tr")} hatalı satır`] : []),
        ...(refused.length > 0 ? [`${formatNumber(refused.length, "tr")} kez alınmazdı`] : []),
      ].join(", "),
    refused: (message) => `alınmazdı: ${message}`,
    change: (change, time) =>
      `${toSpan(change, time)}  ${change.code ?? ""}  ${fieldLabel(change.field, "tr")}: ${change.oldText} → ${change.newText}${change.isHeld ? `  BEKLETİLİRDİ: ${change.reasons.map(({ tr }) => tr).join(" ")}` : ""}`,
    more: (count) =>
      `… ${formatNumber(count, "tr")} değişiklik daha: --out golge.xlsx hepsini yazar`,
    file: (path) => `Hepsi: ${path}`,
    goLive: (id) => `Göndermeye başlaması için: catalog schedule live ${id}`,
    willSend:
      "Son gölge eşitlemesinin planı. Besleme ve mağaza böyle kalırsa sıradaki eşitleme tam bunu gönderir:",
    mayGoLive: (updated) =>
      `Zamanlama göndermeye başlasın mı? Son plana göre ilk eşitleme ${formatNumber(updated, "tr")} ürün günceller.`,
    staysShadow: "Zamanlama gölgede kaldı; hiçbir şey gönderilmez.",
    isLive: "Zamanlama artık gönderiyor:",
    yes: "Evet",
    no: "Hayır",
  },
  en: {
    shadow: "in shadow, it sends nothing",
    live: "it sends; its days in shadow:",
    none: "There was no sync in shadow in these days.",
    day: ({ day, syncs, updated, held, wrong, refused }) =>
      [
        `${day}: syncs: ${formatNumber(syncs, "en")}`,
        `products that would have been updated: ${formatNumber(updated, "en")}`,
        `held: ${formatNumber(held, "en")}`,
        ...(wrong > 0 ? [`wrong rows: ${formatNumber(wrong, "en")}`] : []),
        ...(refused.length > 0 ? [`refused: ${formatNumber(refused.length, "en")}`] : []),
      ].join(", "),
    refused: (message) => `would have been refused: ${message}`,
    change: (change, time) =>
      `${toSpan(change, time)}  ${change.code ?? ""}  ${fieldLabel(change.field, "en")}: ${change.oldText} → ${change.newText}${change.isHeld ? `  WOULD BE HELD: ${change.reasons.map(({ en }) => en).join(" ")}` : ""}`,
    more: (count) => `… ${formatNumber(count, "en")} more: --out shadow.xlsx writes them all`,
    file: (path) => `All of it: ${path}`,
    goLive: (id) => `To let it send: catalog schedule live ${id}`,
    willSend:
      "The plan of the last sync in shadow. If feed and store stay as they are, the next sync sends exactly this:",
    mayGoLive: (updated) =>
      `Let the schedule send? By its last plan the first sync updates ${formatNumber(updated, "en")} ${updated === 1 ? "product" : "products"}.`,
    staysShadow: "The schedule stays in shadow; nothing is sent.",
    isLive: "The schedule sends from now on:",
    yes: "Yes",
    no: "No",
  },
};
