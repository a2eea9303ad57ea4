/** The first half of every import: reads, checks and stores the plan. */

import { CatalogError, type Connection, estimateSeconds } from "@catalog/connection";
import { type Flags, printJson, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { InputError, isAddress, type Lang, type Localized } from "@catalog/i18n";
import {
  assertReadable,
  createTableDownload,
  type FileNames,
  openDrafts,
  parsePlatform,
  planFile,
  type PlanFileOptions,
  type PlanQuestions,
  readFileNames,
} from "@catalog/importer";
import { readBiggestChanges, readColumnUses } from "@catalog/report";
import { isRunId, type RunRecord, type RunSettings } from "@catalog/runs";

import { planExit } from "./apply-and-report.ts";
import type { CommandContext } from "./context.ts";
import { allowFlag, priceUnitFlag, toImageOptions } from "./flags.ts";
import { formatChanges, formatColumnUses, listAssumed, toFileTexts } from "./planned-tables.ts";
import { plannedHeldFile, readAllProblems } from "./problems.ts";
import { createQuestions } from "./questions.ts";
import { formatPlan, formatProblems, formatResult, nameStore } from "./report-texts.ts";
import { tellPeriod } from "./run-period.ts";
import { createProgress, readCounts, reportRun, tell, tellApart } from "./run-view.ts";
import { textsFor } from "./texts.ts";

interface PlanStep {
  readonly command: string;
  readonly flags: Flags;
  /** Settings that are stored with the run. */
  readonly settings: RunSettings;
  /** The lock records the run's id. */
  readonly lock: Awaited<ReturnType<Connection["locks"]["store"]>>;
}

/** Plans the file that the flags name. */
export async function planFromFlags(
  context: CommandContext,
  connection: Connection,
  { command, flags, settings, lock }: PlanStep,
): Promise<RunRecord> {
  const options = toPlanOptions(context, flags);
  const download = await openDownload(context, connection, flags);
  const draft = draftOf(options.path);
  if (draft !== undefined) {
    assertDraftFlags(flags);
    const asked = { ...options, command, settings };
    return await watchPlan(context, { lock, flags }, (watched) =>
      openDrafts(connection).plan(draft, { ...asked, ...watched }),
    );
  }
  return await watchPlan(context, { lock, flags }, (watched) =>
    planFile(connection, { ...options, ...watched, command, settings, download }),
  );
}

/** What downloads a table behind a link, with the login that the flags name. */
async function openDownload(
  context: CommandContext,
  { memory: { tableFolder: folder }, clock }: Connection,
  flags: Flags,
): Promise<NonNullable<PlanFileOptions["download"]>> {
  const { limits } = context;
  const { allowHosts } = toImageOptions(context, flags);
  const findLogin = await context.openFeedLogins?.(
    readFlag.text(flags, "feed-auth"),
    readFlag.text(flags, "host-key"),
  );
  return createTableDownload({ folder, clock, allowHosts, limits, findLogin });
}

/**
 * Reads the open names of the file that the flags name, and searches the marketplace for all of them
 * unless a flag forbids it. Its columns may be asked about.
 */
export async function readNamesFromFlags(
  context: CommandContext,
  connection: Connection,
  flags: Flags,
): Promise<FileNames> {
  const { reportDir: _, ...options } = toPlanOptions(context, flags);
  if (draftOf(options.path) !== undefined) throw new InputError(NAMES_OF_DRAFT);
  const download = await openDownload(context, connection, flags);
  const file = await watch(context, flags, ({ askName: _asked, ...watched }) =>
    readFileNames(connection, { ...options, ...watched, download }),
  );
  const { searches: max } = file;
  if (options.searches === 0 || max === 0) return file;
  const { lang, quiet, json } = context;
  const texts = textsFor(lang);
  const seconds = await estimateSeconds(connection, max, { kind: "reads" });
  if (!quiet && !json) tell(context, texts.searches(max, seconds));
  const names = await watch(
    context,
    flags,
    ({ onProgress }) =>
      file.search({
        max,
        waits: true,
        onProgress: (progress) => onProgress?.({ step: "search", ...progress }),
      }),
    "search",
  );
  return { ...file, names };
}

/** Planning options that show progress and ask questions. */
type PlanCallbacks = PlanQuestions &
  Pick<PlanFileOptions, "signal" | "onRun" | "onReading" | "onProgress">;

/** Plans, and shows the progress. */
export const watchPlan = (
  context: CommandContext,
  { lock, flags }: Pick<PlanStep, "lock" | "flags">,
  plan: (watched: PlanCallbacks) => Promise<RunRecord>,
): Promise<RunRecord> =>
  watch(context, flags, (watched) => plan({ ...watched, onRun: (runId) => lock.nameRun(runId) }));

/** Reads a file, and shows the progress. */
async function watch<Result>(
  context: CommandContext,
  flags: Flags,
  read: (watched: Omit<PlanCallbacks, "onRun">) => Promise<Result>,
  phase: "read" | "search" = "read",
): Promise<Result> {
  const { lang, terminal, clock, quiet, stop } = context;
  const texts = textsFor(lang);
  const isQuiet = quiet || context.json;
  const progress = createProgress({ terminal, clock, texts, quiet: isQuiet });
  let reading: Localized | undefined;
  const end = (): void => progress.end();
  const questions = mayAsk(context, flags) ? createQuestions(terminal, lang, end) : {};
  progress.show({ phase });
  try {
    return await read({
      signal: stop,
      ...questions,
      onReading: (line) => (reading = line),
      onProgress: ({ step, done, total }) => progress.show({ phase: step, done, total }),
    });
  } catch (error) {
    progress.end();
    // A plan lists the guesses about the file; where planning fails, a wrong guess may be the
    // cause.
    const isAboutFile = error instanceof CatalogError && !isQuiet;
    if (isAboutFile && reading !== undefined) terminal.err(`${reading[lang]}\n`);
    throw error;
  } finally {
    progress.end();
  }
}

/** Folder of the result files; `{run}` stands for the run's id. */
export function toReportDir({ resolve }: CommandContext, flags: Flags): string {
  return resolve(readFlag.text(flags, "report") ?? "catalog-results/{run}");
}

/** Questions are asked on a terminal only, unless a flag forbids them. */
export const mayAsk = ({ terminal, json, quiet }: CommandContext, flags: Flags): boolean =>
  terminal.canAsk && !json && !quiet && flags["yes"] !== true;

const NAMES_OF_DRAFT: Localized = {
  tr: "Bir taslaktaki adlar yükleme sayfasında yanıtlanır (catalog web).",
  en: "The names of a draft are answered on the upload page (catalog web).",
};

/** A link is no path and stays unchanged, as does a draft of the upload page. */
const toPath = (file: string, resolve: CommandContext["resolve"]): string =>
  isAddress(file) || draftOf(file) !== undefined ? file : resolve(file);

/** The id in `draft:ID`; `undefined` for a file. */
export const draftOf = (file: string): string | undefined =>
  /^draft:(?<id>[\w-]+)$/u.exec(file)?.groups?.["id"];

/** Flags about reading a file and its columns; a draft has its own settings. */
const FILE_FLAGS = [
  "sheet",
  "record",
  "header-row",
  "encoding",
  "delimiter",
  "decimal",
  "map",
  "set",
  "profile",
  "platform",
  "feed-auth",
  "host-key",
] as const;

function assertDraftFlags(flags: Flags): void {
  const given = FILE_FLAGS.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw new InputError({
    tr: `--${given} bir taslakla verilemez: taslağın okunuşu ve sütunları yükleme sayfasında ayarlanır (catalog web).`,
    en: `--${given} cannot be given with a draft: its reading and columns are set on the upload page (catalog web).`,
  });
}

/** Throws where the flags, or the file that they name, cannot be read; a link is read later. */
export async function assertFile(context: CommandContext, flags: Flags): Promise<void> {
  const { path } = toPlanOptions(context, flags);
  if (path === context.resolve(path)) await assertReadable(path);
}

/** Searches of a plan for open names, those with the most rows first; catalog map makes all. */
const MAX_SEARCHES = 100;

type PlanOptions = Omit<PlanFileOptions, "command" | "settings" | keyof PlanCallbacks>;

function toPlanOptions(context: CommandContext, flags: Flags): PlanOptions {
  const { lang, resolve, limits } = context;
  const { sheet, platform, ...reading } = readFlag.reading(flags);
  const mode = readFlag.text(flags, "mode");
  return {
    path: toPath(readFlag.text(flags, "file") ?? "", resolve),
    lang,
    mode: mode === "add" || mode === "update" ? mode : "upsert",
    reportDir: toReportDir(context, flags),
    newRunId: runIdFlag(flags),
    ...reading,
    sheet: { ...sheet, ...(limits !== undefined && { limits }) },
    platform: parsePlatform(platform),
    constants: readFlag.pairs(flags, "set"),
    ...toFileTexts(context, flags),
    properties: readFlag.text(flags, "properties") === "skip" ? "skip" : "send",
    searches: flags["market-search"] === false ? 0 : MAX_SEARCHES,
    priceUnit: priceUnitFlag(flags),
    allowsSuspectCodes: allowFlag(flags).has("code-suspect"),
    images: toImageOptions(context, flags),
  };
}

/** Ids are part of paths and addresses, so that no other form is taken. */
function runIdFlag(flags: Flags): string | undefined {
  const id = readFlag.text(flags, "run-id");
  if (id === undefined || isRunId(id)) return id;
  throw new InputError({
    tr: `--run-id ${id}: bir çalıştırmanın kimliği değil; şöyle yazılır: r-261121-0930-4f2a`,
    en: `--run-id ${id} is no id of a run; write it like r-261121-0930-4f2a`,
  });
}

/** Indentation behind the mark of a note. */
const NOTE_INDENT = 4;

const noteLines = ({ facts }: RunRecord, lang: Lang): readonly string[] =>
  facts?.reading?.notes.map((note) => `  · ${note[lang]}`) ?? [];

/** Shows the plan and its problems. */
export async function showPlan(
  context: CommandContext,
  connection: Connection,
  run: RunRecord,
  flags: Flags = {},
): Promise<void> {
  const { terminal, lang } = context;
  const { rows } = await readCounts(connection, run);
  const callsPerHour = await connection.meters.pacing.callsPerHour();
  const columns = terminal.outColumns;
  const view = { rows, storeName: nameStore(connection), callsPerHour, columns };
  terminal.out(formatPlan({ ...run, lang }, view));
  const options = { columns, indent: NOTE_INDENT };
  const warnings = run.warnings.map(({ message }) => `  ! ${message[lang]}`);
  for (const line of [...noteLines(run, lang), ...warnings]) {
    terminal.out(`${wrapText(terminal.shown(line), options)}\n`);
  }
  if (flags["show-columns"] === true) {
    const uses = await readColumnUses(connection, { ...run, lang });
    terminal.out(formatColumnUses(uses, { lang, columns }));
  }
  const changes = await readBiggestChanges(connection, run);
  const held = plannedHeldFile(context, run);
  for (const line of listAssumed(changes.fields, lang)) {
    terminal.out(`${wrapText(`  · ${line}`, options)}\n`);
  }
  terminal.out(formatChanges(changes, lang, run.file));
  for (const problems of await readAllProblems(connection, run, held)) {
    terminal.out(formatProblems(problems, lang, terminal));
  }
  const open = run.facts?.reading?.openNames.length ?? 0;
  if (open >= MIN_MAPPED && run.progress.draft === undefined) {
    tellApart(context, textsFor(lang).mapWith(run.file.path, open));
  }
}

/** Open names from which on a table is shorter than a command for each. */
const MIN_MAPPED = 3;

/** A run that is planned, and the command that planned it. */
interface PlannedRun {
  readonly command: string;
  readonly run: RunRecord;
  readonly flags: Flags;
}

/** Writes the result files, shows the plan, and returns the exit code. */
export async function endWithPlan(
  context: CommandContext,
  connection: Connection,
  { command, run, flags }: PlannedRun,
): Promise<number> {
  const exit = planExit(run, await readCounts(connection, run));
  const summary = await reportRun(context, connection, run, { command, exit });
  const { terminal, lang } = context;
  if (context.json) {
    printJson(terminal, { ...summary, changes: await readBiggestChanges(connection, run) });
  } else {
    await showPlan(context, connection, run, flags);
    terminal.out(formatResult(summary, lang, { columns: terminal.outColumns }));
    await tellPeriod(context, connection, run);
    if (summary.planned.requests > 0) terminal.err(`\n${textsFor(lang).applyWith(run.id)}\n`);
  }
  await connection.storage.pruneWhileIdle(context.stop);
  return exit;
}
