/** Reads the file of held rows in which a person has decided which are sent and which are given up. */

import { CatalogError, type Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  APPROVE_TEXTS,
  HELD_HEADERS,
  type HeldColumn,
  heldValues,
  inputCells,
  isForApproval,
  ownColumns,
  parseHeldKey,
} from "@catalog/report";
import {
  rowAddress,
  rowArgument,
  type RowKey,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import {
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  type OutCell,
  type ReadLimits,
  SheetError,
  type SheetRow,
  unescapeFormula,
} from "@catalog/sheets";

import { findNewerSync } from "./release-rows.ts";

/** A marked or edited row that cannot be released, and the reason. */
interface RefusedApproval {
  /** Row number in the file of held rows. */
  readonly fileRow: number;
  readonly why: Localized;
}

/** The marks of a file of held rows. */
interface Approvals {
  /** Marked rows that are held by a guard, for a change in the store or for a look-alike code. */
  readonly approved: readonly RowRecord[];
  /** Rows of the same kind whose mark says that they are not to be sent. */
  readonly declined: readonly RowRecord[];
  /** Marked rows that cannot be released, and edited ones without a mark. */
  readonly refused: readonly RefusedApproval[];
  /** Number of rows without a mark; they stay held. */
  readonly unmarked: number;
}

/** The file with the marks. */
interface ApprovalFile {
  readonly path: string;
  readonly limits?: Partial<ReadLimits> | undefined;
  /** Character encoding of a CSV file. @default it is found */
  readonly encoding?: string | undefined;
}

/**
 * Reads the marks. Throws {@link CatalogError} `E_APPROVAL_FILE` for a file without the columns of
 * held rows.
 */
export async function readApprovals(
  connection: Connection,
  run: RunRecord,
  { path, limits, encoding }: ApprovalFile,
): Promise<Approvals> {
  const decided = { yes: new Map<number, RowRecord>(), no: new Map<number, RowRecord>() };
  const refused: RefusedApproval[] = [];
  let unmarked = 0;
  const how = {
    ...(limits !== undefined && { limits }),
    ...(encoding !== undefined && { encoding }),
  };
  const file = { path, ...how };
  for await (const sheet of openSheets(file)) {
    const columns = findColumns(sheet.header, path);
    for await (const fileRow of sheet.rows()) {
      const text = textAt(fileRow, columns.approve);
      const mark = toMark(text);
      if (mark === "none") unmarked += 1;
      const found =
        mark === "unclear"
          ? REFUSALS.mark(text)
          : await findMarked(connection, run, { fileRow, columns, mark });
      if (found === undefined) continue;
      if ("state" in found) decided[mark === "no" ? "no" : "yes"].set(found.row, found);
      else refused.push({ fileRow: fileRow.row, why: found });
    }
  }
  const [approved, declined] = [[...decided.yes.values()], [...decided.no.values()]];
  return { approved, declined, refused, unmarked };
}

/** Opens the sheet of the file, or each of several: rows beyond Excel's limit are on further sheets. */
async function* openSheets(file: OpenSheetOptions): AsyncGenerator<OpenedSheet> {
  const found = await openSheet(file).catch(toSheetNames);
  if ("rows" in found) {
    await using only = found;
    yield only;
    return;
  }
  for (const sheet of found.names) {
    await using opened = await openSheet({ ...file, sheet });
    yield opened;
  }
}

function toSheetNames(error: unknown): { readonly names: readonly string[] } {
  if (!(error instanceof SheetError) || error.code !== "E_SHEET_CHOICE") throw error;
  return { names: error.details.names ?? [] };
}

interface FoundColumns extends Readonly<Record<"key" | "approve", number>> {
  readonly headers: readonly string[];
}

function findColumns({ cells }: SheetRow, path: string): FoundColumns {
  const headers = cells.map((cell) => String(cell ?? "").trim());
  const find = (column: HeldColumn): readonly number[] => {
    const { tr, en } = HELD_HEADERS[column];
    return [...headers.keys()].filter((index) => [tr, en].includes(headers[index] ?? ""));
  };
  const key = find("key").at(-1);
  // A column of the input may have the same name, and a person may have moved ours.
  const approves = find("approve");
  const approve = approves[0] === 0 ? 0 : approves.at(-1);
  if (key === undefined || approve === undefined) throw new CatalogError("E_APPROVAL_FILE", path);
  return { headers, key, approve };
}

const textAt = ({ cells }: SheetRow, index: number): string =>
  unescapeFormula(String(cells[index] ?? "")).trim();

type Mark = "yes" | "no" | "none" | "unclear";

/** Ignores case, and the difference between `ı` and `i`. */
const toWord = (text: string): string => text.toLocaleLowerCase("tr").replaceAll("ı", "i");

/** The words of both languages and their first letters; no other word decides on a row. */
const MARKS: ReadonlyMap<string, Mark> = new Map(
  Object.values(APPROVE_TEXTS).flatMap(([yes, no]) =>
    ([yes, no] as const).flatMap((word, index): readonly [string, Mark][] => {
      const mark = index === 0 ? "yes" : "no";
      return [
        [toWord(word), mark],
        [toWord(word.slice(0, 1)), mark],
      ];
    }),
  ),
);

/** Reads a mark; a word that means neither yes nor no is `unclear`. */
const toMark = (text: string): Mark =>
  text === "" ? "none" : (MARKS.get(toWord(text)) ?? "unclear");

interface MarkedRow {
  readonly fileRow: SheetRow;
  readonly columns: FoundColumns;
  readonly mark: "yes" | "no" | "none";
}

type Found = RowRecord | Localized | undefined;

/** As {@link findHeld}; of a row without a mark only the reason is returned, where it was edited. */
async function findMarked(
  connection: Connection,
  run: RunRecord,
  marked: MarkedRow,
): Promise<Found> {
  if (marked.mark !== "none") return await findHeld(connection, run, marked);
  const key = parseHeldKey(textAt(marked.fileRow, marked.columns.key));
  if (key?.runId !== run.id) return undefined;
  const [record] = await connection.journal.readRows(run.id, { after: key.row - 1, limit: 1 });
  if (record?.row !== key.row || record.state !== "held") return undefined;
  return isSame(run, record, marked) ? undefined : REFUSALS.edited(rowAddress(run.file, key.row));
}

/**
 * Finds the held row that a marked row names, or the reason why it cannot be released; `undefined`
 * for one that is to be given up and does not wait any more.
 */
async function findHeld(connection: Connection, run: RunRecord, marked: MarkedRow): Promise<Found> {
  const { fileRow, columns, mark } = marked;
  const text = textAt(fileRow, columns.key);
  const key = parseHeldKey(text);
  if (key === undefined) return REFUSALS.key(text);
  if (key.runId !== run.id) return REFUSALS.otherRun(key.runId);
  const [record] = await connection.journal.readRows(run.id, { after: key.row - 1, limit: 1 });
  const named = rowAddress(run.file, key.row);
  if (record?.row !== key.row) return REFUSALS.key(text);
  if (record.state !== "held") {
    return mark === "no" ? undefined : await refuseSettled(connection, key, named);
  }
  if (!isForApproval(record)) {
    return REFUSALS.noGuard(named, `${run.id} --rows ${rowArgument(run.file, key.row)}`);
  }
  const isAsked = mark === "no" || isSame(run, record, marked);
  return isAsked ? record : REFUSALS.changed(named);
}

const isSame = (run: RunRecord, record: RowRecord, marked: MarkedRow): boolean =>
  isSameInput(run, record, marked) && isSameValue(run, record, marked);

async function refuseSettled(
  connection: Connection,
  key: RowKey,
  named: string,
): Promise<Localized> {
  const newer = await findNewerSync(connection, key);
  return newer === undefined ? REFUSALS.settled(named) : REFUSALS.superseded(named, newer);
}

/**
 * Whether the cells are unedited: an approved row is sent as planned, so edits would be lost. They
 * are found by their headers, in whatever order the columns stand.
 */
function isSameInput(
  { file: { header } }: RunRecord,
  record: RowRecord,
  { fileRow, columns: { headers } }: Pick<MarkedRow, "fileRow" | "columns">,
): boolean {
  const shown = ownColumns(header);
  const taken = new Set<number>();
  return inputCells(shown, record).every((cell, at) => {
    const name = (header[shown[at] ?? -1] ?? "").trim();
    const index = headers.findIndex(
      (each, column) =>
        each === name && !taken.has(column) && toPlain(cell) === toPlain(fileRow.cells[column]),
    );
    taken.add(index);
    return index >= 0;
  });
}

/**
 * Whether the new value is the one that the file was written with: a person who edits it, or has a
 * file of before the row was compared again, approves another one.
 */
function isSameValue(
  run: RunRecord,
  record: RowRecord,
  { fileRow, columns: { headers } }: Pick<MarkedRow, "fileRow" | "columns">,
): boolean {
  const { tr, en } = HELD_HEADERS.new;
  const columns = headers.flatMap((each, at) => (each === tr || each === en ? [at] : []));
  const { new: expected } = heldValues(run, record);
  return columns.length === 0 || columns.some((at) => isEqual(expected, fileRow.cells[at]));
}

/** Spreadsheet programs write an amount into a CSV file as they show it. */
function isEqual(expected: OutCell, cell: OutCell | undefined): boolean {
  if (typeof expected !== "number") return toPlain(String(expected ?? "")) === toPlain(cell);
  const text = String(cell ?? "").trim();
  const readings = [text, text.replaceAll(".", "").replace(",", "."), text.replaceAll(",", "")];
  return readings.some(
    (each) => each !== "" && Math.abs(Number(each) - expected) < HALF_OF_LAST_DIGIT,
  );
}

/** Amounts are shown with two decimals. */
const HALF_OF_LAST_DIGIT = 0.0051;

/** Removes differences that spreadsheet programs make: numbers for texts of digits, line breaks. */
function toPlain(cell: OutCell | Date | undefined): string {
  const text = unescapeFormula(String(cell ?? ""))
    .replaceAll("\r\n", "\n")
    .trim();
  const isNumber = text !== "" && Number.isFinite(Number(text));
  return isNumber ? String(Number(text)) : text.toLowerCase();
}

const REFUSALS = {
  mark: (text: string): Localized => ({
    tr: `Onay hücresindeki "${text}" anlaşılamadı; Evet ya da Hayır yazın, karar vermeyecekseniz boş bırakın.`,
    en: `"${text}" in the Approve cell is not understood; write Yes or No, or leave it empty to decide later.`,
  }),
  key: (text: string): Localized => ({
    tr: `Bekleyen Satır hücresi ("${text}") bu çalıştırmanın bir satırını göstermiyor; held.xlsx dosyasındaki değeri değiştirmeyin.`,
    en: `The Held Row cell ("${text}") names no row of this run; leave the value as held.xlsx has it.`,
  }),
  otherRun: (runId: string): Localized => ({
    tr: `Bu satır ${runId} çalıştırmasının; onu kendi çalıştırmasıyla bırakın: catalog release ${runId} --approved DOSYA`,
    en: `This row is of run ${runId}; release it there: catalog release ${runId} --approved FILE`,
  }),
  settled: (row: string): Localized => ({
    tr: `${row}. satır artık beklemiyor; yeniden gönderilmedi.`,
    en: `Row ${row} does not wait any more, and was not sent again.`,
  }),
  superseded: (row: string, newer: string): Localized => ({
    tr: `${row}. satır artık beklemiyor: beslemenin daha yeni eşitlemeleri var; gönderilmedi. Hâlâ bekliyorsa oradan bırakın: catalog runs ${newer}`,
    en: `Row ${row} does not wait any more, as there are newer syncs of the feed, and was not sent. If it is still held, release it there: catalog runs ${newer}`,
  }),
  noGuard: (row: string, words: string): Localized => ({
    tr: `${row}. satır değerleri yüzünden bekletilmedi; karar için: catalog release ${words}`,
    en: `Row ${row} is not held for its values; to decide on it: catalog release ${words}`,
  }),
  edited: (row: string): Localized => ({
    tr: `${row}. satırın hücreleri ya da değerleri held.xlsx yazıldığındaki gibi değil, Onay hücresi ise boş; satır beklemeye devam ediyor. Bu dosyada değer değiştirilmez: başka bir değer için düzeltilmiş satırı catalog import ile yükleyin; dosya eskiyse yenisini kullanın.`,
    en: `Cells or values of row ${row} are not as held.xlsx was written, and its Approve cell is empty, so the row goes on waiting. Values are not changed in this file: for another value import the corrected row with catalog import; if the file is old, use the new one.`,
  }),
  changed: (row: string): Localized => ({
    tr: `${row}. satırın hücreleri ya da değerleri held.xlsx yazıldığındaki gibi değil; onay yalnızca planlanan değeri gönderir. Başka bir değer için düzeltilmiş satırı catalog import ile yükleyin; dosya eskiyse yenisini kullanın.`,
    en: `Cells or values of row ${row} are not as held.xlsx was written, and approving sends only what was planned. For another value import the corrected row with catalog import; if the file is old, use the new one.`,
  }),
} as const;
