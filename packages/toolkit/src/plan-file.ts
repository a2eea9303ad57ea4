/** Reads a file, checks every row of it and stores what is to be done. Sends nothing. */

import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";

import {
  codeKey,
  type ColumnMapping,
  looseCodeKey,
  mapColumns,
  type NumberNotations,
  type PropertyPolicy,
} from "@catalog/mapping";
import {
  type RunFile,
  type RunMode,
  type RunRecord,
  type RunSettings,
  settleOpen,
} from "@catalog/runs";
import { openSheet, type OpenedSheet, type OpenSheetOptions, type SheetRow } from "@catalog/sheets";

import { addCalls } from "./calls.ts";
import { recallColumns, type RecalledColumns } from "./column-memory.ts";
import { ToolkitError } from "./errors.ts";
import { type Toolkit } from "./open-toolkit.ts";
import { planRows } from "./plan-rows.ts";
import { productRows } from "./product-rows.ts";
import { type AskName } from "./settle-names.ts";
import { readStamp, toStampNotes } from "./template-stamp.ts";

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
  /** Uses the columns remembered under this name, and remembers them once the plan is accepted. */
  readonly profile?: string | undefined;
  /** Whether properties, which the API is only assumed to take, are sent. @default "send" */
  readonly properties?: PropertyPolicy | undefined;
  /** Codes that only look alike are two products. @default false, they are an error */
  readonly allowsSuspectCodes?: boolean | undefined;
  /** Asked about each name that is not found, once. @default nobody is asked */
  readonly askName?: AskName | undefined;
  /** Unit of the listing's prices, where a person knows it; it is remembered. */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Kept with the run, for whoever applies it. */
  readonly settings?: RunSettings | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told the run's id as soon as it has one. */
  readonly onRun?: ((runId: string) => void) | undefined;
  readonly onProgress?: (progress: PlanProgress) => void;
}

/** How far planning is, in rows. */
export interface PlanProgress {
  readonly step: "read" | "plan";
  readonly done: number;
  /** Unknown while the file is being read. */
  readonly total: number | undefined;
}

/** Plans a file. Throws {@link ToolkitError} when the file as a whole cannot be used. */
export async function planFile(toolkit: Toolkit, options: PlanFileOptions): Promise<RunRecord> {
  const { path } = options;
  const sheet = await openSheet({ ...options.sheet, path, ...signalOf(options) });
  try {
    return await planSheet(toolkit, options, { sheet, describe: () => describeFile(path, sheet) });
  } finally {
    await sheet.close();
  }
}

/** Rows to plan, wherever they come from. */
export interface PlanSource {
  readonly sheet: Pick<OpenedSheet, "sheet" | "header" | "rows">;
  readonly describe: () => Promise<RunFile>;
  /** How numbers are written, where that is known. @default decided by the cells */
  readonly notations?: NumberNotations | undefined;
}

/** Plans the rows of a sheet. */
export async function planSheet(
  toolkit: Toolkit,
  options: PlanFileOptions,
  source: PlanSource,
): Promise<RunRecord> {
  const before = toolkit.calls.counts();
  const { sheet } = source;
  const columns = await readColumns(toolkit, options, sheet);
  // Fails early, and without a run, when the login is refused.
  await toolkit.client.login(signalOf(options));
  // What an earlier process left open decides whether a code may be added at all.
  const { journal, marketplace, clock } = toolkit;
  const open = { journal, marketplace, clock, codeKey, looseCodeKey, sheet: sheet.sheet };
  await settleOpen({ ...open, signal: options.signal });
  const runId = await createRun(toolkit, options, await source.describe());
  options.onRun?.(runId);
  await planRows(toolkit, options, { ...source, runId, ...columns });
  await addCalls(toolkit, runId, before);
  const run = await toolkit.runLog.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return run;
}

async function describeFile(path: string, sheet: OpenedSheet): Promise<RunFile> {
  return {
    path,
    name: basename(path),
    sha256: await hashFile(path),
    kind: sheet.kind,
    sheet: sheet.sheet,
    headerRow: sheet.header.row,
    header: toTexts(sheet.header.cells),
  };
}

function signalOf({ signal }: PlanFileOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

interface ReadColumns {
  readonly mapping: ColumnMapping;
  readonly recalled: RecalledColumns;
  /** The row of machine keys below the headers, where there is one. */
  readonly keyRow: SheetRow["cells"] | undefined;
}

async function readColumns(
  { profiles, storeId }: Toolkit,
  options: PlanFileOptions,
  sheet: PlanSource["sheet"],
): Promise<ReadColumns> {
  const first = await readFirst(sheet.rows());
  const { columns = new Map(), constants = new Map(), decimal, profile } = options;
  const wishes = { columns, constants, decimal, profile };
  const recalled = await recallColumns(profiles, toTexts(sheet.header.cells), wishes);
  const mapping = mapColumns({
    sheet: sheet.sheet,
    headerRow: sheet.header.row,
    header: sheet.header.cells,
    below: first?.cells,
    overrides: recalled.columns,
    constants: recalled.constants,
  });
  const stamp = mapping.hasKeyRow ? await readStamp(options.path) : undefined;
  const notes = [...recalled.notes, ...toStampNotes(stamp, storeId)];
  const file = basename(options.path);
  // A column that was named and is not there would silently not be sent.
  const misnamed = mapping.warnings.filter(({ code }) => code === "W_MAP_HEADER");
  const issues = [...mapping.issues, ...misnamed];
  if (issues.length > 0) throw new ToolkitError("E_FILE_COLUMNS", file, issues);
  if ((await readFirst(productRows(sheet, mapping))) === undefined) {
    throw new ToolkitError("E_NO_ROWS", file);
  }
  const keyRow = mapping.hasKeyRow ? first?.cells : undefined;
  return { mapping, keyRow, recalled: { ...recalled, notes } };
}

const toTexts = (cells: SheetRow["cells"]): readonly string[] =>
  cells.map((cell) => String(cell ?? ""));

async function readFirst(rows: AsyncIterable<SheetRow>): Promise<SheetRow | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

async function createRun(
  { runLog, clock }: Toolkit,
  options: PlanFileOptions,
  file: RunFile,
): Promise<string> {
  const id = createRunId(new Date(clock.now()));
  await runLog.create({
    id,
    command: options.command,
    file,
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

/** SHA-256 of a file's bytes, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
