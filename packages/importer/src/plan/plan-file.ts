/** Plans the rows of a file, or those that an earlier run could not send. Sends nothing. */

import { access, constants as modes } from "node:fs/promises";
import { basename } from "node:path";

import { CatalogError, type Connection, recordCalls, type SpanStart } from "@catalog/connection";
import {
  describeFileError,
  InputError,
  isAddress,
  isFileError,
  type Localized,
  makeFolder,
} from "@catalog/i18n";
import { FetchError } from "@catalog/images";
import {
  type ColumnMapping,
  createKnownHeaderCount,
  createRecordJudge,
  platforms,
} from "@catalog/mapping";
import {
  createRun,
  type NewRun,
  readAllRows,
  reconcileOpen,
  type RowState,
  type RunFile,
  type RunRecord,
} from "@catalog/runs";
import { type OpenedSheet, resolveSheetLink, SheetError, type SheetRow } from "@catalog/sheets";

import { readBackPending } from "../apply/verify-run.ts";
import {
  ownHeaders,
  readDefaultValues,
  readRememberedColumns,
  statedColumns,
  type RememberedColumns,
} from "../columns/column-profiles.ts";
import { wasAccepted } from "../columns/remembered-readings.ts";
import { resolveColumns, toKnownStores } from "../columns/resolve-columns.ts";
import { noteRunOfDraft, openRetryBasis } from "../drafts/store-draft.ts";
import {
  describeFile,
  describePlatform,
  describeStoreColumns,
  toTemplateVersionNotes,
} from "../file/describe-file.ts";
import {
  type AskEncoding,
  hashFile,
  nameDownload,
  nameLinkedFile,
  openTable,
  type SheetQuestion,
  unpackFile,
} from "../file/open-table.ts";
import { productRows, toMappingRow } from "../file/product-rows.ts";
import { checkImageSource, type SentImages } from "../images/open-images.ts";
import { nameSource } from "../pricing/source-names.ts";
import { makePlan } from "./make-plan.ts";
import { readCodeKeys } from "./plan-basis.ts";
import type { PlanFileOptions, PlanSheet, PlanSource } from "./plan-options.ts";

/** Plans a file. Throws {@link CatalogError} when the file as a whole cannot be used. */
export const planFile = (connection: Connection, asked: PlanFileOptions): Promise<RunRecord> =>
  withFile(connection, asked, (options, source) => planSheet(connection, options, source));

/** How a file is opened and its rows are read. */
export type ReadFileOptions = Omit<PlanFileOptions, "command" | "reportDir" | "onRun">;

/** Opens a file as planning does, and closes it once it was used. */
export async function withFile<Options extends ReadFileOptions, Result>(
  connection: Connection,
  asked: Options,
  use: (options: Options, source: PlanSource) => Promise<Result>,
): Promise<Result> {
  const table = await fetchTable(asked);
  try {
    return await withTable(connection, { asked, table }, use);
  } catch (error) {
    if (!table.isFetched || !(error instanceof SheetError)) throw error;
    throw nameDownload(error, { address: asked.path, code: "E_TABLE_DOWNLOAD" });
  }
}

interface FoundTable {
  readonly path: string;
  /** Name for people; that of a downloaded file is none. */
  readonly name: string;
  readonly isFetched: boolean;
}

async function withTable<Options extends ReadFileOptions, Result>(
  connection: Connection,
  { asked, table: { path, name } }: { readonly asked: Options; readonly table: FoundTable },
  use: (options: Options, source: PlanSource) => Promise<Result>,
): Promise<Result> {
  const { askSheet, askEncoding } = asked;
  const options = {
    ...asked,
    path,
    askSheet: askSheet && ((question: SheetQuestion) => askSheet({ ...question, file: name })),
    askEncoding:
      askEncoding &&
      ((question: Parameters<AskEncoding>[0]) => askEncoding({ ...question, file: name })),
  };
  // The digest is taken before the first row is read; a file that cannot be read fails when it is
  // opened.
  const sha256 = (await hashFile(path)) ?? "";
  using file = await unpackFile(
    {
      ...options.sheet,
      path,
      countKnownHeaders: createKnownHeaderCount(options.columns?.keys()),
      judgeRecord: createRecordJudge(options.columns),
      ...signalOf(options),
    },
    options,
  );
  const { memory, baseUrl } = connection;
  const knows = (table: OpenedSheet): Promise<boolean> =>
    wasAccepted({ notes: memory.notes, baseUrl }, ownHeaders(table));
  const { sheet, given } = await openTable(file.options, { ...options, knows });
  try {
    const reading = describeFile(sheet, given);
    options.onReading?.(reading);
    return await use(options, {
      sheet,
      file: toRunFile(sheet, { path, name, sha256 }),
      suppliers: nameSource({ file: asked.path, profile: asked.profile }),
      reading,
      assertUnchanged: () => assertUnchanged({ path, name }, sha256),
    });
  } finally {
    await sheet.close();
  }
}

async function fetchTable({ path, download, signal }: ReadFileOptions): Promise<FoundTable> {
  const link = resolveSheetLink(path);
  if (link === undefined && isAddress(path))
    throw new CatalogError("E_TABLE_DOWNLOAD", new FetchError("E_URL_FORM", path).localized);
  if (link === undefined || download === undefined)
    return { path, name: basename(path), isFetched: false };
  return { path: await download(link, signal), name: nameLinkedFile(link), isFetched: true };
}

/** Refuses a file that changed while it was read, as its plan would mix rows of two versions. */
async function assertUnchanged(
  { path, name }: Pick<RunFile, "path" | "name">,
  sha256: string,
): Promise<void> {
  if ((await hashFile(path)) !== sha256) throw new CatalogError("E_FILE_CHANGED", name);
}

const PLAN_SPAN: SpanStart<RunRecord> = {
  name: "plan",
  toAttributes: ({ id }) => ({ "catalog.run.id": id }),
};

/** Plans the rows of a sheet. */
export function planSheet(
  connection: Connection,
  options: PlanFileOptions,
  source: PlanSource,
): Promise<RunRecord> {
  return connection.meters.span(PLAN_SPAN, async () => {
    const before = connection.meters.calls.counts();
    const { sheet } = source;
    const columns = await readColumns(connection, options, source);
    await checkImageSource(options);
    // A refused login fails here, before a run exists.
    await connection.client.login(signalOf(options));
    // Rows that an earlier process left open decide whether a code may be added.
    const { journal, marketplace, clock } = connection;
    const open = { journal, marketplace, clock, sheet: sheet.sheet };
    await reconcileOpen({ ...open, ...(await readCodeKeys(connection)), signal: options.signal });
    // Earlier rows are read back first, as a field that seemed ignored may only have appeared late.
    await readBackPending(connection, { signal: options.signal });
    const runId = await createFileRun(connection, options, source.file);
    await options.onRun?.(runId);
    await makePlan(connection, options, { ...source, runId, ...columns });
    await recordCalls(connection, runId, before);
    const run = await connection.runs.read(runId);
    if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
    return run;
  });
}

const toRunFile = (
  { kind, sheet, sheets, header }: OpenedSheet,
  source: Pick<RunFile, "path" | "name" | "sha256">,
): RunFile => ({
  ...source,
  kind,
  sheet,
  ...(sheets !== undefined && { sheets }),
  headerRow: header.row,
  header: toTexts(header.cells),
});

function signalOf({ signal }: Pick<PlanFileOptions, "signal">): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

interface ReadColumns {
  readonly mapping: ColumnMapping;
  readonly recalled: RememberedColumns;
  /** Cells of the row of machine keys below the headers, where there is one. */
  readonly keyRow: SheetRow["cells"] | undefined;
}

/** Reads the columns of a sheet. Throws {@link CatalogError} where they cannot be used. */
export async function readColumns(
  connection: Connection,
  options: ReadFileOptions,
  { sheet, reading, readBasis, file: { name: file } }: PlanSource,
): Promise<ReadColumns> {
  const { storeId, memory } = connection;
  const { profiles } = memory;
  const first = await readFirst(sheet.rows());
  const { columns = new Map(), constants = new Map(), decimal, profile } = options;
  const overrides = { columns, constants, decimal, profile };
  const recalled =
    readBasis === undefined
      ? await readRememberedColumns(profiles, ownHeaders(sheet), overrides)
      : statedColumns(overrides);
  const resolved = await resolveColumns({
    sheet,
    below: first?.cells,
    ...recalled,
    defaults: await readDefaults(profiles, options),
    platform: options.platform,
    stores: toKnownStores(connection),
    ask: options.askColumn,
    signal: options.signal,
  });
  const { mapping, columns: mapped, unconfirmed, issues } = resolved;
  const stamp = mapping.hasKeyRow ? sheet.meta : undefined;
  const platform = describePlatform(mapping.platform);
  const read = [reading, ...platform].filter((line) => line !== undefined);
  const notes = [
    ...read,
    ...recalled.notes,
    ...describeStoreColumns(mapping),
    ...toTemplateVersionNotes(stamp, storeId),
  ];
  if (issues.length > 0) {
    // A platform that was recognised wrongly may be the cause.
    if (platform.length > 0) tellAgain(options, read);
    throw new CatalogError("E_FILE_COLUMNS", file, issues);
  }
  if ((await readFirst(productRows(sheet, mapping))) === undefined) {
    throw new CatalogError("E_NO_ROWS", file);
  }
  const keyRow = mapping.hasKeyRow ? first?.cells : undefined;
  return { mapping, keyRow, recalled: { ...recalled, columns: mapped, unconfirmed, notes } };
}

/** Rows that may only update take no defaults. */
async function readDefaults(
  profiles: Connection["memory"]["profiles"],
  { mode, defaults }: ReadFileOptions,
): Promise<ReadonlyMap<string, string>> {
  return mode === "update" ? new Map() : (defaults ?? (await readDefaultValues(profiles)));
}

function tellAgain({ onReading }: ReadFileOptions, lines: readonly Localized[]): void {
  const [tr, en] = [lines.map((line) => line.tr), lines.map((line) => line.en)];
  onReading?.({ tr: tr.join("\n"), en: en.join("\n") });
}

const toTexts = (cells: SheetRow["cells"]): readonly string[] =>
  cells.map((cell) => String(cell ?? ""));

async function readFirst(rows: AsyncIterable<SheetRow>): Promise<SheetRow | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

async function createFileRun(
  { runs, clock }: Connection,
  options: PlanFileOptions,
  file: RunFile,
): Promise<string> {
  const { command, mode, lang, newRunId } = options;
  const toRun = async (id: string): Promise<NewRun> => {
    const reportDir = options.reportDir.replaceAll("{run}", id);
    await openReportFolder(reportDir);
    return { id, command, file, mode, lang, reportDir, warnings: [] };
  };
  if (newRunId === undefined) return await createRun({ runs, clock }, toRun);
  if (await runs.create(await toRun(newRunId))) return newRunId;
  throw new InputError(
    {
      tr: `${newRunId} kimliğiyle bir çalıştırma zaten var; ikincisi planlanmadı.`,
      en: `There is a run with the id ${newRunId} already; no second one was planned.`,
    },
    { code: "E_RUN_KNOWN" },
  );
}

/** Throws `InputError` where the result files could not be written, before anything is sent. */
export async function openReportFolder(path: string): Promise<void> {
  try {
    makeFolder(path);
    await access(path, modes.W_OK);
  } catch (error) {
    if (!isFileError(error)) throw error;
    const { tr, en } = describeFileError(error);
    throw new InputError(
      {
        tr: `Sonuç dosyaları yazılamaz: ${tr}. Yazılabilen bir klasör verin: --report KLASÖR`,
        en: `The result files cannot be written: ${en}. Name a folder that can be written: --report FOLDER`,
      },
      { code: "E_REPORT_FOLDER", cause: error },
    );
  }
}

/** The earlier run, and the settings of the new one. */
interface PlanRetryOptions extends Pick<
  PlanFileOptions,
  | "command"
  | "lang"
  | "reportDir"
  | "settings"
  | "images"
  | "askPriceUnit"
  | "signal"
  | "onRun"
  | "onProgress"
> {
  readonly run: RunRecord;
}

/**
 * States that are retried: their rows are known not to be in the store, so sending them again is
 * safe.
 */
const RETRIED_STATES: readonly RowState[] = ["rejected"];

/**
 * Plans the rows of `run` that the marketplace refused, as a new run. Their cells are mapped as
 * before: same columns, constants and notation of numbers. Row numbers stay the sheet's. Images are
 * checked again, as `images` says.
 */
export async function planRetry(
  connection: Connection,
  { run, ...options }: PlanRetryOptions,
): Promise<RunRecord> {
  const { reading = {} } = run.progress;
  const columns = reading.notations && new Map(reading.notations);
  const basis = openRetryBasis(connection, run);
  const retry = await planSheet(
    connection,
    {
      ...options,
      path: run.file.path,
      mode: run.mode,
      decimal: reading.decimal,
      columns: new Map(reading.columns ?? []),
      constants: new Map(reading.constants ?? []),
      defaults: new Map(reading.defaults ?? []),
      platform: reading.platform ?? platforms.none,
      variantTitle: reading.variantTitle,
      descriptions: reading.descriptions,
      retryOf: run.id,
    },
    {
      sheet: toSheet(connection, run),
      file: run.file,
      suppliers: reading.suppliers ?? nameSource({ file: run.file.path }),
      isJoined: true,
      notations: columns && { decimal: reading.decimal, columns },
      sentImages: (row) => readSentImages(connection, { run, row }),
      ...basis,
    },
  );
  if (basis.basisOf !== undefined) await noteRunOfDraft(connection, basis.basisOf, retry.id);
  return retry;
}

interface RowOfRun {
  readonly run: RunRecord;
  readonly row: number;
}

/** Images of a row's refused request, for a row whose image files are missing now. */
async function readSentImages(
  { journal }: Connection,
  { run, row }: RowOfRun,
): ReturnType<SentImages> {
  const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
  const payload = record?.row === row ? record.payload : null;
  return payload === null ? undefined : { images: payload.images };
}

/** The stored rows as a sheet, with the row of machine keys that it had. */
function toSheet(connection: Connection, run: RunRecord): PlanSheet {
  const { sheet, sheets, headerRow, header } = run.file;
  const keyRow = run.progress.reading?.keyRow;
  async function* rows(): AsyncGenerator<SheetRow> {
    if (keyRow !== undefined) yield { row: headerRow + 1, cells: keyRow };
    const states = RETRIED_STATES;
    for await (const records of readAllRows(connection.journal, run.id, { states })) {
      yield* records.map(toMappingRow);
    }
  }
  return { sheet, ...(sheets && { sheets }), header: { row: headerRow, cells: header }, rows };
}
