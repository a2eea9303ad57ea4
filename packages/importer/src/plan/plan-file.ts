/** Reads a file, checks every row of it and stores what is to be done. Sends nothing. */

import { randomBytes } from "node:crypto";
import { basename } from "node:path";

import { addCalls } from "@catalog/connection";
import { ToolkitError } from "@catalog/connection";
import { type Toolkit } from "@catalog/connection";
import { type Lang, type Localized } from "@catalog/i18n";
import { type PictureOptions } from "@catalog/images";
import { type ColumnMapping, type NumberNotations, type PropertyPolicy } from "@catalog/mapping";
import {
  type AskPriceUnit,
  type RunFile,
  type RunMode,
  type RunRecord,
  type RunSettings,
  settleOpen,
} from "@catalog/runs";
import {
  type OpenedSheet,
  type OpenSheetOptions,
  resolveSheetLink,
  type SheetLink,
  type SheetRow,
} from "@catalog/sheets";

import { lookBack } from "../apply/verify-run.ts";
import { recallColumns, type RecalledColumns } from "../columns/column-profiles.ts";
import { type AskColumn, settleColumns } from "../columns/resolve-columns.ts";
import { describeReading } from "../file/describe-file.ts";
import { hashFile } from "../file/file-hash.ts";
import { type AskEncoding, openTable } from "../file/open-table.ts";
import { productRows } from "../file/product-rows.ts";
import { toStampNotes } from "../file/template-version.ts";
import { checkPictureSource, type SentImages } from "../images/open-images.ts";
import { type AskName } from "../names/ask-open-names.ts";
import { readCodeKeys } from "./code-keys.ts";
import { makePlan } from "./make-plan.ts";

/** What to plan, and how its cells are to be read. */
export interface PlanFileOptions {
  /** Absolute, or a link to a shared table. */
  readonly path: string;
  /** Fetches the table behind a link into a file. @default links are refused */
  readonly download?: DownloadTable | undefined;
  /** Told how the file was read, before anything is made of it. */
  readonly onReading?: ((line: Localized) => void) | undefined;
  /** Which command plans, for the history. */
  readonly command: string;
  readonly lang: Lang;
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
  /** Uses the columns remembered under this name, and remembers them once the plan is accepted. */
  readonly profile?: string | undefined;
  /** Whether properties, which the API is only assumed to take, are sent. @default "send" */
  readonly properties?: PropertyPolicy | undefined;
  /** Codes that only look alike are two products. @default false, they are an error */
  readonly allowsSuspectCodes?: boolean | undefined;
  /** Asked about each column whose meaning is open. @default nobody is, and the file is refused */
  readonly askColumn?: AskColumn | undefined;
  /** Asked about each name that is not found, once. @default nobody is asked */
  readonly askName?: AskName | undefined;
  /** Asked where the letters of the file may be read in several ways. @default it is refused */
  readonly askEncoding?: AskEncoding | undefined;
  /** Asked for the unit of the listing's prices where nothing tells it. @default nobody is */
  readonly askPriceUnit?: AskPriceUnit | undefined;
  /** Unit of the listing's prices, where a person knows it; it is remembered. */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Kept with the run, for whoever applies it. */
  readonly settings?: RunSettings | undefined;
  /** Run whose rows are tried again. @default the rows of a file are planned */
  readonly retryOf?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told the run's id as soon as it has one. */
  readonly onRun?: ((runId: string) => void) | undefined;
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

/** Plans a file. Throws {@link ToolkitError} when the file as a whole cannot be used. */
export async function planFile(toolkit: Toolkit, asked: PlanFileOptions): Promise<RunRecord> {
  const path = await fetchTable(asked);
  const options = { ...asked, path };
  // Before the first row is read; what cannot be read, opening it says.
  const sha256 = (await hashFile(path)) ?? "";
  const { sheet, given } = await openTable(
    { ...options.sheet, path, ...signalOf(options) },
    options.askEncoding,
  );
  try {
    const reading = describeReading(sheet, given);
    options.onReading?.(reading);
    return await planSheet(toolkit, options, {
      sheet,
      file: describeFile(sheet, { path, sha256 }),
      reading,
      assertUnchanged: () => assertUnchanged(path, sha256),
    });
  } finally {
    await sheet.close();
  }
}

async function fetchTable({ path, download, signal }: PlanFileOptions): Promise<string> {
  const link = resolveSheetLink(path);
  return link === undefined || download === undefined ? path : await download(link, signal);
}

/** Rows from before and after a change would make a plan for a file that never was. */
async function assertUnchanged(path: string, sha256: string): Promise<void> {
  if ((await hashFile(path)) !== sha256) throw new ToolkitError("E_FILE_CHANGED", basename(path));
}

/** A sheet of a file, or rows that were kept of one; of those nobody knows more than the cells. */
export type PlanSheet = Pick<OpenedSheet, "sheet" | "header" | "rows"> &
  Partial<Pick<OpenedSheet, "width" | "notices" | "meta">>;

/** Rows to plan, wherever they come from. */
export interface PlanSource {
  readonly sheet: PlanSheet;
  readonly file: RunFile;
  /** How the file was read, where it was read now. */
  readonly reading?: Localized | undefined;
  /** Throws once the rows are not those of the file any more. @default they cannot change */
  readonly assertUnchanged?: () => Promise<void>;
  /** How numbers are written, where that is known. @default decided by the cells */
  readonly notations?: NumberNotations | undefined;
  /** What was sent for rows that are tried again. @default no row is */
  readonly sentImages?: SentImages | undefined;
}

/** Plans the rows of a sheet. */
export async function planSheet(
  toolkit: Toolkit,
  options: PlanFileOptions,
  source: PlanSource,
): Promise<RunRecord> {
  const before = toolkit.calls.counts();
  const { sheet } = source;
  const columns = await readColumns(toolkit, options, source);
  await checkPictureSource(options);
  // Fails early, and without a run, when the login is refused.
  await toolkit.client.login(signalOf(options));
  // What an earlier process left open decides whether a code may be added at all.
  const { journal, marketplace, clock } = toolkit;
  const open = { journal, marketplace, clock, sheet: sheet.sheet };
  await settleOpen({ ...open, ...(await readCodeKeys(toolkit)), signal: options.signal });
  // A field that looked ignored and was only late is known to be taken before it is planned with.
  await lookBack(toolkit, { signal: options.signal });
  const runId = await createRun(toolkit, options, source.file);
  options.onRun?.(runId);
  await makePlan(toolkit, options, { ...source, runId, ...columns });
  await addCalls(toolkit, runId, before);
  const run = await toolkit.runLog.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return run;
}

const describeFile = (
  { kind, sheet, header }: OpenedSheet,
  { path, sha256 }: Pick<RunFile, "path" | "sha256">,
): RunFile => ({
  path,
  name: basename(path),
  sha256,
  kind,
  sheet,
  headerRow: header.row,
  header: toTexts(header.cells),
});

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
  { sheet, reading }: PlanSource,
): Promise<ReadColumns> {
  const first = await readFirst(sheet.rows());
  const { columns = new Map(), constants = new Map(), decimal, profile } = options;
  const wishes = { columns, constants, decimal, profile };
  const recalled = await recallColumns(profiles, toTexts(sheet.header.cells), wishes);
  const settled = await settleColumns({
    sheet,
    below: first?.cells,
    ...recalled,
    ask: options.askColumn,
    signal: options.signal,
  });
  const { mapping, columns: mapped, unconfirmed, issues } = settled;
  const stamp = mapping.hasKeyRow ? sheet.meta : undefined;
  const read = reading === undefined ? [] : [reading];
  const notes = [...read, ...recalled.notes, ...toStampNotes(stamp, storeId)];
  const file = basename(options.path);
  if (issues.length > 0) throw new ToolkitError("E_FILE_COLUMNS", file, issues);
  if ((await readFirst(productRows(sheet, mapping))) === undefined) {
    throw new ToolkitError("E_NO_ROWS", file);
  }
  const keyRow = mapping.hasKeyRow ? first?.cells : undefined;
  return { mapping, keyRow, recalled: { ...recalled, columns: mapped, unconfirmed, notes } };
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
export function createRunId(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/gu, "").replace("T", "-").slice(2, 13);
  return `r-${stamp}-${randomBytes(2).toString("hex")}`;
}
