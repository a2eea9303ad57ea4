/** A run with its plan, its counts and what can be done with it. */

import { createHash } from "node:crypto";

import { type Connection, fieldLabel } from "@catalog/connection";
import { formatDuration, type Lang } from "@catalog/i18n";
import { readPriceUnitExample } from "@catalog/importer";
import { listResultFiles, readTally } from "@catalog/report";
import {
  PRICE_UNIT_CODE,
  type RowState,
  type RunRecord,
  type StateCount,
  toCounts,
  type WriteAction,
} from "@catalog/runs";

import type { PeriodState, RunActions, RunActivity, RunView } from "../../api/runs.ts";
import { nameFields, plainText } from "../plain-advice.ts";
import { estimateSending, type RunJobs } from "./run-jobs.ts";
import {
  findStale,
  isRefusedSync,
  nameRunsIn,
  readRunSummary,
  showRunState,
} from "./run-summary.ts";

/** Warnings that only describe how the file was read; nothing is lost or to be done. */
const FACTS: ReadonlySet<string> = new Set([
  "W_COLUMN_NOT_SENT",
  "W_HEADER_ROWS",
  "W_IMAGE_ROW",
  "W_PARENT_ROW",
]);

/** Notes on how the file was read, and the warnings that are more than that, as sentences. */
export function toNotes(
  { facts }: Pick<RunRecord, "facts">,
  warnings: RunRecord["warnings"],
  lang: Lang,
): Pick<RunView, "notes" | "warnings"> {
  const [known = [], open = []] = [true, false].map((isFact) =>
    warnings
      .filter(({ code }) => FACTS.has(code) === isFact)
      .map(({ message }) => plainText(message[lang])),
  );
  const notes = (facts?.reading?.notes ?? []).map((note) => plainText(note[lang]));
  return { notes: [...notes, ...known], warnings: open };
}

/** Reads the view of a run; the counts that need every row are kept while nothing changes. */
export type ReadRunView = (connection: Connection, run: RunRecord, lang: Lang) => Promise<RunView>;

const MAX_TALLIES = 20;

type RunTally = Awaited<ReturnType<typeof readTally>>;

interface KeptTally {
  readonly hash: string;
  readonly tally: RunTally;
}

export function createReadRunView(jobs: RunJobs): ReadRunView {
  // Another connection is that of another store.
  const known = new WeakMap<Connection, Map<string, KeptTally>>();
  const readKept = async (
    connection: Connection,
    run: RunRecord,
    lang: Lang,
    hash: string,
  ): Promise<RunTally> => {
    const tallies = known.get(connection) ?? new Map<string, KeptTally>();
    known.set(connection, tallies);
    const key = `${run.id} ${lang}`;
    const kept = tallies.get(key);
    // While rows are sent, the counts are those from before.
    if (kept !== undefined && (kept.hash === hash || jobs.isSending(run.id))) return kept.tally;
    const tally = await readTally(connection, run, lang);
    tallies.delete(key);
    tallies.set(key, { hash, tally });
    if (tallies.size > MAX_TALLIES) {
      const [oldest] = tallies.keys();
      if (oldest !== undefined) tallies.delete(oldest);
    }
    return tally;
  };
  return async (connection, run, lang) => {
    const states = await connection.journal.countRows(run.id);
    const hash = toPlanHash(run, states);
    const summary = await readRunSummary(connection, run, lang);
    const activity = await showRunState(connection, { run, jobs, stored: summary, lang });
    const tally = await readKept(connection, run, lang, hash);
    const stale = await findStale(connection, run, lang);
    const { reasons, ...counted } = describeTally(tally, run, lang);
    const texts = {
      ...toNotes(run, listWarnings(run, states), lang),
      reasons,
      problem: jobs.problemOf(run.id, lang) ?? stale,
    };
    return {
      ...summary,
      ...activity,
      planHash: hash,
      plan: await toPlan(connection, run, { states, lang, stock: tally.stock }),
      deeds: describeDeeds(run, tally),
      stockSent: tally.stockSent,
      left: countLeft(summary, tally),
      ...counted,
      ...(await nameRunsIn(connection, texts, lang)),
      refusal: describeRefusal(run, lang),
      priceUnitExample: readExample(run, lang),
      files: listResultFiles(run).map(({ name, label, bytes }) => ({
        name,
        label: label[lang],
        bytes,
      })),
      can: toAbilities(run, activity, {
        states,
        isStale: stale !== null,
        hasSent: tally.hasSent,
        isOver: summary.period !== null && OVER.has(summary.period.state),
      }),
    };
  };
}

const describeDeeds = (
  { progress: { actions } }: RunRecord,
  { deeds: { will, done } }: RunTally,
): RunView["deeds"] =>
  actions === undefined ? null : { will: will.join(", "), done: done.join(", ") };

function describeRefusal(run: RunRecord, lang: Lang): string | null {
  if (!isRefusedSync(run)) return null;
  return run.warnings.map(({ message }) => plainText(message[lang])).join(" ");
}

function readExample({ facts }: RunRecord, lang: Lang): RunView["priceUnitExample"] {
  const question = facts?.priceUnitQuestion;
  return (question && readPriceUnitExample(question, lang)) ?? null;
}

/** What an undo was about to do is shown by its rows once they are sent. */
function listWarnings(
  { state, warnings }: Pick<RunRecord, "state" | "warnings">,
  states: readonly StateCount[],
): RunRecord["warnings"] {
  const isSent = state === "finished" && toCounts(states).updated > 0;
  return isSent ? warnings.filter(({ code }) => code !== "W_UNDO") : warnings;
}

/** A digest that changes when a row of the plan changes its state. */
export function toPlanHash(
  { id, updatedAtMs }: Pick<RunRecord, "id" | "updatedAtMs">,
  states: readonly StateCount[],
): string {
  const counted = states.map(({ state, action, rows }) => `${state} ${action ?? "-"} ${rows}`);
  return createHash("sha256")
    .update([id, updatedAtMs, ...counted.toSorted()].join("\n"))
    .digest("hex")
    .slice(0, 32);
}

const GOING: ReadonlySet<RowState> = new Set(["ready", "sending", "ambiguous", "done"]);

/** Rows that an action is or will be done with. */
const countAction = (states: readonly StateCount[], action: WriteAction): number =>
  states
    .filter((count) => count.action === action && GOING.has(count.state))
    .reduce((sum, { rows }) => sum + rows, 0);

/** The rows as they are, after every decision that was recorded since the run was planned. */
async function toPlan(
  connection: Connection,
  { facts }: RunRecord,
  {
    states,
    lang,
    stock,
  }: { readonly states: readonly StateCount[]; readonly lang: Lang; readonly stock: number },
): Promise<RunView["plan"]> {
  const { unchanged, skipped, held, invalid, duplicate } = toCounts(states);
  const calls = facts?.planned.requests ?? 0;
  const seconds = await estimateSending(connection, calls);
  return {
    adds: countAction(states, "add"),
    updates: countAction(states, "update"),
    unchanged: unchanged + skipped,
    held,
    stock,
    invalid,
    duplicate,
    calls,
    duration: seconds === null ? null : formatDuration(seconds, lang),
    callsPerHour: (await connection.meters.pacing.callsPerHour()) ?? null,
  };
}

/** Rows that wait, held rows whose stock does, and prices that were never compared. */
function countLeft(
  { counts }: Pick<RunView, "counts">,
  { stock, reasons }: RunTally,
): RunView["left"] {
  const uncompared = reasons.find(({ code }) => code === PRICE_UNIT_CODE)?.rows ?? 0;
  const rows = counts.waiting + stock;
  return { rows, withUnit: rows + uncompared };
}

/** What is known of a field that the API does not document. */
const CAPABILITIES = {
  tr: {
    assumed: "Belgede yok; gönderilir, sonra mağazadan geri okunup denetlenir.",
    proven: "Belgede yok, ama bu mağazada uygulandığı görüldü.",
    refused: "Bu mağazanın uygulamadığı görüldü; gönderilmez.",
  },
  en: {
    assumed: "Not documented; it is sent, and then checked by reading the store back.",
    proven: "Not documented, but this store was seen to take it.",
    refused: "This store was seen not to take it; it is not sent.",
  },
};

/** Why rows of actions are held: each has its own reason, and all of them are of this kind. */
const HELD_ACTIONS: Readonly<Record<Lang, Readonly<Record<RunActions, string>>>> = {
  tr: {
    answers: "Yanıtlanmış, ya da sonucu belli olmayan sorular",
    packages: "Durumu değişmiş, ya da sonucu belli olmayan paketler",
    codes: "Kodu alınmış, ya da sonucu belli olmayan paketler",
    templates: "Değişmiş, ya da sonucu belli olmayan şablonlar",
  },
  en: {
    answers: "Questions that have an answer, or whose outcome is not known",
    packages: "Packages whose status has changed, or whose outcome is not known",
    codes: "Packages that have a code, or whose outcome is not known",
    templates: "Templates that have changed, or whose outcome is not known",
  },
};

function describeTally(
  { held, fields, reasons, sent }: RunTally,
  { progress: { actions } }: Pick<RunRecord, "progress">,
  lang: Lang,
): Pick<RunView, "guards" | "fields" | "reasons" | "capabilities"> {
  const texts = CAPABILITIES[lang];
  const known = new Map(sent.map(({ field, capability }) => [field, capability]));
  return {
    guards: held.map(({ group, label, rows }) => ({
      guard: group,
      label: actions === undefined ? label[lang] : HELD_ACTIONS[lang][actions.kind],
      rows,
    })),
    fields: fields.map(({ field, rows }) => ({ field, label: fieldLabel(field, lang), rows })),
    reasons: reasons.map(({ code, label, rows }) => ({
      code,
      label: nameFields(plainText(label), lang),
      rows,
    })),
    capabilities: [...known].flatMap(([field, state]) =>
      state === "documented" ? [] : [{ field: fieldLabel(field, lang), text: texts[state] }],
    ),
  };
}

/** States of a period in which nothing more of its run is sent. */
const OVER: ReadonlySet<PeriodState> = new Set(["ending", "ended", "left", "idle", "failed"]);

interface RunSituation {
  /** Whether its period has ended, after which nothing of it is sent. */
  readonly isOver: boolean;
  readonly states: readonly StateCount[];
  /** Whether the plan no longer describes its draft. */
  readonly isStale: boolean;
  /** Whether there is something that could be undone. */
  readonly hasSent: boolean;
}

const BUSY: ReadonlySet<RunActivity["state"]> = new Set(["sending", "planning"]);

function toAbilities(
  run: RunRecord,
  activity: RunActivity,
  situation: RunSituation,
): RunView["can"] {
  const { state, preparing } = activity;
  if (BUSY.has(state) || run.prunedAtMs !== undefined) {
    // A sync may be a schedule, which would end with its run.
    return { ...NOTHING_POSSIBLE, stop: state === "sending" && run.kind !== "sync" };
  }
  if (state === "queued") return { ...NOTHING_POSSIBLE, unqueue: true };
  const can = toIdleAbilities(run, state, situation);
  // What is planned from the run now holds the store.
  const taken = { resume: false, cancelRest: false, undo: false, retry: false };
  return preparing === null ? can : { ...can, ...taken };
}

/** What can be done with a run on which nothing works. */
function toIdleAbilities(
  run: RunRecord,
  state: RunActivity["state"],
  { states, isStale, hasSent, isOver }: RunSituation,
): RunView["can"] {
  const { rejected, held } = toCounts(states);
  const isFile = run.kind !== "sync";
  const isStopped = isFile && state === "stopped";
  return {
    ...NOTHING_POSSIBLE,
    send: isFile && state === "planned" && !isStale,
    resume: isStopped && !isOver,
    cancelRest: isStopped && hasRowsLeft(states),
    undo: run.state !== "planned" && hasSent && isUndoable(run),
    retry: rejected > 0 && isRetryable(run),
    release: held > 0 && !isOver && run.settings.isDryRun !== true,
  };
}

/** What was said to a buyer, or decided on an order, is not taken back. */
const isUndoable = ({ progress: { actions } }: RunRecord): boolean =>
  actions === undefined || actions.kind === "templates";

function hasRowsLeft(states: readonly StateCount[]): boolean {
  const { pending, unknown } = toCounts(states);
  return pending + unknown > 0;
}

/** Rows of an undo are not retried: the run is undone again. */
const isRetryable = ({ kind, progress, state }: RunRecord): boolean =>
  kind !== "sync" && progress.undoOf === undefined && state === "finished";

const NOTHING_POSSIBLE: RunView["can"] = {
  send: false,
  resume: false,
  stop: false,
  unqueue: false,
  cancelRest: false,
  undo: false,
  retry: false,
  release: false,
};
