/** Runs `catalog schedule history`: the syncs of a feed with their times, counts and freshness. */

import type { Connection } from "@catalog/connection";
import { EXIT, printJson } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, formatDuration, type Lang } from "@catalog/i18n";
import { type FeedSync, nameOfFeed, readFeedHistory } from "@catalog/importer";
import { NO_UNSENDABLE_FIELDS } from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { describeResult } from "../sync/sync-once.ts";

interface HistoryOptions {
  /** An absolute path or an address. */
  readonly feed: string;
  /** @default the feed has no schedule */
  readonly schedule?: string | undefined;
  readonly timeZone: string;
  readonly limit: number;
}

/** Shows the syncs; how they went does not change the exit code. */
export async function runHistory(
  context: CommandContext,
  connection: Connection,
  { feed, schedule, timeZone, limit }: HistoryOptions,
): Promise<number> {
  const { terminal, lang, json } = context;
  const { syncs, hasMore } = await readFeedHistory(connection, { feed, limit });
  if (json) {
    printJson(terminal, {
      command: "schedule",
      action: "history",
      exit: EXIT.done,
      schedule: schedule ?? null,
      feed: nameOfFeed(feed),
      syncs: syncs.map((sync) => toDocument(sync, lang)),
      more: hasMore,
    });
    return EXIT.done;
  }
  const texts = HISTORY_TEXTS[lang];
  terminal.out(`${terminal.shown(nameOfFeed(feed))}\n`);
  if (syncs.length === 0) terminal.out(`  ${texts.none}\n`);
  for (const sync of syncs) {
    const line = `  ${describe(sync, { lang, timeZone })}`;
    const shown = wrapText(terminal.shown(line), { columns: terminal.outColumns, indent: INDENT });
    terminal.out(`${shown}\n`);
  }
  if (hasMore) terminal.err(`\n${texts.more}\n`);
  return EXIT.done;
}

const INDENT = 6;

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

const toSeconds = (ms: number): number => Math.round(ms / 1000);

/** How old the feed was when its sync began. */
const ageOf = ({ beganAtMs, dataAtMs }: FeedSync): number | undefined =>
  dataAtMs === undefined ? undefined : Math.max(0, toSeconds(beganAtMs - dataAtMs));

function toDocument(sync: FeedSync, lang: Lang): object {
  const { kind, run, times, beganAtMs, endedAtMs, exit, counts, failure, dataAtMs } = sync;
  return {
    kind,
    run: run?.id ?? null,
    times,
    began_at: toIso(beganAtMs),
    ended_at: toIso(endedAtMs),
    seconds: endedAtMs === undefined ? null : toSeconds(endedAtMs - beganAtMs),
    exit,
    counts: counts ?? null,
    error: failure === undefined ? null : { code: failure.code, message: failure.message[lang] },
    data_at: toIso(dataAtMs),
    age_seconds: ageOf(sync) ?? null,
  };
}

interface View {
  readonly lang: Lang;
  readonly timeZone: string;
}

function describe(sync: FeedSync, { lang, timeZone }: View): string {
  const texts = HISTORY_TEXTS[lang];
  const { kind, run, times, beganAtMs, endedAtMs, exit } = sync;
  const time = (ms: number): string =>
    formatDateTime(ms, lang, { dateStyle: "short", timeStyle: "short", timeZone });
  if (kind === "unchanged") {
    const span = times === 1 ? time(beganAtMs) : `${time(beganAtMs)} – ${time(endedAtMs ?? 0)}`;
    return `${span}  ${texts.unchanged(times)}`;
  }
  const ageSeconds = ageOf(sync);
  const facts = [
    ...(ageSeconds === undefined ? [] : [texts.age(formatDuration(ageSeconds, lang))]),
    ...(endedAtMs === undefined ? [] : [formatDuration(toSeconds(endedAtMs - beganAtMs), lang)]),
    ...(exit === null ? [] : [texts.exit(exit)]),
    ...(run === undefined ? [] : [run.id]),
  ];
  return `${time(beganAtMs)}  ${describeSync(sync, lang)} (${facts.join("; ")})`;
}

/** The counts in the words of a sync, or why it was refused. */
function describeSync({ counts, run }: FeedSync, lang: Lang): string {
  if (counts === undefined || run === undefined) {
    // The differences of a changed form are listed after the reason.
    const reasons = run?.warnings ?? [];
    return `${HISTORY_TEXTS[lang].refused}: ${reasons.map(({ message }) => message[lang]).join(" ")}`;
  }
  const { planned, unsendable = NO_UNSENDABLE_FIELDS } = run.facts ?? {};
  const stockSent = counts.held > 0 ? (planned?.stock ?? 0) : 0;
  const unknown = { unknownCodes: 0, absent: undefined };
  return describeResult(run, { ...counts, unsendable, stockSent, ...unknown }, lang);
}

interface HistoryTexts {
  readonly none: string;
  readonly more: string;
  readonly refused: string;
  readonly unchanged: (times: number) => string;
  readonly age: (duration: string) => string;
  readonly exit: (exit: number) => string;
}

const HISTORY_TEXTS: Readonly<Record<Lang, HistoryTexts>> = {
  tr: {
    none: "Bu besleme henüz eşitlenmedi.",
    more: "Daha eskileri için --limit verin.",
    refused: "Alınmadı",
    unchanged: (times) =>
      times === 1 ? "Besleme değişmemişti." : `Besleme değişmemişti, ${times} eşitlemede.`,
    age: (duration) => `besleme ${duration} önceki`,
    exit: (exit) => `çıkış kodu ${exit}`,
  },
  en: {
    none: "This feed has not been synced yet.",
    more: "Give --limit for older ones.",
    refused: "Refused",
    unchanged: (times) =>
      times === 1 ? "The feed had not changed." : `The feed had not changed, in ${times} syncs.`,
    age: (duration) => `feed ${duration} old`,
    exit: (exit) => `exit code ${exit}`,
  },
};
