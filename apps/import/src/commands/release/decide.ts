/** Carries out what a person has decided about held rows: released, cancelled, or accepted as they are. */

import { type Connection, recordEnd } from "@catalog/connection";
import { EXIT, type Flags, printJson, UsageError, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import {
  cancelRest,
  type DecidedRow,
  findResendRisks,
  findUncompared,
  isFeedRun,
  lockForCancel,
  readApprovals,
  readRun,
  readWholeRun,
  type ReleasedRow,
  type ReleasedRows,
  releaseRows,
} from "@catalog/importer";
import { heldPathOf } from "@catalog/report";
import {
  rowAddress,
  type RowRecord,
  type RunRecord,
  toCounts,
  type Release,
  RESEND_WAIT_MINUTES,
} from "@catalog/runs";

import { applyAndReport, storedExit } from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { runFlag } from "../../flags.ts";
import { formatResult } from "../../report-texts.ts";
import { openForRun } from "../../run-settings.ts";
import {
  countDecided,
  readCounts,
  readGuarded,
  reportRun,
  tellApart,
  tellWarning,
} from "../../run-view.ts";
import { textsFor } from "../../texts.ts";
import { releaseTexts } from "./texts.ts";

export interface ReleaseStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  readonly decided: readonly DecidedRow[];
  /** Whether rows were named that cannot be released. @default false */
  readonly hasRefused?: boolean;
  /** Whether the decisions are the marks in the run's file of held rows. @default false */
  readonly replacesHeld?: boolean;
}

/** Returns the exit code, which rows that stay held make non-zero. */
export async function recordAndSend(
  context: CommandContext,
  connection: Connection,
  step: ReleaseStep,
): Promise<number> {
  const { run, replacesHeld } = step;
  const { released, sentBy } = await recordAll(context, connection, step);
  if (sentBy === "apply" && !context.stop.aborted) {
    return await sendReleased(context, connection, { ...step, released });
  }
  const isKept = step.hasRefused === true || released.some(({ to }) => to === "held");
  const exit = isKept ? EXIT.someFailed : EXIT.done;
  await reportReleased(context, connection, { run, exit, released, replacesHeld });
  if (isFeedRun(run) && released.some(({ to }) => to === "cancelled")) {
    tellApart(context, releaseTexts(context.lang).feed.cancelled);
  }
  return sentBy === "nothing" ? exit : describeSender(context, run, exit);
}

/** States which command sends the released rows, and returns the exit code. */
function describeSender(context: CommandContext, run: RunRecord, exit: number): number {
  const texts = releaseTexts(context.lang);
  const isFeed = isFeedRun(run);
  tellApart(context, isFeed ? texts.feed.next : texts.othersWait(run.id));
  return exit === EXIT.done && !isFeed ? EXIT.stopped : exit;
}

interface RecordedRelease {
  readonly run: RunRecord;
  readonly exit: number;
  readonly released: readonly ReleasedRow[];
  readonly replacesHeld: boolean | undefined;
}

/** Writes the result files again, with the decisions. */
async function reportReleased(
  context: CommandContext,
  connection: Connection,
  { run, exit, released, replacesHeld }: RecordedRelease,
): Promise<void> {
  const guarded = await readGuarded(connection, run);
  const now = storedExit({ ...run, guarded }, await readCounts(connection, run));
  // The next sync sends the rows of a sync, so that this one stays as it ended.
  const stored = isFeedRun(run) ? (run.progress.ended?.exit ?? now) : now;
  if (!isFeedRun(run)) await recordEnd(connection, run.id, { exit: stored });
  const printed = { command: "release", exit };
  const summary = await reportRun(context, connection, run, {
    command: run.command,
    exit: stored,
    printed,
    replacesHeld,
  });
  const decided = await countDecided(connection, run, toSettled(released));
  const { terminal, lang } = context;
  if (context.json) printJson(terminal, { ...summary, counts_now: decided, released });
  else terminal.out(formatResult(summary, lang, { columns: terminal.outColumns, decided }));
}

/** Rows that were given up, sent, or kept; a row that a person counts as done was not sent now. */
const toSettled = (released: readonly ReleasedRow[]): readonly number[] =>
  released.filter(({ to }) => to !== "done").map(({ row }) => row);

async function sendReleased(
  context: CommandContext,
  connection: Connection,
  { run, flags, hasRefused, released, replacesHeld }: ReleaseStep & Pick<ReleasedRows, "released">,
): Promise<number> {
  const kept = { recheck: "adds", isContinued: true } as const;
  const step = {
    command: "release",
    flags,
    run,
    ...kept,
    decided: toSettled(released),
    replacesHeld,
  };
  const exit = await applyAndReport(context, connection, step);
  return exit === EXIT.done && hasRefused === true ? EXIT.someFailed : exit;
}

/** Records the decisions, and prints the outcome of each. */
async function recordAll(
  { terminal, lang, json, user = "?", stop: signal }: CommandContext,
  connection: Connection,
  { run, flags, decided }: ReleaseStep,
): Promise<ReleasedRows> {
  const texts = releaseTexts(lang);
  const onReleased = (row: ReleasedRow): void => {
    const named = rowAddress(run.file, row.row);
    const text =
      row.to === "held" ? texts.kept(named, row.why[lang]) : texts.recorded[row.to](named);
    const line = wrapText(terminal.shown(text), { columns: terminal.outColumns, indent: 4 });
    if (json) terminal.err(`${line}\n`);
    else terminal.out(`${line}\n`);
  };
  const reason = readFlag.text(flags, "reason");
  return await releaseRows(connection, { run, decided, by: user, reason, signal, onReleased });
}

interface ApprovedIn {
  readonly run: RunRecord;
  readonly flags: Flags;
  /** The path as it was typed. */
  readonly path: string;
}

/** Releases exactly the marked rows, and reports the marks that cannot be followed. */
export async function releaseApproved(
  context: CommandContext,
  connection: Connection,
  { run, flags, path }: ApprovedIn,
): Promise<number> {
  const { terminal, lang, json } = context;
  const texts = releaseTexts(lang);
  const { approved, declined, refused } = await readApprovals(connection, run, {
    path: context.resolve(path),
    limits: context.limits,
    encoding: readFlag.text(flags, "encoding"),
  });
  for (const { fileRow, why } of refused) {
    const columns = terminal.outColumns;
    terminal.err(
      `${wrapText(terminal.shown(texts.refused(fileRow, why[lang])), { columns, indent: 4 })}\n`,
    );
  }
  if (approved.length + declined.length === 0) {
    const exit = refused.length > 0 ? EXIT.someFailed : EXIT.done;
    if (json)
      printJson(context.terminal, { command: "release", run: run.id, exit, released: [], refused });
    if (refused.length === 0) terminal.err(`${texts.noneApproved}\n`);
    terminal.err(`${texts.stillWait(await countHeld(connection, run))}\n`);
    return exit;
  }
  const isFeed = isFeedRun(run);
  for (const [kind, { length: rows }] of [
    ["approve", approved],
    ["cancel", declined],
  ] as const) {
    const question = kind === "cancel" ? texts.confirmDeclined(rows) : undefined;
    const asked = { kind, rows, isFeed, question };
    const exit = rows === 0 ? undefined : await confirmRelease(context, flags, asked);
    if (exit !== undefined) return exit;
  }
  const decided = [
    ...approved.map((record) => ({ record, release: APPROVE })),
    ...declined.map((record) => ({ record, release: CANCEL })),
  ];
  const hasRefused = refused.length > 0;
  const replacesHeld = context.resolve(path) === heldPathOf(run);
  const step = { run, flags, decided, hasRefused, replacesHeld };
  return await recordAndSend(context, connection, step);
}

const countHeld = async ({ journal }: Connection, { id }: RunRecord): Promise<number> =>
  toCounts(await journal.countRows(id)).held;

const [APPROVE, CANCEL] = [{ kind: "approve" }, { kind: "cancel" }] as const;

interface AskedRelease {
  readonly kind: Release["kind"];
  readonly rows: number;
  readonly isFeed: boolean;
  /** @default that of the kind */
  readonly question?: string | undefined;
}

const needsYes = (): UsageError =>
  new UsageError({ tr: releaseTexts("tr").needsYes, en: releaseTexts("en").needsYes });

/**
 * Asks for confirmation, unless `--yes` was given. Returns the exit code where the person declines.
 */
export async function confirmRelease(
  { terminal, lang }: CommandContext,
  flags: Flags,
  asked: AskedRelease,
): Promise<number | undefined> {
  if (flags["yes"] === true) return undefined;
  const texts = releaseTexts(lang);
  const words = { yes: texts.yes, no: texts.no };
  const { kind, rows, isFeed } = asked;
  const isForNextSync = isFeed && (kind === "resend" || kind === "approve");
  const usual = isForNextSync ? texts.feed.confirm(rows) : texts.confirm[kind](rows);
  const { question = usual } = asked;
  if (!terminal.canAsk) throw needsYes();
  const answer = await terminal.ask(question, words);
  if (answer === true) return undefined;
  terminal.err(`${texts.declined}\n`);
  return answer === undefined ? EXIT.interrupted : EXIT.done;
}

/** Flags that decide on single rows. */
const OTHERS = ["rows", "as-done", "resend", "resend-blind", "cancel", "approved"] as const;

/** `catalog release RUN --cancel-rest`. Returns the exit code. */
export async function runCancelRest(context: CommandContext, flags: Flags): Promise<number> {
  if (OTHERS.some((name) => flags[name] !== undefined)) throw standsAlone();
  await using connection = await openForRun(context, flags);
  const run = await readWholeRun(connection, runFlag(flags));
  await using _lock = await lockForCancel(connection, run);
  const { pending, unknown } = await readCounts(connection, run);
  const texts = releaseTexts(context.lang);
  if (pending + unknown === 0) {
    tellApart(context, texts.noRest(run.id));
    return await report(context, connection, { run, cancelled: 0 });
  }
  const question = texts.confirmRest(pending, unknown);
  const asked = { kind: "cancel", rows: pending + unknown, isFeed: false, question } as const;
  const declined = await confirmRelease(context, flags, asked);
  if (declined !== undefined) return declined;
  if (unknown > 0 && !context.quiet) tellApart(context, texts.lookingUp(unknown));
  const { cancelled } = await cancelRest(connection, {
    run,
    by: context.user ?? "?",
    reason: readFlag.text(flags, "reason"),
    signal: context.stop,
  });
  return await report(context, connection, { run, cancelled });
}

const standsAlone = (): UsageError =>
  new UsageError({
    tr: "--cancel-rest tek başına verilir; --rows, --as-done, --resend, --cancel ve --approved ile birlikte olmaz.",
    en: "--cancel-rest stands alone; it excludes --rows, --as-done, --resend, --cancel and --approved.",
  });

interface GivenUp {
  readonly run: RunRecord;
  readonly cancelled: number;
}

/** Writes the result files again. A run with rows of unknown outcome is left to be resumed. */
async function report(
  context: CommandContext,
  connection: Connection,
  { run: { id }, cancelled }: GivenUp,
): Promise<number> {
  const { terminal, lang, json } = context;
  const run = await readRun(connection, id);
  const counts = await readCounts(connection, run);
  const exit = counts.pending + counts.unknown === 0 ? EXIT.done : EXIT.stopped;
  const guarded = await readGuarded(connection, run);
  const summary = await reportRun(context, connection, run, {
    command: run.command,
    exit: storedExit({ ...run, guarded }, counts),
    printed: { command: "release", exit },
  });
  if (json) {
    printJson(terminal, { ...summary, given_up: cancelled });
    return exit;
  }
  terminal.out(formatResult(summary, lang, { columns: terminal.outColumns }));
  if (exit === EXIT.stopped) tellApart(context, textsFor(lang).resumeWith(id));
  if (counts.held > 0) tellApart(context, textsFor(lang).releaseWith(id));
  return exit;
}

interface UncomparedTexts {
  readonly question: (rows: string) => string;
  readonly yes: string;
  readonly no: string;
}

const UNCOMPARED_TEXTS: Readonly<Record<Lang, UncomparedTexts>> = {
  tr: {
    question: (rows) =>
      `Mağazadaki fiyatların birimi (kuruş mu, lira mı) bilinmediği için şu satırların fiyatı eskisiyle karşılaştırılmadı, 100 kat yanlış olabilir: ${rows}. Fiyatları kendiniz kontrol ettiniz mi, olduğu gibi gönderilsin mi?`,
    yes: "Evet",
    no: "Hayır",
  },
  en: {
    question: (rows) =>
      `The unit of the store's prices (minor or major) was not known, so the prices of these rows were not compared with the old ones and may be 100 times off: ${rows}. Have you checked them yourself, and are they to be sent as they are?`,
    yes: "Yes",
    no: "No",
  },
};

/** Rows named one by one; the others are counted. */
const MAX_NAMED = 20;

interface UncomparedStep {
  readonly run: RunRecord;
  /** Rows to be sent. */
  readonly records: readonly RowRecord[];
}

/**
 * The rows whose price a person has confirmed, in one question for all; `--yes` does not answer it.
 */
export async function acceptUncompared(
  { terminal, lang }: CommandContext,
  connection: Connection,
  { run, records }: UncomparedStep,
): Promise<ReadonlySet<number>> {
  const rows = await findUncompared(connection, run, records);
  if (rows.length === 0 || !terminal.canAsk) return new Set();
  const { question, yes, no } = UNCOMPARED_TEXTS[lang];
  const named = rows
    .slice(0, MAX_NAMED)
    .map((row) => rowAddress(run.file, row))
    .join(", ");
  const more = rows.length > MAX_NAMED ? `, … (${rows.length})` : "";
  const text = wrapText(question(named + more), { columns: terminal.columns, indent: 0 });
  const isChecked = await terminal.ask(text, { yes, no });
  return new Set(isChecked === true ? rows : []);
}

/** Codes that a person has to type; for more the flag is needed. */
const MAX_TYPED = 10;

interface UnprovenTexts {
  readonly unproven: (rows: number) => string;
  readonly type: (row: string, code: string) => string;
  readonly other: (row: string) => string;
  readonly tooMany: string;
  readonly early: (rows: string) => string;
}

const UNPROVEN_TEXTS: Readonly<Record<Lang, UnprovenTexts>> = {
  tr: {
    unproven: (rows) =>
      `Bu mağazanın eklenen ürünleri gösterdiği henüz görülmedi; mağazada görünmemeleri bir şey kanıtlamaz. Seçilen ${rows} ürün mağazada oluşmuş olabilir: yeniden gönderilirse iki kez eklenebilir, silinemez de.`,
    type: (row, code) =>
      `Satır ${row}: mağaza panelinde de yoksa ve yine de gönderilecekse ürün kodunu yazın (${code}); boş bırakırsanız bekler.`,
    other: (row) => `Satır ${row}: yazılan kod bu satırınki değil; satır beklemede kalır.`,
    tooMany: `Kod yazarak en çok ${MAX_TYPED} satır gönderilir; satırları --rows ile bölün ya da hepsi için --resend-blind verin.`,
    early: (rows) =>
      `Bu satırların isteği ${RESEND_WAIT_MINUTES} dakikadan kısa süre önce gitti ve geç de olsa tamamlanabilir: ${rows}. Beklemek daha güvenlidir; şimdi gönderilen ürün iki kez eklenebilir.`,
  },
  en: {
    unproven: (rows) =>
      `This store has not been seen to show the products that are added to it, so not finding them proves nothing. The chosen products (${rows}) may be in the store: sent again they may be there twice, and cannot be deleted.`,
    type: (row, code) =>
      `Row ${row}: if the panel does not show it either and it is to be sent all the same, type its product code (${code}); leave it empty to let the row wait.`,
    other: (row) => `Row ${row}: the code is not that of the row, which stays held.`,
    tooMany: `At most ${MAX_TYPED} rows can be sent by typing their codes; choose fewer with --rows, or give --resend-blind for all of them.`,
    early: (rows) =>
      `The requests of these rows left less than ${RESEND_WAIT_MINUTES} minutes ago and may still be carried out: ${rows}. Waiting is safer; a product that is sent now may be added twice.`,
  },
};

interface UnprovenStep {
  readonly run: RunRecord;
  readonly flags: Flags;
  /** Rows to be sent again. */
  readonly records: readonly RowRecord[];
}

/**
 * The rows whose possible duplicate a person has accepted with `--resend-blind` or by typing the
 * code; `--yes` accepts none. `undefined` when a question was cancelled. Warns of requests that
 * were sent a moment ago.
 */
export async function acceptUnprovenAdds(
  context: CommandContext,
  connection: Connection,
  { run, flags, records }: UnprovenStep,
): Promise<ReadonlySet<number> | undefined> {
  const { terminal, lang, stop } = context;
  const texts = UNPROVEN_TEXTS[lang];
  const nameOf = ({ row }: RowRecord): string => rowAddress(run.file, row);
  const { unproven, early } = await findResendRisks(connection, { run, records, signal: stop });
  if (early.length > 0) tellWarning(context, texts.early(early.map(nameOf).join(", ")));
  if (unproven.length > 0) tellWarning(context, texts.unproven(unproven.length));
  if (flags["resend-blind"] === true) return new Set(unproven.map(({ row }) => row));
  if (unproven.length === 0 || !terminal.canAsk) return new Set();
  if (unproven.length <= MAX_TYPED) return await askForCodes(context, unproven, nameOf);
  tellWarning(context, texts.tooMany);
  return new Set();
}

async function askForCodes(
  context: CommandContext,
  records: readonly RowRecord[],
  nameOf: (record: RowRecord) => string,
): Promise<ReadonlySet<number> | undefined> {
  const { askText } = context.terminal;
  const texts = UNPROVEN_TEXTS[context.lang];
  const accepted = new Set<number>();
  for (const record of records) {
    const { row, code } = record;
    const typed = await askText?.(texts.type(nameOf(record), code ?? ""));
    if (typed === undefined) return askText === undefined ? accepted : undefined;
    if (typed !== "" && typed === code?.trim()) accepted.add(row);
    else if (typed !== "") tellWarning(context, texts.other(nameOf(record)));
  }
  return accepted;
}
