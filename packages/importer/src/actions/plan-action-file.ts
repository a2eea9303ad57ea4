/** Plans a list of actions as a run, from a file or from subjects that were named. Sends nothing. */

import { CatalogError, type Connection, estimateSeconds, recordCalls } from "@catalog/connection";
import {
  type ActionListSettings,
  type ActionName,
  createRun,
  type Journal,
  planActions,
  readAllRows,
  reconcileOpen,
  rowAddress,
  type RowRecord,
  type RunFile,
  type RunRecord,
  type RunWarning,
  subjectKey,
  toCounts,
} from "@catalog/runs";

import { readBackPending } from "../apply/verify-run.ts";
import { readCodeKeys } from "../plan/plan-basis.ts";
import { openReportFolder, type ReadFileOptions, withFile } from "../plan/plan-file.ts";
import type { PlanFileOptions } from "../plan/plan-options.ts";
import {
  type ActionReading,
  type ActionSheetKind,
  type CodeCompany,
  findCompany,
  findSheetColumns,
  listSheetHeaders,
  orderHeader,
  readSubject,
  type SheetSurvey,
  subjectHeader,
  surveySheet,
  toActionCandidate,
  toTemplateCells,
} from "./action-sheet.ts";
import {
  missingColumns,
  unknownCompany,
  warnOthers,
  warnSameAnswer,
  warnWhole,
} from "./action-warnings.ts";
import { readTemplateLists } from "./template-names.ts";
import { createTemplateRows, findLost, type TemplateReading } from "./template-sheet.ts";
import { listTemplateWarnings } from "./template-warnings.ts";

/** Where the plan of a list of actions is kept, and who is told of it. */
export type ActionPlanOptions = Pick<
  PlanFileOptions,
  "command" | "lang" | "reportDir" | "settings" | "signal" | "onRun" | "onProgress"
>;

/** What the rows of a list do. */
export interface AskedActions extends Pick<ActionListSettings, "only" | "company" | "reason"> {
  readonly kind: ActionSheetKind;
}

/** The sheet to plan, and settings for reading it. */
export interface PlanActionOptions
  extends
    ActionPlanOptions,
    AskedActions,
    Pick<ReadFileOptions, "path" | "sheet" | "askSheet" | "askEncoding" | "onReading"> {}

/** Rows written to the journal at a time. */
const BATCH_ROWS = 200;

/**
 * Plans the rows of a sheet. Throws {@link CatalogError} when the file as a whole cannot be used, also
 * where its column of actions is empty, and `InputError` for an unknown company.
 */
export async function planActionFile(
  connection: Connection,
  { onProgress, kind, only, company, reason, ...asked }: PlanActionOptions,
): Promise<RunRecord> {
  const columns = new Map(listSheetHeaders(kind).map((header) => [header, "-"]));
  const file = { ...asked, mode: "update", columns } as const;
  return await withFile(connection, file, async (options, source) => {
    const { assertUnchanged } = source;
    const actions = { kind, only, company, reason };
    return await planRows(
      connection,
      { options: { ...asked, ...(onProgress && { onProgress }) }, actions, file: source.file },
      { rows: () => source.sheet.rows(), ...(assertUnchanged && { assertUnchanged }) },
    );
  });
}

/** Subjects that a person has named, without a file. */
interface NamedSubjects extends ActionPlanOptions, AskedActions {
  readonly ids: readonly string[];
}

/**
 * Plans the same action for each of these subjects. Each is a row with the reason or company that was
 * given for all, so that the result files can be uploaded as they are.
 */
export async function planNamedActions(
  connection: Connection,
  { ids, kind, only, company, reason, ...options }: NamedSubjects,
): Promise<RunRecord> {
  const { lang } = options;
  const given = kind === "codes" ? company : reason;
  const shared = orderHeader(kind === "codes" ? "shipping_company" : "reason");
  const more = given === undefined ? [] : [given];
  const header = [subjectHeader(kind)[lang], ...more.map(() => shared.header[lang])];
  const name = NAMED[lang](ids.length);
  const sheet = { sheet: "", headerRow: 1, header, kind: "csv" } as const;
  const file = { ...sheet, path: "", name, sha256: "" };
  async function* rows(): AsyncGenerator<ListRow> {
    yield* ids.map((id, index) => ({ row: index + 2, cells: [id, ...more] }));
  }
  return await planRows(
    connection,
    { options, actions: { kind, only, company, reason }, file },
    { rows },
  );
}

const NAMED = {
  tr: (count: number): string => `--package (${count})`,
  en: (count: number): string => `--package (${count})`,
} as const;

interface RetryActions extends ActionPlanOptions {
  readonly run: RunRecord;
}

/** Plans the rows of a run of actions that the marketplace refused, as a new run. */
export async function planActionRetry(
  connection: Connection,
  { run, ...options }: RetryActions,
): Promise<RunRecord> {
  const { actions } = run.progress;
  if (actions === undefined) throw new Error(`run ${run.id} has no list of actions`);
  async function* rows(): AsyncGenerator<ListRow> {
    const states = ["rejected"] as const;
    for await (const of of readAllRows(connection.journal, run.id, { states })) {
      yield* of.map(({ row, cells, traits, formats }) => ({ row, cells, traits, formats }));
    }
  }
  const retry = { ...actions, retryOf: run.id };
  return await planRows(connection, { options, actions: retry, file: run.file }, { rows });
}

interface RowsToPlan {
  readonly options: ActionPlanOptions;
  readonly actions: AskedActions & { readonly retryOf?: string };
  readonly file: RunFile;
}

/** A row of a sheet, or of an earlier run. */
type ListRow = Pick<RowRecord, "row" | "cells" | "traits" | "formats">;

interface RowSource {
  /** Reads all rows; called twice. */
  readonly rows: () => AsyncIterable<ListRow>;
  readonly assertUnchanged?: () => Promise<void>;
}

async function planRows(
  connection: Connection,
  { options, actions: asked, file }: RowsToPlan,
  source: RowSource,
): Promise<RunRecord> {
  const { client, journal, marketplace, clock, runs, meters } = connection;
  const { signal } = options;
  const { actions } = marketplace;
  if (actions === undefined) throw new Error("this marketplace takes no actions");
  const before = meters.calls.counts();
  const reading = await openReading(connection, { asked, file, signal });
  const survey = await surveySheet(reading, source.rows());
  assertAsking(file, reading, survey);
  await client.login(signal === undefined ? {} : { signal });
  const open = { journal, marketplace, clock, sheet: file.sheet };
  await reconcileOpen({ ...open, ...(await readCodeKeys(connection)), signal });
  await readBackPending(connection, { signal });
  const { command, lang } = options;
  const runId = await createRun({ runs, clock }, async (id) => {
    const reportDir = options.reportDir.replaceAll("{run}", id);
    await openReportFolder(reportDir);
    return { id, command, file, mode: "update", lang, reportDir, warnings: [] };
  });
  const { retryOf, ...list } = asked;
  await runs.update(runId, { progress: { actions: list, retryOf } });
  await options.onRun?.(runId);
  await storeSheet(connection, { runId, how: reading }, source.rows());
  await source.assertUnchanged?.();
  const templates = await readTemplates(connection, { runId, signal, file, how: reading });
  const how = { ...reading, reasons: survey.reasons, templates };
  const total = toCounts(await journal.countRows(runId)).rows;
  await planActions({
    runId,
    journal,
    actions,
    clock,
    toCandidates: (rows) => rows.map((row) => toActionCandidate(how, row)),
    nameRow: (row) => rowAddress(file, row),
    signal,
    onProgress: (done) => options.onProgress?.({ step: "plan", done, total }),
  });
  const lost = templates && (await readLost(journal, runId, templates));
  await savePlan(connection, { runId, options, lost });
  await runs.addWarnings(runId, await listWarnings(connection, { runId, how, survey }));
  await recordCalls(connection, runId, before);
  return await readPlanned(connection, runId);
}

interface StoredTemplates extends Pick<RowsToPlan, "file"> {
  readonly runId: string;
  readonly signal: AbortSignal | undefined;
  readonly how: ActionReading;
}

/** Reads what the rows of templates are compared with; `undefined` for a list of another kind. */
async function readTemplates(
  connection: Connection,
  { runId, signal, file, how }: StoredTemplates,
): Promise<TemplateReading | undefined> {
  if (how.kind !== "templates") return undefined;
  const { journal, memory } = connection;
  const lists = await readTemplateLists(connection, signal);
  const rows = createTemplateRows(lists, (row) => rowAddress(file, row));
  for await (const batch of readAllRows(journal, runId)) {
    for (const row of batch) rows.note(toTemplateCells(how, row));
  }
  const { readAtMs } = await memory.storeProducts.readState();
  if (readAtMs === null) return { lists, rows, use: undefined };
  const day = new Date(readAtMs).toISOString().slice(0, "2000-01-01".length);
  const products = await memory.storeProducts.countByTemplate();
  return { lists, rows, use: { products, day } };
}

interface FileToRead extends Pick<RowsToPlan, "file"> {
  readonly asked: AskedActions;
  readonly signal: AbortSignal | undefined;
}

/** Finds the columns, and the companies where codes are asked for. */
async function openReading(
  connection: Connection,
  { asked, file, signal }: FileToRead,
): Promise<ActionReading> {
  const { kind, only, company: name, reason } = asked;
  const { sheet, header } = file;
  const found = findSheetColumns(kind, header);
  const needed = listNeeded(asked).filter((key) => !found.columns.has(key));
  const missing = [...found.missing, ...needed.map((key) => orderHeader(key))];
  if (missing.length > 0) throw missingColumns(file, kind, missing);
  const reading = { kind, only, reason, columns: found.columns, sheet, header };
  if (kind !== "codes") return reading;
  const companies = await readCompanies(connection, signal);
  if (name === undefined) return { ...reading, companies };
  const company = findCompany(companies, name);
  if (company === undefined) throw unknownCompany(name, companies);
  return { ...reading, companies, company };
}

/** Columns of orders without which it is not known what to do. */
function listNeeded({ kind, only, company }: AskedActions): readonly OrderKey[] {
  if (kind === "codes" && company === undefined) return ["shipping_company"];
  return kind === "packages" && only === undefined ? ["action"] : [];
}

type OrderKey = Parameters<typeof orderHeader>[0];

/** An empty column of actions says what to do with no row, and nobody is to guess it. */
function assertAsking(
  { name }: RunFile,
  { kind, columns, only }: ActionReading,
  { rows, asking, others }: SheetSurvey,
): void {
  if (rows === 0) throw new CatalogError("E_LIST_EMPTY", name);
  if (kind !== "packages" || !columns.has("action")) return;
  if (asking + others.size > 0) return;
  throw new CatalogError(only === undefined ? "E_LIST_UNFILLED" : "E_LIST_NO_ACTION", name);
}

async function storeSheet(
  { journal }: Pick<Connection, "journal">,
  { runId, how }: { readonly runId: string; readonly how: ActionReading },
  rows: AsyncIterable<ListRow>,
): Promise<void> {
  let batch: ParsedRow[] = [];
  for await (const row of rows) {
    if (row.cells.every((cell) => cell === null || cell === "")) continue;
    const code = readSubject(how, row);
    batch.push({ ...row, code, codeKey: code === null ? null : toKey(how, code) });
    if (batch.length < BATCH_ROWS) continue;
    await journal.appendRows(runId, batch);
    batch = [];
  }
  await journal.appendRows(runId, batch);
}

type ParsedRow = Parameters<Journal["appendRows"]>[1][number];

/** All actions of a sheet are about subjects of one kind. */
const toKey = ({ kind }: ActionReading, subject: string): string =>
  subjectKey(KEY_ACTIONS[kind], subject);

const KEY_ACTIONS: Readonly<Record<ActionSheetKind, ActionName>> = {
  answers: "reply",
  packages: "accept",
  codes: "shipping-code",
  templates: "update-template",
};

type DroppedValues = NonNullable<RunRecord["facts"]>["lost"];

async function readLost(
  journal: Journal,
  runId: string,
  { lists }: TemplateReading,
): Promise<DroppedValues> {
  const lost: Record<string, Readonly<Record<string, unknown>>> = {};
  for await (const rows of readAllRows(journal, runId, { states: ["ready", "held"] })) {
    for (const record of rows) {
      const values = findLost(lists, record);
      if (values !== undefined) lost[String(record.row)] = values;
    }
  }
  return lost;
}

interface PlanToSave {
  /** Values that the marketplace drops with the rows. @default none */
  readonly lost?: DroppedValues;
  readonly runId: string;
  readonly options: Pick<ActionPlanOptions, "settings">;
}

/** Calls of a planned action: it is sent, and read back with others. */
export async function savePlan(
  connection: Connection,
  { runId, options, lost }: PlanToSave,
): Promise<void> {
  const { journal, runs, meters } = connection;
  const counts = toCounts(await journal.countRows(runId));
  const { pending: update, unchanged, invalid, duplicate, held } = counts;
  const readCalls = meters.calls.counts().read;
  const requests = update === 0 ? 0 : update + Math.min(readCalls, update);
  const seconds = await estimateSeconds(connection, requests);
  const planned = { add: 0, update, unchanged, invalid, duplicate, held, requests, seconds };
  const facts = { readBy: "listing", priceUnit: "unknown", planned, lost } as const;
  const settings = options.settings ?? {};
  await runs.update(runId, { state: "planned", facts, settings });
}

/** A filled-down answer is noticed from so many rows on, and from this part of them. */
const MIN_SAME_ROWS = 20;
const MIN_SAME_SHARE = 0.8;

interface PlannedList {
  readonly runId: string;
  readonly how: ActionReading;
  readonly survey: SheetSurvey;
}

/** What a person should read before the rows are sent. */
async function listWarnings(
  { journal }: Pick<Connection, "journal">,
  { runId, how, survey }: PlannedList,
): Promise<readonly RunWarning[]> {
  const { kind, columns, only = "accept" } = how;
  const { total, top } = await countMessages({ journal }, runId);
  const isSame = top.rows > MIN_SAME_ROWS && top.rows >= total * MIN_SAME_SHARE;
  const isWhole = kind === "packages" && !columns.has("action") && survey.rows > 1;
  return [
    ...(kind === "answers" && isSame ? [warnSameAnswer(top.message, top.rows, total)] : []),
    ...(isWhole ? [warnWhole(total)] : []),
    ...(survey.others.size > 0 ? [warnOthers(only, survey.others)] : []),
    ...(kind === "templates" ? await listTemplateWarnings(journal, runId) : []),
  ];
}

/** Counts the rows that are ready, and those with the most frequent text. */
async function countMessages({ journal }: Pick<Connection, "journal">, runId: string) {
  const messages = new Map<string, number>();
  let total = 0;
  for await (const rows of readAllRows(journal, runId, { states: ["ready"] })) {
    for (const { call } of rows) {
      const { message } = { message: undefined, ...call };
      const text = typeof message === "string" ? message : "";
      messages.set(text, (messages.get(text) ?? 0) + 1);
      total += 1;
    }
  }
  const [top] = [...messages].toSorted(([, a], [, b]) => b - a);
  return { total, top: { message: top?.[0] ?? "", rows: top?.[1] ?? 0 } };
}

async function readPlanned({ runs }: Connection, runId: string): Promise<RunRecord> {
  const run = await runs.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return run;
}

/** Companies that codes can be asked of: those with a contract, or all where there is none. */
async function readCompanies(
  { client }: Pick<Connection, "client">,
  signal: AbortSignal | undefined,
): Promise<readonly CodeCompany[]> {
  const how = signal === undefined ? {} : { signal };
  const contracted = await client.shipping.contractedCompanies({}, how);
  return contracted.length > 0 ? contracted : await client.shipping.companies({}, how);
}
