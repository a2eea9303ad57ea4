/** Texts of undoing a run. */

import { type Connection, prunedRun } from "@catalog/connection";
import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import {
  changePeriod,
  createProductHistory,
  findPeriodDuty,
  isRunOfActions,
  planUndo,
  readRun,
  readWholeRun,
  recordPeriodEnd,
} from "@catalog/importer";
import { isShadow, needsPerson, readStopRequest, toSyncFlags } from "@catalog/jobs";
import { readSummary } from "@catalog/report";
import {
  formatLocalTime,
  hasSentRows,
  isBlocking,
  readAllRows,
  type RowIssue,
  type RunRecord,
} from "@catalog/runs";

import {
  applyAndReport,
  assertCanConfirm,
  confirmAndApply,
  reportStopped,
} from "../../apply-and-report.ts";
import type { CommandContext } from "../../context.ts";
import { findProduct, unknownProduct } from "../../find-product.ts";
import { runFlag } from "../../flags.ts";
import { endWithPlan, showPlan, toReportDir, watchPlan } from "../../plan-from-flags.ts";
import { formatIssue, MAX_SHOWN } from "../../report-texts.ts";
import { namesRow, parseRowRanges } from "../../row-ranges.ts";
import { readWish, tellPeriod } from "../../run-period.ts";
import { openForRun, readSettings } from "../../run-settings.ts";
import { readCounts, reportRun, tell, tellApart } from "../../run-view.ts";
import { textsFor } from "../../texts.ts";

interface UndoTexts {
  /** Products that the run added, which cannot be undone; `run` is the run to undo. */
  readonly added: (products: number, run: string) => string;
  readonly nothing: string;
  readonly already: (products: number) => string;
  readonly kept: (products: number) => string;
  /** The run is not undone by itself any more. */
  readonly notUndone: (run: string) => string;
  /** The end of the period is not due, or is over. */
  readonly noDuty: (run: string) => string;
  readonly unknown: (products: number) => string;
  /** Rows of the run to undo that wait for a decision, whether or not anything was undone. */
  readonly held: (rows: number, run: string) => string;
}

const tr = (count: number): string => formatNumber(count, "tr");
const products = (count: number): string =>
  `${formatNumber(count, "en")} ${count === 1 ? "product" : "products"}`;

const templates = (count: number): string =>
  `${formatNumber(count, "en")} ${count === 1 ? "template" : "templates"}`;

const TEXTS: Readonly<Record<Lang, UndoTexts>> = {
  tr: {
    added: (count, run) =>
      `${tr(count)} ürünü bu çalıştırma eklemiş; pazaryerinde ürün silinemediği için ekleme geri alınamaz. Stoklarını sıfırlayıp satışlarını durdurmak için: catalog undo ${run} --zero-stock`,
    nothing: "Geri alınacak bir değer yok",
    already: (count) => `${tr(count)} ürün zaten eski hâlinde.`,
    kept: (count) => `${tr(count)} ürün o zamandan beri değişmiş, dokunulmadı.`,
    notUndone: (run) => `${run} kendiliğinden geri alınmayacak.`,
    noDuty: (run) => `${run} için geri alma zamanı gelmemiş ya da geçmiş; yapılacak bir şey yok.`,
    unknown: (count) => `${tr(count)} ürünün eski değeri bilinmiyor.`,
    held: (count, run) =>
      `${run} çalıştırmasında ${tr(count)} satır hâlâ karar bekliyor. Gönderilmesin diye kapatmak için: catalog release ${run} --cancel`,
  },
  en: {
    added: (count, run) =>
      `${products(count)} ${count === 1 ? "was" : "were"} added by this run; the marketplace has no way to delete a product, so adding it cannot be undone. To set the stock to 0, which stops the sale: catalog undo ${run} --zero-stock`,
    nothing: "There is nothing to undo",
    already: (count) =>
      `${products(count)} ${count === 1 ? "is" : "are"} already as before the run.`,
    kept: (count) => `${products(count)} changed since, and left alone.`,
    notUndone: (run) => `${run} is not undone by itself.`,
    noDuty: (run) => `No undo of ${run} is due, or it is over; there is nothing to do.`,
    unknown: (count) => `The earlier values of ${products(count)} are not known.`,
    held: (count, run) =>
      `${formatNumber(count, "en")} ${count === 1 ? "row" : "rows"} of ${run} still ${count === 1 ? "waits" : "wait"} for a decision. To close ${count === 1 ? "it" : "them"} unsent: catalog release ${run} --cancel`,
  },
};

/** Texts that differ where the run was about shipping templates. */
const TEMPLATE_TEXTS: Readonly<
  Record<Lang, Pick<UndoTexts, "added" | "already" | "kept" | "unknown">>
> = {
  tr: {
    added: (count) =>
      `${tr(count)} şablonu bu çalıştırma oluşturmuş; pazaryerinde şablon silinemediği için geri alınamaz. Mağaza panelinden silebilirsiniz.`,
    already: (count) => `${tr(count)} şablon zaten eski hâlinde.`,
    kept: (count) => `${tr(count)} şablon o zamandan beri değişmiş, dokunulmadı.`,
    unknown: (count) => `${tr(count)} satır geri alınamaz.`,
  },
  en: {
    added: (count) =>
      `${templates(count)} ${count === 1 ? "was" : "were"} created by this run; the marketplace has no way to delete a template, so this cannot be undone. Delete it in the store's panel.`,
    already: (count) =>
      `${templates(count)} ${count === 1 ? "is" : "are"} already as before the run.`,
    kept: (count) => `${templates(count)} changed since, and left alone.`,
    unknown: (count) =>
      `${formatNumber(count, "en")} ${count === 1 ? "row" : "rows"} cannot be undone.`,
  },
};

/** The texts of a language. */
function undoTexts(lang: Lang, isOfTemplates = false): UndoTexts {
  return isOfTemplates ? { ...TEXTS[lang], ...TEMPLATE_TEXTS[lang] } : TEXTS[lang];
}

/** Plans a new run that restores fields that still have our values. */
export async function runUndoCommand(context: CommandContext, flags: Flags): Promise<number> {
  const code = readFlag.text(flags, "product");
  const fields = readFlag
    .text(flags, "fields")
    ?.split(",")
    .map((name) => name.trim());
  await using connection = await (code === undefined
    ? openForRun(context, flags)
    : context.openConnection());
  if (flags["at"] !== undefined) {
    assertAlone(flags);
    return await undoLater(context, connection, { flags, fields });
  }
  await using lock = await connection.locks.store("catalog undo");
  if (flags["queued"] === true) return await endPeriod(context, connection, { flags, lock });
  if (code !== undefined) {
    const { run: old, part, product } = await findUndone(connection, code, fields);
    return await undoRun(context, connection, { old, part, product, flags, lock });
  }
  const old = await readRun(connection, runFlag(flags));
  assertUndoable(old);
  const rows = readFlag.text(flags, "rows");
  const isChosen = rows === undefined ? undefined : namesRow(parseRowRanges(rows, old.file));
  const part = (isChosen ?? fields) === undefined ? undefined : { isChosen, fields };
  const exit = await undoRun(context, connection, { old, part, flags, lock });
  if (part === undefined) await showHeld(context, connection, old);
  return exit;
}

/** What is undone later is a run as a whole, or chosen fields of it. */
function assertAlone(flags: Flags): void {
  const other = ["product", "rows", "zero-stock", "plan", "queued"].find((name) => flags[name]);
  if (other === undefined) return;
  throw new UsageError({
    tr: `--at ile --${other} birlikte verilemez: zamanı gelince bütün çalıştırma ya da seçilen alanları (--fields) geri alınır.`,
    en: `--at and --${other} exclude each other: at that time the whole run, or chosen fields of it (--fields), are undone.`,
  });
}

/** Gives the run another time at which it is undone, or takes it away. */
async function undoLater(
  context: CommandContext,
  connection: Connection,
  { flags, fields }: { readonly flags: Flags; readonly fields: readonly string[] | undefined },
): Promise<number> {
  const run = await readWholeRun(connection, runFlag(flags));
  const at = readFlag.text(flags, "at") ?? "";
  const known = await readWish(connection, run);
  const wish = {
    start: known?.startAtMs === undefined ? null : formatLocalTime(known.startAtMs, known.timeZone),
    end: at === "never" ? null : at,
    timeZone: known?.timeZone,
    fields: fields ?? known?.fields,
  };
  await changePeriod(connection, run, { wish });
  if (context.json) {
    const exit = EXIT.done;
    const { lang } = context;
    printJson(
      context.terminal,
      await readSummary(connection, run, { command: "undo", exit, lang }),
    );
    return exit;
  }
  if (at === "never") tell(context, undoTexts(context.lang).notUndone(run.id));
  await tellPeriod(context, connection, run);
  return EXIT.done;
}

interface PeriodStep {
  readonly flags: Flags;
  readonly lock: UndoStep["lock"];
}

/**
 * Carries out the end of the run's period: takes the run back, or goes on with the run that does, and
 * writes down what has become of it once that run needs no further attempt. Returns the exit code.
 */
async function endPeriod(
  context: CommandContext,
  connection: Connection,
  { flags, lock }: PeriodStep,
): Promise<number> {
  const old = await readRun(connection, runFlag(flags));
  await lock.nameRun(old.id);
  const duty = await findPeriodDuty(connection, old, context.stop);
  if (duty.kind === "nothing") return await tellNoDuty(context, connection, old);
  if (duty.kind === "continue") {
    const { undo: run } = duty;
    await lock.nameRun(run.id);
    const exit = await goOnWithUndo(context, connection, { flags, run });
    await recordUndo(connection, { old, run: run.id });
    return exit;
  }
  const { isChosen } = duty;
  const { fields } = duty.period;
  const part = (isChosen ?? fields) === undefined ? undefined : { isChosen, fields };
  let made: string | undefined;
  const exit = await undoRun(context, connection, {
    old,
    part,
    flags,
    lock,
    isPeriodEnd: true,
    onPlanned: (run) => (made = run),
  });
  await recordUndo(connection, { old, run: made });
  return exit;
}

/** Goes on where a process has died, but not where the run itself waits for a person. */
async function goOnWithUndo(
  context: CommandContext,
  connection: Connection,
  { flags, run }: { readonly flags: Flags; readonly run: RunRecord },
): Promise<number> {
  const { ended } = run.progress;
  const command = "undo";
  if (ended?.stop !== undefined && needsPerson(ended.stop)) {
    return await reportStopped(context, connection, { command, flags, run, ...ended });
  }
  const step = { command, flags, run, recheck: "adds", isContinued: true } as const;
  return await applyAndReport(context, connection, step);
}

interface RecordedUndo {
  readonly old: RunRecord;
  /** The run that takes it back; `undefined` where nothing was sent. */
  readonly run: string | undefined;
}

/** An end is over once its run is, or waits for a person; any other one is tried again. */
async function recordUndo(connection: Connection, { old, run }: RecordedUndo): Promise<void> {
  const undo = run === undefined ? undefined : await readRun(connection, run);
  const stop = undo?.progress.ended?.stop ?? null;
  const isAsked = run !== undefined && (await readStopRequest(connection, run)) !== undefined;
  const isOver = undo === undefined || undo.state === "finished" || needsPerson(stop) || isAsked;
  if (isOver) await recordPeriodEnd(connection, old.id, run);
}

/** The end is ahead, was carried out, or was taken away meanwhile: the command has nothing to do. */
async function tellNoDuty(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<number> {
  const exit = EXIT.done;
  const { lang } = context;
  if (context.json) {
    const summary = await readSummary(connection, run, { command: "undo", exit, lang });
    printJson(context.terminal, summary);
  }
  tell(context, undoTexts(lang).noDuty(run.id));
  await tellPeriod(context, connection, run);
  return exit;
}

/** The marketplace takes back neither an answer nor a decision on a package, nor a code. */
function assertUndoable({ id, progress: { actions } }: RunRecord): void {
  if (actions === undefined || actions.kind === "templates") return;
  const what = UNDO_INSTEAD[actions.kind];
  throw new UsageError({
    tr: `“${id}” geri alınamaz: ${what.tr}`,
    en: `“${id}” cannot be undone: ${what.en}`,
  });
}

const UNDO_INSTEAD: Readonly<Record<"answers" | "packages" | "codes", Localized>> = {
  answers: {
    tr: "pazaryerinin verilmiş bir yanıtı silen ya da değiştiren bir çağrısı yok. Yanıtı mağaza panelinden düzeltin.",
    en: "the marketplace has no call that removes or changes an answer. Correct it in the store's panel.",
  },
  packages: {
    tr: "pazaryerinin onaylama, erteleme ya da iade kararını geri alan bir çağrısı yok. Mağaza panelini kullanın ya da pazaryerine yazın.",
    en: "the marketplace has no call that takes back an acceptance, a postponement or a decision on a return. Use the store's panel, or write to the marketplace.",
  },
  codes: {
    tr: "pazaryerinin alınmış bir kargo kodunu iptal eden bir çağrısı yok. Kullanmayacaksanız mağaza panelinden iptal edin.",
    en: "the marketplace has no call that cancels a shipping code. If you will not use it, cancel it in the store's panel.",
  },
};

/** Finds what is undone of a product. Throws `UsageError` where there is nothing, or several share the code. */
async function findUndone(
  connection: Connection,
  text: string,
  fields: readonly string[] | undefined,
) {
  const id = await findProduct(connection, text);
  const found = await createProductHistory(connection).findUndo(id, fields);
  if (found === undefined) throw unknownProduct(text);
  return found;
}

type PlanUndoOptions = Parameters<typeof planUndo>[1];

interface UndoStep {
  /** The run to undo. */
  readonly old: RunRecord;
  /** What is undone of it. @default the whole run */
  readonly part?: PlanUndoOptions["part"];
  /** The product whose changes are taken back. @default rows of the run are */
  readonly product?: string | undefined;
  readonly flags: Flags;
  readonly lock: Awaited<ReturnType<Connection["locks"]["store"]>>;
  /** Whether the period of the run has ended. @default a person undoes it */
  readonly isPeriodEnd?: boolean | undefined;
  /** Called with the run that was planned. */
  readonly onPlanned?: ((run: string) => void) | undefined;
}

async function undoRun(
  context: CommandContext,
  connection: Connection,
  { old, part, product, flags, lock, isPeriodEnd, onPlanned }: UndoStep,
): Promise<number> {
  const command = "undo";
  if (!(await hasSentRows(connection.journal, old.id))) {
    if (old.prunedAtMs !== undefined) throw prunedRun(old.id, old.prunedAtMs);
    return await printNothing(context, connection, old);
  }
  if (flags["plan"] !== true) assertCanConfirm(context, flags);
  const planned: { undo?: UndonePlan } = {};
  const run = await watchPlan(context, { lock, flags }, async (watched) => {
    const options = {
      run: old,
      part,
      product,
      command,
      lang: context.lang,
      zeroStock: flags["zero-stock"] === true,
      isPeriodEnd,
      reportDir: toReportDir(context, flags),
      settings: readSettings(flags),
      schedules: await listSending(connection),
    };
    const { run: made, undo } = await planUndo(connection, { ...watched, ...options });
    planned.undo = undo;
    return made;
  });
  onPlanned?.(run.id);
  const { undo } = planned;
  if (undo !== undefined && undo.restore + undo.partly + undo.empty === 0) {
    return await endWithNothing(context, connection, { old, run, undo });
  }
  if (flags["plan"] === true) {
    return await endWithPlan(context, connection, { command, run, flags });
  }
  if (!context.json) {
    await showPlan(context, connection, run);
    await showLeft(context, connection, { old, run });
  }
  return await confirmAndApply(context, connection, { command, flags, run });
}

/** The schedules whose syncs send. */
async function listSending({
  memory,
}: Connection): Promise<Parameters<typeof planUndo>[1]["schedules"]> {
  const schedules = await memory.schedules.list();
  return schedules
    .filter((schedule) => schedule.state === "active" && !isShadow(schedule))
    .map(({ id, feed, options }) => {
      const { profile } = toSyncFlags(options);
      return { id, feed, profile: typeof profile === "string" ? profile : undefined };
    });
}

/** States how many rows of the run to undo can still be released. */
async function showHeld(
  { terminal, lang, json }: CommandContext,
  connection: Connection,
  old: RunRecord,
): Promise<void> {
  const { held } = await readCounts(connection, old);
  if (held === 0 || json) return;
  tellApart({ terminal }, undoTexts(lang).held(held, old.id));
}

type UndonePlan = Awaited<ReturnType<typeof planUndo>>["undo"];

interface NothingRestored {
  /** The run to undo. */
  readonly old: RunRecord;
  readonly run: RunRecord;
  readonly undo: UndonePlan;
}

/** Ends an undo that restores nothing, without a question, and states why. */
async function endWithNothing(
  context: CommandContext,
  connection: Connection,
  { old, run, undo }: NothingRestored,
): Promise<number> {
  const { kept, added, "not-undoable": unknown } = undo;
  const already = undo.already + undo["already-empty"];
  const exit = kept + added + unknown > 0 ? EXIT.someFailed : EXIT.done;
  await connection.runs.update(run.id, { state: "finished" });
  const ended: RunRecord = { ...run, state: "finished" };
  const summary = await reportRun(context, connection, ended, { command: "undo", exit });
  if (context.json) {
    printJson(context.terminal, summary);
    return exit;
  }
  const { terminal, lang } = context;
  const texts = undoTexts(lang, await isRunOfActions(connection, old));
  const reasons = [
    already > 0 ? texts.already(already) : "",
    kept > 0 ? texts.kept(kept) : "",
    unknown > 0 ? texts.unknown(unknown) : "",
    added > 0 ? texts.added(added, old.id) : "",
  ].filter((reason) => reason !== "");
  await showKept(context, connection, run);
  terminal.err(`${texts.nothing}: ${reasons.join(" ")}\n`);
  return exit;
}

async function printNothing(
  context: CommandContext,
  connection: Connection,
  old: RunRecord,
): Promise<number> {
  const printed = { command: "undo", exit: EXIT.done };
  const summary = await reportRun(context, connection, old, {
    command: old.command,
    exit: EXIT.done,
    printed,
  });
  if (context.json) printJson(context.terminal, summary);
  context.terminal.err(`${textsFor(context.lang).nothingToUndo(old.id)}\n`);
  return EXIT.done;
}

/** States what is not restored, or only in part. */
async function showLeft(
  context: CommandContext,
  connection: Connection,
  { old, run }: Omit<NothingRestored, "undo">,
): Promise<void> {
  const { added } = await readLeft(connection, run);
  const { terminal, lang } = context;
  await showKept(context, connection, run);
  if (added === 0) return;
  const texts = undoTexts(lang, await isRunOfActions(connection, old));
  const text = `  ! ${texts.added(added, old.id)}`;
  terminal.out(`${wrapText(terminal.shown(text), { columns: terminal.outColumns, indent: 4 })}\n`);
}

/** Lists the rows of which values are left alone, each with the reason. */
async function showKept(
  { terminal, lang }: CommandContext,
  connection: Connection,
  run: RunRecord,
): Promise<void> {
  const { left } = await readLeft(connection, run);
  const shown = left.slice(0, MAX_SHOWN);
  for (const issue of shown) terminal.out(formatIssue(issue, lang, terminal));
  const more = left.length - shown.length;
  if (more > 0) terminal.out(`  ${textsFor(lang).moreProblems(more)}\n`);
}

/** Codes of rows that added a product or created a template. */
const ADDED: ReadonlySet<string> = new Set(["W_UNDO_ADD", "W_UNDO_TEMPLATE"]);

interface LeftRows {
  /** Reasons of rows that are not restored, or only in part. */
  readonly left: readonly RowIssue[];
  /** Number of rows that added a product; they share one reason. */
  readonly added: number;
}

async function readLeft({ journal }: Connection, run: RunRecord): Promise<LeftRows> {
  const left: RowIssue[] = [];
  let added = 0;
  for await (const rows of readAllRows(journal, run.id)) {
    for (const { code, issues } of rows) {
      // Blocking issues are shown with the plan.
      const named = issues.filter((issue) => !isBlocking(issue));
      if (named.some((issue) => ADDED.has(issue.code))) added += 1;
      else left.push(...named.filter(isOfRow).map((issue) => withCode(issue, code ?? "")));
    }
  }
  return { left, added };
}

/** What holds for every product whose stock becomes 0 is not repeated for each. */
const isOfRow = ({ code }: RowIssue): boolean =>
  code !== "W_UNDO_ADD_EMPTIED" && code !== "W_UNDO_ADD_EMPTY";

/** The rows belong to another run's file, so their codes are more useful than row numbers. */
const withCode = (issue: RowIssue, code: string): RowIssue => ({
  ...issue,
  message: { tr: `${code}: ${issue.message.tr}`, en: `${code}: ${issue.message.en}` },
});
