/** Reads a file, checks every row of it and stores what is to be done. Sends nothing. */

import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";

import {
  type ColumnMapping,
  createCodeColumn,
  createNotationObserver,
  codeKey,
  createRowMapper,
  isIgnoredRow,
  mapColumns,
  type NumberNotations,
  type RowMapper,
  type SourceRow,
} from "@catalog/mapping";
import {
  type ParsedRow,
  planRun,
  settleOpen,
  type RunMode,
  type RunRecord,
  type SourceRow as StoredRow,
} from "@catalog/runs";
import { openSheet, type OpenedSheet, type OpenSheetOptions, type SheetRow } from "@catalog/sheets";

import { addCalls, estimateSeconds } from "./calls.ts";
import { toCandidate } from "./candidate.ts";
import { ToolkitError } from "./errors.ts";
import { createNameSource } from "./name-source.ts";
import { recallNotations } from "./notation-memory.ts";
import { type Toolkit } from "./open-toolkit.ts";
import { checkPictureSource, openPictures } from "./pictures/open-pictures.ts";
import { type PictureOptions } from "./pictures/picture-options.ts";

/** What to plan, and how its cells are to be read. */
export interface PlanFileOptions {
  /** Absolute. */
  readonly path: string;
  /** Which command plans, for the history. */
  readonly command: string;
  readonly lang: "tr" | "en";
  readonly mode: RunMode;
  /** Where result files will be written, absolute; `{run}` stands for the run's id. */
  readonly reportDir: string;
  readonly sheet?: Omit<OpenSheetOptions, "path" | "signal">;
  /** Notation of prices in text cells. @default decided per column */
  readonly decimal?: "comma" | "point" | undefined;
  /** Header in the file to field. */
  readonly columns?: ReadonlyMap<string, string>;
  /** Field to the text that every row gets where its own cell is empty or missing. */
  readonly constants?: ReadonlyMap<string, string>;
  /** @default pictures are neither looked at nor uploaded */
  readonly pictures?: PictureOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: PlanProgress) => void;
}

/** How far planning is, in rows. */
export interface PlanProgress {
  readonly step: "read" | "plan";
  readonly done: number;
  /** Unknown while the file is being read. */
  readonly total: number | undefined;
}

/** Rows written to the journal at a time. */
const BATCH_ROWS = 500;

/** Plans a file. Throws {@link ToolkitError} when the file as a whole cannot be used. */
export async function planFile(toolkit: Toolkit, options: PlanFileOptions): Promise<RunRecord> {
  const { path } = options;
  const before = toolkit.calls.counts();
  const sheet = await openSheet({ ...options.sheet, path, ...signalOf(options) });
  try {
    const mapping = await readColumns(sheet, options);
    await checkPictureSource(options);
    // Fails early, and without a run, when the login is refused.
    await toolkit.client.login(signalOf(options));
    // What an earlier process left open decides whether a code may be added at all.
    const { journal, marketplace, clock } = toolkit;
    const open = { journal, marketplace, clock, codeKey, sheet: sheet.sheet };
    await settleOpen({ ...open, signal: options.signal });
    const runId = await createRun(toolkit, options, sheet);
    await planRows(toolkit, options, { runId, sheet, mapping });
    await addCalls(toolkit, runId, before);
    const run = await toolkit.runLog.read(runId);
    if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
    return run;
  } finally {
    await sheet.close();
  }
}

function signalOf({ signal }: PlanFileOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

async function readColumns(sheet: OpenedSheet, options: PlanFileOptions): Promise<ColumnMapping> {
  const first = await readFirst(sheet.rows());
  const mapping = mapColumns({
    sheet: sheet.sheet,
    headerRow: sheet.header.row,
    header: sheet.header.cells,
    below: first?.cells,
    overrides: options.columns ?? new Map(),
    constants: options.constants ?? new Map(),
  });
  const file = basename(options.path);
  // A column that was named and is not there would silently not be sent.
  const misnamed = mapping.warnings.filter(({ code }) => code === "W_MAP_HEADER");
  const issues = [...mapping.issues, ...misnamed];
  if (issues.length > 0) throw new ToolkitError("E_FILE_COLUMNS", file, issues);
  if ((await readFirst(productRows(sheet, mapping))) === undefined) {
    throw new ToolkitError("E_NO_ROWS", file);
  }
  return mapping;
}

async function readFirst(rows: AsyncIterable<SheetRow>): Promise<SheetRow | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

interface OpenedRun {
  readonly sheet: OpenedSheet;
  readonly mapping: ColumnMapping;
}

async function createRun(
  { runLog, clock }: Toolkit,
  options: PlanFileOptions,
  sheet: OpenedSheet,
): Promise<string> {
  const id = createRunId(new Date(clock.now()));
  await runLog.create({
    id,
    command: options.command,
    file: {
      path: options.path,
      name: basename(options.path),
      sha256: await hashFile(options.path),
      kind: sheet.kind,
      sheet: sheet.sheet,
      headerRow: sheet.header.row,
      header: sheet.header.cells.map((cell) => String(cell ?? "")),
    },
    mode: options.mode,
    lang: options.lang,
    reportDir: options.reportDir.replaceAll("{run}", id),
    warnings: [],
  });
  return id;
}

/** Sorts by time, is short enough to type, and does not repeat. */
function createRunId(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/gu, "").replace("T", "-").slice(2, 13);
  return `r-${stamp}-${randomBytes(2).toString("hex")}`;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

interface PlannedRun extends OpenedRun {
  readonly runId: string;
}

async function planRows(
  toolkit: Toolkit,
  options: PlanFileOptions,
  opened: PlannedRun,
): Promise<void> {
  const { journal, runLog, client, names, baseUrl, marketplace } = toolkit;
  const { runId, sheet, mapping } = opened;
  const { total, remarks, notations } = await storeRows(toolkit, options, opened);
  const codes = createCodeColumn(sheet.sheet, mapping);
  const reportDir = options.reportDir.replaceAll("{run}", runId);
  const { path, lang, signal } = options;
  const asked = { pictures: options.pictures, path, lang, reportDir, runId, mapping, signal };
  await using pictures = await openPictures(toolkit, asked);
  const mapper = createRowMapper({
    sheet: sheet.sheet,
    mapping,
    notations,
    takesPictureFiles: pictures.takesFiles,
    names: createNameSource({ client, cache: names, baseUrl, signal: options.signal }),
  });
  const facts = await planRun({
    runId,
    journal,
    marketplace,
    mode: options.mode,
    toCandidate: async (row) => {
      const { mapped, pictureIssues } = await pictures.settle(await mapper.map(toMappable(row)));
      return toCandidate({ mapper, codes }, mapped, pictureIssues);
    },
    codeKey,
    estimateSeconds: (requests) => estimateSeconds(toolkit, requests),
    signal: options.signal,
    onProgress: (done) => options.onProgress?.({ step: "plan", done, total }),
  });
  const warnings = [
    ...lastingWarnings(mapping, mapper).map(({ message }) => message[options.lang]),
    ...(remarks > 0 ? [REMARKS[options.lang](remarks)] : []),
    ...(await pictures.finish()),
  ];
  await runLog.update(runId, { state: "planned", facts, warnings });
}

const REMARKS = {
  tr: (count: number) => `# ile başlayan ${count} satır açıklama sayıldı ve atlandı.`,
  en: (count: number) => `Rows that start with # are remarks and were left out: ${count}.`,
};

/** An unknown header that turned out to be a property of some category is used after all. */
function lastingWarnings(
  { columns, warnings }: ColumnMapping,
  { propertyColumns }: RowMapper,
): ColumnMapping["warnings"] {
  const used = new Set(
    columns.filter(({ index }) => propertyColumns.has(index)).map(({ header }) => header),
  );
  return warnings.filter(({ code, column }) => code !== "W_COLUMN_UNKNOWN" || !used.has(column));
}

/** Writes every row down as it stands in the sheet, and learns how its numbers are written. */
async function storeRows(
  { journal, names, baseUrl }: Toolkit,
  options: PlanFileOptions,
  { runId, sheet, mapping }: PlannedRun,
): Promise<StoredRows> {
  const { decimal, onProgress } = options;
  const observer = createNotationObserver(mapping, decimal === undefined ? {} : { decimal });
  const codes = createCodeColumn(sheet.sheet, mapping);
  let batch: ParsedRow[] = [];
  let total = 0;
  let remarks = 0;
  const store = async (): Promise<void> => {
    await journal.appendRows(runId, batch);
    total += batch.length;
    batch = [];
    onProgress?.({ step: "read", done: total, total: undefined });
  };
  for await (const row of productRows(sheet, mapping, () => (remarks += 1))) {
    observer.observe(row);
    const { code = null, codeKey: key = null } = codes.read(row) ?? {};
    batch.push({ ...row, code, codeKey: key });
    if (batch.length === BATCH_ROWS) await store();
  }
  await store();
  const decided = observer.decide();
  const notations = await recallNotations({ names, baseUrl }, mapping, decided);
  return { total, remarks, notations };
}

interface StoredRows {
  readonly total: number;
  /** Rows that were left out because they are remarks. */
  readonly remarks: number;
  readonly notations: NumberNotations;
}

/** The rows below the headers and the machine keys, without remarks. */
async function* productRows(
  sheet: OpenedSheet,
  mapping: ColumnMapping,
  onRemark: () => void = () => undefined,
): AsyncGenerator<SheetRow> {
  const lastHeader = sheet.header.row + (mapping.hasKeyRow ? 1 : 0);
  for await (const row of sheet.rows()) {
    if (row.row <= lastHeader) continue;
    if (isIgnoredRow(row)) onRemark();
    else yield row;
  }
}

/** The traits of a stored row are the ones that the reader gave it. */
function toMappable({ row, cells, traits }: StoredRow): SourceRow {
  return traits === undefined ? { row, cells } : { row, cells, traits };
}
