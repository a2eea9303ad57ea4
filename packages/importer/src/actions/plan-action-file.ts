/** Plans a list of actions as a run, from a file or from subjects that were named. Sends nothing. */

import { CatalogError, type Connection, estimateSeconds, recordCalls } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  type ActionName,
  createRun,
  type Journal,
  planActions,
  readAllRows,
  reconcileOpen,
  rowAddress,
  type RunFile,
  type RunRecord,
  subjectKey,
  toCounts,
} from "@catalog/runs";
import type { SheetRow } from "@catalog/sheets";

import { readBackPending } from "../apply/verify-run.ts";
import { readCodeKeys } from "../plan/plan-basis.ts";
import { openReportFolder, type ReadFileOptions, withFile } from "../plan/plan-file.ts";
import type { PlanFileOptions } from "../plan/plan-options.ts";
import {
  type ActionReading,
  type ActionSheetKind,
  findSheetColumns,
  listSheetHeaders,
  readSubject,
  toActionCandidate,
  toTemplateCells,
} from "./action-sheet.ts";
import { readTemplateLists } from "./template-names.ts";
import { createTemplateRows, type TemplateReading } from "./template-sheet.ts";

/** The sheet to plan, and settings for reading it. */
export interface PlanActionOptions
  extends
    Pick<PlanFileOptions, "command" | "lang" | "reportDir" | "settings" | "signal" | "onRun">,
    Pick<ReadFileOptions, "path" | "sheet" | "askSheet" | "askEncoding" | "onReading"> {
  readonly kind: ActionSheetKind;
  /** The only action that is done. @default each row's own */
  readonly only?: ActionName | undefined;
  readonly onProgress?: PlanFileOptions["onProgress"];
}

/** Rows written to the journal at a time. */
const BATCH_ROWS = 200;

/**
 * Plans the rows of a sheet. Throws {@link CatalogError} when the file as a whole cannot be used, and
 * `InputError` where no row asks for what is wanted.
 */
export async function planActionFile(
  connection: Connection,
  asked: PlanActionOptions,
): Promise<RunRecord> {
  const { kind, only } = asked;
  const columns = new Map(listSheetHeaders(kind).map((header) => [header, "-"]));
  const before = connection.meters.calls.counts();
  const { onProgress: _, ...file } = asked;
  const reading = { ...file, mode: "update", columns } as const;
  return await withFile(connection, reading, async (options, source) => {
    const { sheet } = source;
    const { header } = source.file;
    const found = findSheetColumns(kind, header);
    if (found.missing.length > 0) throw missingColumns(source.file, found.missing);
    const companies = kind === "codes" ? await readCompanies(connection, options) : undefined;
    const { columns: own } = found;
    const how = { kind, only, companies, columns: own, sheet: sheet.sheet, header };
    const run = { options: asked, file: source.file, how };
    const planned = await planRows(connection, run, async (runId) => {
      await storeSheet(connection, { runId, how }, sheet.rows());
      await source.assertUnchanged?.();
      if (kind !== "templates") return how;
      return { ...how, templates: await readTemplates(connection, { ...run, runId }) };
    });
    await recordCalls(connection, planned, before);
    return await readPlanned(connection, planned);
  });
}

interface RowsToPlan {
  readonly options: PlanActionOptions;
  readonly file: RunFile;
  readonly how: ActionReading;
}

async function planRows(
  connection: Connection,
  { options, file }: RowsToPlan,
  store: (runId: string) => Promise<ActionReading>,
): Promise<string> {
  const { client, journal, marketplace, clock, runs } = connection;
  const { signal } = options;
  const { actions } = marketplace;
  if (actions === undefined) throw new Error("this marketplace takes no actions");
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
  await options.onRun?.(runId);
  const how = await store(runId);
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
  await savePlan(connection, { runId, options });
  return runId;
}

/** Reads what the rows of templates are compared with. */
async function readTemplates(
  connection: Connection,
  { runId, options: { signal }, file, how }: RowsToPlan & { readonly runId: string },
): Promise<TemplateReading> {
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

async function storeSheet(
  { journal }: Pick<Connection, "journal">,
  { runId, how }: { readonly runId: string; readonly how: ActionReading },
  rows: AsyncIterable<SheetRow>,
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

/** Calls of a planned action: it is sent, and read back with others. */
async function savePlan(
  connection: Connection,
  { runId, options }: { readonly runId: string; readonly options: PlanActionOptions },
): Promise<void> {
  const { journal, runs, meters } = connection;
  const counts = toCounts(await journal.countRows(runId));
  const { pending: update, unchanged, invalid, duplicate, held } = counts;
  const readCalls = meters.calls.counts().read;
  const requests = update === 0 ? 0 : update + Math.min(readCalls, update);
  const seconds = await estimateSeconds(connection, requests);
  const planned = { add: 0, update, unchanged, invalid, duplicate, held, requests, seconds };
  const facts = { readBy: "listing", priceUnit: "unknown", planned } as const;
  const settings = options.settings ?? {};
  await runs.update(runId, { state: "planned", facts, settings });
}

async function readPlanned({ runs }: Connection, runId: string): Promise<RunRecord> {
  const run = await runs.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return run;
}

/** Companies that codes can be asked of: those with a contract, or all where there is none. */
async function readCompanies(
  { client }: Pick<Connection, "client">,
  { signal }: Pick<PlanActionOptions, "signal">,
): Promise<ActionReading["companies"]> {
  const how = signal === undefined ? {} : { signal };
  const contracted = await client.shipping.contractedCompanies({}, how);
  return contracted.length > 0 ? contracted : await client.shipping.companies({}, how);
}

function missingColumns(
  { name, sheet, headerRow }: RunFile,
  missing: readonly { readonly header: Localized }[],
): CatalogError {
  const issues = missing.map(({ header }) => ({
    code: "E_COLUMN_MISSING",
    sheet,
    row: headerRow,
    column: "",
    cell: "",
    value: "",
    message: {
      tr: `“${header.tr}” sütunu yok.`,
      en: `There is no column “${header.en}”.`,
    },
    suggestion: {
      tr: "Dosyayı yeniden dışa aktarın ve sütun başlıklarını değiştirmeyin.",
      en: "Export the file again and leave its headers as they are.",
    },
  }));
  return new CatalogError("E_FILE_COLUMNS", name, issues);
}
