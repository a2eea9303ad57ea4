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
  type CandidateRow,
  type Localized,
  type ParsedRow,
  planRun,
  type RowIssue,
  settleOpen,
  type RunMode,
  type RunRecord,
  type SourceRow as StoredRow,
} from "@catalog/runs";
import {
  openSheet,
  type OpenedSheet,
  type OpenSheetOptions,
  resolveSheetLink,
  type SheetLink,
  type SheetRow,
} from "@catalog/sheets";

import { addCalls, estimateSeconds } from "./calls.ts";
import { toCandidate } from "./candidate.ts";
import { ToolkitError } from "./errors.ts";
import { createReadingCheck, describeReading } from "./file-reading.ts";
import { createNameSource } from "./name-source.ts";
import { recallNotations } from "./notation-memory.ts";
import { type Toolkit } from "./open-toolkit.ts";

/** What to plan, and how its cells are to be read. */
export interface PlanFileOptions {
  /** Absolute, or a link to a shared table. */
  readonly path: string;
  /** Fetches the table behind a link into a file. @default links are refused */
  readonly download?: DownloadTable | undefined;
  /** Told how the file was read, before anything is planned. */
  readonly onReading?: (line: Localized) => void;
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
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: PlanProgress) => void;
}

/** Fetches a table, within limits of its own, and returns the absolute path of the file. */
export type DownloadTable = (link: SheetLink, signal?: AbortSignal) => Promise<string>;

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
export async function planFile(toolkit: Toolkit, asked: PlanFileOptions): Promise<RunRecord> {
  const path = await fetchTable(asked);
  const options = { ...asked, path };
  const before = toolkit.calls.counts();
  const sha256 = resolveSheetLink(path) === undefined ? await hashFile(path) : "";
  const sheet = await openSheet({ ...options.sheet, path, ...signalOf(options) });
  try {
    const mapping = await readColumns(sheet, options);
    // Fails early, and without a run, when the login is refused.
    await toolkit.client.login(signalOf(options));
    // What an earlier process left open decides whether a code may be added at all.
    const { journal, marketplace, clock } = toolkit;
    const open = { journal, marketplace, clock, codeKey, sheet: sheet.sheet };
    await settleOpen({ ...open, signal: options.signal });
    const runId = await createRun(toolkit, options, { sheet, sha256 });
    await planRows(toolkit, options, { runId, sheet, sha256, mapping });
    await addCalls(toolkit, runId, before);
    const run = await toolkit.runLog.read(runId);
    if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
    return run;
  } finally {
    await sheet.close();
  }
}

async function fetchTable({ path, download, signal }: PlanFileOptions): Promise<string> {
  const link = resolveSheetLink(path);
  return link === undefined || download === undefined ? path : await download(link, signal);
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
  /** Of the file, before it was read. */
  readonly sha256: string;
  readonly mapping: ColumnMapping;
}

async function createRun(
  { runLog, clock }: Toolkit,
  options: PlanFileOptions,
  { sheet, sha256 }: Omit<OpenedRun, "mapping">,
): Promise<string> {
  const id = createRunId(new Date(clock.now()));
  await runLog.create({
    id,
    command: options.command,
    file: {
      path: options.path,
      name: basename(options.path),
      sha256,
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

/** Empty for a file that cannot be read; opening it says why. */
async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const input = createReadStream(path);
  try {
    for await (const chunk of input) hash.update(chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
  return hash.digest("hex");
}

/** Rows from before and after a change would make a plan for a file that never was. */
async function assertUnchanged({ path }: PlanFileOptions, sha256: string): Promise<void> {
  if ((await hashFile(path)) !== sha256) throw new ToolkitError("E_FILE_CHANGED", basename(path));
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
  const reading = describeReading(sheet, options.sheet ?? {});
  options.onReading?.(reading.line);
  const { total, remarks, notations } = await storeRows(toolkit, options, opened);
  await assertUnchanged(options, opened.sha256);
  const checkReading = createReadingCheck(sheet, mapping);
  const codes = createCodeColumn(sheet.sheet, mapping);
  const mapper = createRowMapper({
    sheet: sheet.sheet,
    mapping,
    notations,
    names: createNameSource({ client, cache: names, baseUrl, signal: options.signal }),
  });
  const facts = await planRun({
    runId,
    journal,
    marketplace,
    mode: options.mode,
    toCandidate: async (row) =>
      withIssues(
        toCandidate({ mapper, codes }, await mapper.map(toMappable(row))),
        checkReading(row),
      ),
    codeKey,
    estimateSeconds: (requests) => estimateSeconds(toolkit, requests),
    signal: options.signal,
    onProgress: (done) => options.onProgress?.({ step: "plan", done, total }),
  });
  const warnings = [
    ...(reading.isRemarkable ? [reading.line[options.lang]] : []),
    ...sheet.notices(lastHeaderRow(opened)).map(({ message }) => message[options.lang]),
    ...lastingWarnings(mapping, mapper).map(({ message }) => message[options.lang]),
    ...(remarks > 0 ? [REMARKS[options.lang](remarks)] : []),
  ];
  await runLog.update(runId, { state: "planned", facts, warnings });
}

const withIssues = (row: CandidateRow, issues: readonly RowIssue[]): CandidateRow =>
  issues.length === 0 ? row : { ...row, issues: [...issues, ...row.issues] };

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

const lastHeaderRow = ({ sheet, mapping }: Pick<OpenedRun, "sheet" | "mapping">): number =>
  sheet.header.row + (mapping.hasKeyRow ? 1 : 0);

/** The rows below the headers and the machine keys, without remarks. */
async function* productRows(
  sheet: OpenedSheet,
  mapping: ColumnMapping,
  onRemark: () => void = () => undefined,
): AsyncGenerator<SheetRow> {
  const lastHeader = lastHeaderRow({ sheet, mapping });
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
