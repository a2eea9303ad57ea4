/** Shows the held rows of a run, and decides those that a person names. */

import type { Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, UsageError, readFlag } from "@catalog/console";
import { formatDateTime, quoteWord } from "@catalog/i18n";
import {
  acceptRows,
  assertReadable,
  type DecidedRow,
  findNewerSyncOf,
  findUndo,
  isFeedRun,
  lockForRelease,
  readWholeRun,
  toSending,
} from "@catalog/importer";
import { listHeldRuns, readHistory } from "@catalog/report";
import {
  guardOf,
  locateIssue,
  pickReason,
  PRICE_UNIT_CODE,
  rowAddress,
  rowArgument,
  type RowRecord,
  type RunRecord,
  type Release,
} from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { priceUnitFlag, runFlag } from "../../flags.ts";
import { findHeldFile, nameHeldFile } from "../../problems.ts";
import { createHints, formatIssue } from "../../report-texts.ts";
import { namesRow, parseRowRanges, type RowRange } from "../../row-ranges.ts";
import { openForRun } from "../../run-settings.ts";
import { tell, tellWarning } from "../../run-view.ts";
import {
  acceptUncompared,
  acceptUnprovenAdds,
  confirmRelease,
  recordAndSend,
  releaseApproved,
  type ReleaseStep,
} from "./decide.ts";
import { releaseTexts } from "./texts.ts";

/** Rows of one run that are shown; the command that decides on them shows the others. */
const MAX_SHOWN = 10;

/** Rows of one run in a document. */
const MAX_LISTED = 1_000;

/** Returns the exit code, which is that of a command that was carried out, whatever waits. */
export async function runWaiting(context: CommandContext): Promise<number> {
  await using connection = await context.openConnection();
  const found = await listHeldRuns(connection);
  if (context.json) {
    const waiting = [];
    for (const one of found) waiting.push(await toDocument(connection, one));
    const rows = found.reduce((sum, { held }) => sum + held, 0);
    printJson(context.terminal, { command: "release", run: null, exit: EXIT.done, rows, waiting });
    return EXIT.done;
  }
  if (found.length === 0) context.terminal.out(`${releaseTexts(context.lang).nothingWaits}\n`);
  for (const one of found) await showHeldRun(context, connection, one);
  return EXIT.done;
}

const readHeld = async (
  { journal }: Connection,
  { run }: HeldRun,
  limit: number,
): Promise<readonly RowRecord[]> => await journal.readRows(run.id, { states: ["held"], limit });

async function toDocument(connection: Connection, found: HeldRun): Promise<object> {
  const { run, held } = found;
  const { began_at, source, files } = readHistory(connection, run);
  const records = await readHeld(connection, found, MAX_LISTED);
  const rows = records.map(({ row, code, action, issues }) => ({
    row,
    code,
    action,
    issues: issues.map((issue) => locateIssue(run.file, issue, run.id)),
  }));
  return { run: run.id, began_at, source, held_file: files.held, held, rows };
}

type HeldRun = Awaited<ReturnType<typeof listHeldRuns>>[number];

async function showHeldRun(
  { terminal, lang }: CommandContext,
  connection: Connection,
  found: HeldRun,
): Promise<void> {
  const { run, held } = found;
  const texts = releaseTexts(lang);
  terminal.out(
    `${texts.waitingIn({ run: run.id, source: run.file.name, atMs: run.createdAtMs, held })}\n`,
  );
  for (const { row, code, issues } of await readHeld(connection, found, MAX_SHOWN)) {
    const { reason: issue } = pickReason(issues);
    terminal.out(`  ${rowAddress(run.file, row)}  ${code ?? ""}  ${issue?.message[lang] ?? ""}\n`);
  }
  if (held > MAX_SHOWN) terminal.out(`  … ${texts.moreWait(held - MAX_SHOWN)}\n`);
  terminal.out(`  catalog release ${run.id}\n\n`);
}

/** Parts of the list that a message names. */
const MAX_NAMED = 20;

interface NamedRows {
  /** The parts of `--rows`. @default every row is named */
  readonly ranges: readonly RowRange[] | undefined;
  /** Held rows that were read, in the order of the file. */
  readonly held: readonly { readonly row: number }[];
  /** Whether there may be more of them behind the last one. */
  readonly isCut: boolean;
}

/** Names the parts of the list that are passed over, so that a slip is noticed. */
export function warnNotWaiting(
  { terminal, lang }: CommandContext,
  { ranges = [], held, isCut }: NamedRows,
): void {
  const lastRead = isCut ? (held.at(-1)?.row ?? 0) : Number.POSITIVE_INFINITY;
  const passedOver = ranges.filter(
    (range) => range.to <= lastRead && !held.some(({ row }) => namesRow([range])(row)),
  );
  const names = [...new Set(passedOver.map(({ text }) => text))];
  if (names.length === 0) return;
  const shown = [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ["…"] : [])];
  tellWarning({ terminal }, releaseTexts(lang).notWaiting(shown.join(", ")));
}

/** States when and by which run it was undone; says nothing where no row can be sent. */
async function warnUndone(
  { terminal, lang }: CommandContext,
  connection: Connection,
  { run, release }: { readonly run: RunRecord; readonly release: Release | undefined },
): Promise<void> {
  if (release?.kind === "cancel") return;
  const [held] = await connection.journal.readRows(run.id, { states: ["held"], limit: 1 });
  const undo = held && (await findUndo(connection, run));
  if (undo === undefined) return;
  const { id, createdAtMs } = undo.run;
  const time = formatDateTime(createdAtMs, lang, { dateStyle: "short", timeStyle: "short" });
  tellWarning({ terminal }, releaseTexts(lang).undone(time, id));
}

/** Held rows processed at a time. */
const MAX_ROWS = 1_000;

/** `catalog release RUN`: decides on held rows. */
export async function runReleaseCommand(context: CommandContext, flags: Flags): Promise<number> {
  const release = readRelease(flags);
  const approvedIn = readFlag.text(flags, "approved");
  if (approvedIn !== undefined) await assertReadable(context.resolve(approvedIn));
  await using connection = await openForRun(context, flags);
  const run = await readWholeRun(connection, runFlag(flags));
  const rows = readFlag.text(flags, "rows");
  const ranges = rows === undefined ? undefined : parseRowRanges(rows, run.file);
  await using _lock = await lockForRelease(connection, run, "catalog release");
  printUnit(context, flags, run);
  await warnUndone(context, connection, { run, release });
  if (approvedIn !== undefined) {
    return await releaseApproved(context, connection, { run, flags, path: approvedIn });
  }
  const held = await connection.journal.readRows(run.id, { states: ["held"], limit: MAX_ROWS });
  const isNamed = namesRow(ranges);
  const records = held.filter(({ row }) => isNamed(row));
  assertSomeWait(run, held, records);
  if (records.length > 0) {
    warnNotWaiting(context, { ranges, held, isCut: held.length === MAX_ROWS });
  }
  if (release === undefined) return await showAndAsk(context, connection, { run, flags, records });
  const isList = run.progress.actions !== undefined;
  if (release.kind === "as-done") assertAsDone(release, { isList, rows: records.length });
  if (records.length === 0) return await showNone(context, connection, run);
  const declined = await confirmRelease(context, flags, {
    kind: release.kind,
    rows: records.length,
    isFeed: isFeedRun(run),
    question: questionOn(context, { run, kind: release.kind, records }),
  });
  if (declined !== undefined) return declined;
  const decided = records.map((record) => ({ record, release }));
  return await recordKnowingly(context, connection, { run, flags, decided });
}

/** The question on rows of which nothing has left; otherwise the usual one. */
function questionOn(
  { lang }: CommandContext,
  { run, kind, records }: Pick<HeldRows, "run" | "records"> & Pick<Release, "kind">,
): string | undefined {
  if (run.progress.actions !== undefined && kind !== "approve") {
    return releaseTexts(lang).list.confirm[kind](records.length);
  }
  if (!records.every(isUnsent)) return undefined;
  const texts = releaseTexts(lang);
  if (kind === "cancel") return texts.confirmUnsent(records.length);
  const isUpdating = records.every(({ action }) => action === "update");
  return kind === "resend" && isUpdating && !isFeedRun(run)
    ? texts.confirm.approve(records.length)
    : undefined;
}

/** States what a unit of prices given now is used for. */
function printUnit(context: CommandContext, flags: Flags, { id }: RunRecord): void {
  if (priceUnitFlag(flags) !== undefined) tell(context, releaseTexts(context.lang).unitKept(id));
}

/** Records decisions, after possible duplicates were accepted row by row. */
async function recordKnowingly(
  context: CommandContext,
  connection: Connection,
  step: ReleaseStep,
): Promise<number> {
  const { run, flags } = step;
  const resent = step.decided.filter(({ release }) => release.kind === "resend");
  const records = resent.map(({ record }) => record);
  const unproven = await acceptUnprovenAdds(context, connection, { run, flags, records });
  if (unproven === undefined) {
    context.terminal.err(`${releaseTexts(context.lang).declined}\n`);
    return EXIT.interrupted;
  }
  const uncompared = await acceptUncompared(context, connection, { run, records });
  const decided = acceptRows(step.decided, { unproven, uncompared });
  return await recordAndSend(context, connection, { ...step, decided });
}

/** The decision of the flags; `undefined` when they leave it open. */
function readRelease(flags: Flags): Release | undefined {
  const productId = typeof flags["as-done"] === "string" ? flags["as-done"] : undefined;
  const given: Release[] = [
    ...(productId === undefined ? [] : [{ kind: "as-done", productId } as const]),
    ...(flags["resend"] === true || flags["resend-blind"] === true
      ? [{ kind: "resend" } as const]
      : []),
    ...(flags["cancel"] === true ? [{ kind: "cancel" } as const] : []),
  ];
  const isMore = given.length > 0 || readFlag.text(flags, "rows") !== undefined;
  if (isMore && readFlag.text(flags, "approved") !== undefined) {
    throw new UsageError({
      tr: "--approved tek başına verilir; --rows, --as-done, --resend ve --cancel ile birlikte olmaz.",
      en: "--approved stands alone; it excludes --rows, --as-done, --resend and --cancel.",
    });
  }
  if (given.length > 1) {
    throw new UsageError({
      tr: "--as-done, --resend ve --cancel birlikte verilemez; birini seçin.",
      en: "--as-done, --resend and --cancel exclude each other; choose one.",
    });
  }
  return given[0];
}

/** Throws where some rows wait, and none of those that were named. */
function assertSomeWait(
  { file }: RunRecord,
  held: readonly RowRecord[],
  chosen: readonly RowRecord[],
): void {
  if (chosen.length > 0 || held.length === 0) return;
  const named = held.slice(0, MAX_NAMED).map(({ row }) => rowAddress(file, row));
  const rows = [...named, ...(held.length > MAX_NAMED ? ["…"] : [])].join(", ");
  throw new UsageError({
    tr: `--rows ile verilen satırlardan karar bekleyen yok. Bekleyen satırlar: ${rows}`,
    en: `None of the rows given with --rows waits for a decision. These rows wait: ${rows}`,
  });
}

/** A list of actions has no products, and its rows may be settled together. */
function assertAsDone(
  { productId }: Extract<Release, { readonly kind: "as-done" }>,
  { isList, rows }: { readonly isList: boolean; readonly rows: number },
): void {
  if (isList && productId === "") return;
  if (isList) {
    throw new UsageError({
      tr: "--as-done bu çalıştırmada kimlik almaz: satır ürünle ilgili değil. Yalnız --as-done yazın.",
      en: "--as-done takes no id here, as the rows are about no products. Write --as-done alone.",
    });
  }
  if (productId === "") {
    throw new UsageError({
      tr: "--as-done için mağazadaki ürünün kimliğini verin: --as-done ÜRÜN_ID",
      en: "Give --as-done the id of the product in the store: --as-done PRODUCT_ID",
    });
  }
  if (rows !== 1) throw oneRowOnly(rows);
}

function oneRowOnly(rows: number): UsageError {
  return new UsageError({
    tr: `--as-done tek bir bekleyen satır içindir, seçilen: ${rows}. Satırı --rows ile verin.`,
    en: `--as-done is for one held row, and ${rows} are chosen. Name the row with --rows.`,
  });
}

interface HeldRows {
  readonly run: RunRecord;
  readonly flags: Flags;
  readonly records: readonly RowRecord[];
}

async function showAndAsk(
  context: CommandContext,
  connection: Connection,
  { run, flags, records }: HeldRows,
): Promise<number> {
  if (records.length === 0) return await showNone(context, connection, run);
  const isUndecided = lacksDecision(context, flags);
  if (isUndecided && context.json) throw noDecision();
  const exit = show(context, run, records);
  if (isUndecided) throw noDecision();
  if (context.json || !context.terminal.canAsk) return exit;
  const decided = await askForEach(context, run, records);
  if (decided === undefined) return EXIT.interrupted;
  return decided.length === 0
    ? exit
    : await recordKnowingly(context, connection, { run, flags, decided });
}

/** Whether the flags ask for a decision that they do not make, and no person can be asked. */
const lacksDecision = ({ terminal, json }: CommandContext, flags: Flags): boolean =>
  flags["yes"] === true ||
  (!json && !terminal.canAsk && readFlag.text(flags, "rows") !== undefined);

const noDecision = (): UsageError =>
  new UsageError({
    tr: "Satırlara ne olacağı söylenmedi; hiçbiri değişmedi. Göndermek için --resend, vazgeçmek için --cancel, mağazadaki bir ürün için --as-done ÜRÜN_ID ekleyin; doldurduğunuz held.xlsx için --approved verin.",
    en: "Nothing says what is to become of the rows, and none was changed. Add --resend to send them, --cancel to give them up, --as-done PRODUCT_ID for a product of the store, or give the held.xlsx that you filled in with --approved.",
  });

/** The person's decision on each row; `undefined` when a question was cancelled. */
async function askForEach(
  { terminal: { choose }, lang }: CommandContext,
  run: RunRecord,
  records: readonly RowRecord[],
): Promise<readonly DecidedRow[] | undefined> {
  if (choose === undefined) return [];
  const texts = releaseTexts(lang);
  const decided: DecidedRow[] = [];
  for (const record of records) {
    const labels = {
      ...texts.choices,
      ...(record.action === "update" ? { resend: texts.sendUpdate } : {}),
      ...(run.progress.actions === undefined ? {} : { resend: texts.list.resend }),
      ...(isFeedRun(run) ? texts.feed.choices : {}),
    };
    // The first one is chosen by Enter alone, which must decide nothing.
    const choices = (["leave", "resend", "cancel"] as const).map((value) => ({
      value,
      label: labels[value],
    }));
    const kind = await choose(texts.ask(nameOf(run, record), record.code ?? ""), choices);
    if (kind === undefined) return undefined;
    if (kind === "resend") decided.push({ record, release: toSending(record) });
    if (kind === "cancel") decided.push({ record, release: { kind } });
  }
  return decided;
}

const nameOf = ({ file }: RunRecord, { row }: RowRecord): string => rowAddress(file, row);

/** States that no row is held, and which sync has replaced those that were. */
async function showNone(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<number> {
  const exit = show(context, run, []);
  const newer = context.json ? undefined : await findNewerSyncOf(connection, run);
  if (newer !== undefined) tell(context, releaseTexts(context.lang).superseded(newer));
  return exit;
}

/** Lists held rows with the reasons. */
function show(context: CommandContext, run: RunRecord, records: readonly RowRecord[]): number {
  const { terminal, lang } = context;
  const texts = releaseTexts(lang);
  if (context.json) {
    const rows = records.map(({ row, code, action, issues, note }) => ({
      row,
      code,
      action,
      issues: issues.map((issue) => locateIssue(run.file, issue, run.id)),
      note,
    }));
    printJson(context.terminal, { command: "release", run: run.id, exit: EXIT.done, rows });
    return EXIT.done;
  }
  const hint = createHints();
  const held = findHeldFile(context, run);
  if (records.length === 0) terminal.out(`${texts.none(run.id)}\n`);
  for (const record of records) {
    terminal.out(`${texts.rowHead(nameOf(run, record), record.code ?? "")}\n`);
    for (const issue of record.issues) {
      const located = nameHeldFile(locateIssue(run.file, issue, run.id), held);
      terminal.out(formatIssue(hint(located), lang, terminal));
    }
  }
  if (records.length > 0) terminal.err(`\n${adviseOn(context, run, records)}\n`);
  return EXIT.done;
}

/** The commands that make sense for the rows, each with a row of its kind. */
function adviseOn(context: CommandContext, run: RunRecord, records: readonly RowRecord[]): string {
  const nameFirst = (first: RowRecord | undefined): string | undefined =>
    first && rowArgument(run.file, first.row);
  const texts = releaseTexts(context.lang);
  const path = quoteWord(findHeldFile(context, run) ?? "held.xlsx");
  if (run.progress.actions !== undefined) {
    return texts.list.howTo(run.id, nameFirst(records[0]) ?? "", path);
  }
  return texts.howTo({
    run: run.id,
    held: path,
    guarded: nameFirst(records.find(isUnsent)),
    compared: nameFirst(records.find((record) => isUnsent(record) && isCompared(record))),
    unsure: nameFirst(records.find((record) => !isUnsent(record))),
    isFeed: isFeedRun(run),
  });
}

/** A price of an unknown unit is compared first, by a command that the row's advice names. */
const isCompared = ({ issues }: RowRecord): boolean =>
  !issues.some(({ code }) => code === PRICE_UNIT_CODE);

/** Whether a guard holds values that have not left, so that the store cannot have them. */
const isUnsent = ({ attempts, changes, issues }: RowRecord): boolean => {
  // The stock goes with the first attempt, and all the rest with a second one.
  const sent = changes.some(({ part }) => part === "sent") ? 1 : 0;
  return attempts <= sent && issues.some((issue) => guardOf(issue) !== undefined);
};
