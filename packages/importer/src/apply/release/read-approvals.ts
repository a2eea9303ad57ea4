/** Reads the file of held rows in which a person has marked the rows to be sent. */

import { type Connection, CatalogError } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  HELD_HEADERS,
  type HeldColumn,
  inputCells,
  ownColumns,
  parseHeldKey,
} from "@catalog/report";
import { guardOf, rowAddress, type RowIssue, type RowRecord, type RunRecord } from "@catalog/runs";
import {
  type CellValue,
  type OpenedSheet,
  openSheet,
  type OpenSheetOptions,
  type ReadLimits,
  SheetError,
  type SheetRow,
  unescapeFormula,
} from "@catalog/sheets";

import { findNewerSync } from "./newer-sync.ts";

/** A marked row that cannot be released, and the reason. */
export interface RefusedApproval {
  /** Row number in the file of held rows. */
  readonly fileRow: number;
  readonly why: Localized;
}

/** The marks of a file of held rows. */
export interface Approvals {
  /** Marked rows that are held by a guard, for a change in the store or for a look-alike code. */
  readonly approved: readonly RowRecord[];
  /** Marked rows that cannot be released. */
  readonly refused: readonly RefusedApproval[];
  /** Number of rows without a mark; they stay held. */
  readonly unmarked: number;
}

/** The file with the marks. */
export interface ApprovalFile {
  readonly path: string;
  readonly limits?: Partial<ReadLimits> | undefined;
}

/**
 * Reads the marks. Throws {@link CatalogError} `E_APPROVAL_FILE` for a file without the columns of
 * held rows.
 */
export async function readApprovals(
  connection: Connection,
  run: RunRecord,
  { path, limits }: ApprovalFile,
): Promise<Approvals> {
  const approved = new Map<number, RowRecord>();
  const refused: RefusedApproval[] = [];
  let unmarked = 0;
  for await (const sheet of openSheets({ path, ...(limits !== undefined && { limits }) })) {
    const columns = findColumns(sheet.header, path);
    for await (const fileRow of sheet.rows()) {
      const mark = toMark(textAt(fileRow, columns.approve));
      if (mark === "no") {
        unmarked += 1;
        continue;
      }
      const found =
        mark === "yes"
          ? await findHeld(connection, run, { fileRow, keyColumn: columns.key })
          : REFUSALS.mark(textAt(fileRow, columns.approve));
      if ("state" in found) approved.set(found.row, found);
      else refused.push({ fileRow: fileRow.row, why: found });
    }
  }
  return { approved: [...approved.values()], refused, unmarked };
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

type FoundColumns = Readonly<Record<"key" | "approve", number>>;

function findColumns({ cells }: SheetRow, path: string): FoundColumns {
  const find = (column: HeldColumn): number => {
    const { tr, en } = HELD_HEADERS[column];
    // The last one, because an input column of the same name stands before it.
    return cells.findLastIndex((cell) => [tr, en].includes(String(cell ?? "").trim()));
  };
  const found = { key: find("key"), approve: find("approve") };
  if (found.key < 0 || found.approve < 0) throw new CatalogError("E_APPROVAL_FILE", path);
  return found;
}

const textAt = ({ cells }: SheetRow, index: number): string =>
  unescapeFormula(String(cells[index] ?? "")).trim();

const YES: ReadonlySet<string> = new Set(
  "evet e yes y x 1 true doğru ok onay onaylandı approve approved ✓ ✔".split(" "),
);
const NO: ReadonlySet<string> = new Set(["", "hayır", "h", "no", "n", "0", "false", "yanlış", "-"]);

/** Reads a mark; a word that means neither yes nor no is `unclear`. */
function toMark(text: string): "yes" | "no" | "unclear" {
  const forms = [text.toLocaleLowerCase("tr"), text.toLowerCase()];
  if (forms.some((form) => YES.has(form))) return "yes";
  return forms.some((form) => NO.has(form)) ? "no" : "unclear";
}

interface MarkedRow {
  readonly fileRow: SheetRow;
  readonly keyColumn: number;
}

/** Finds the held row that a marked row names, or the reason why it cannot be released. */
async function findHeld(
  connection: Connection,
  run: RunRecord,
  { fileRow, keyColumn }: MarkedRow,
): Promise<RowRecord | Localized> {
  const text = textAt(fileRow, keyColumn);
  const key = parseHeldKey(text);
  if (key === undefined) return REFUSALS.key(text);
  if (key.runId !== run.id) return REFUSALS.otherRun(key.runId);
  const [record] = await connection.journal.readRows(run.id, { after: key.row - 1, limit: 1 });
  const named = rowAddress(run.file, key.row);
  if (record?.row !== key.row) return REFUSALS.key(text);
  if (record.state !== "held") {
    const newer = await findNewerSync(connection, key);
    return newer === undefined ? REFUSALS.settled(named) : REFUSALS.superseded(named, newer);
  }
  if (!record.issues.some(isForApproval)) return REFUSALS.noGuard(named);
  return isSameInput(run, record, fileRow) ? record : REFUSALS.changed(named);
}

/** Whether the row is held for its values or its code, which the file shows to the person. */
const isForApproval = (issue: RowIssue): boolean =>
  guardOf(issue) !== undefined || APPROVED_CODES.has(issue.code);

const APPROVED_CODES: ReadonlySet<string> = new Set(["E_CHANGED", "E_CODE_SUSPECT"]);

/** Whether the cells are unedited: an approved row is sent as planned, so edits would be lost. */
function isSameInput({ file }: RunRecord, record: RowRecord, { cells }: SheetRow): boolean {
  const kept = inputCells(ownColumns(file.header), record);
  return kept.every((cell, index) => toPlain(cell) === toPlain(cells[index]));
}

/** Removes differences that spreadsheet programs make: numbers for texts of digits, line breaks. */
function toPlain(cell: CellValue | Date | undefined): string {
  const text = unescapeFormula(String(cell ?? ""))
    .replaceAll("\r\n", "\n")
    .trim();
  const isNumber = text !== "" && Number.isFinite(Number(text));
  return isNumber ? String(Number(text)) : text.toLowerCase();
}

const REFUSALS = {
  mark: (text: string): Localized => ({
    tr: `Onay hücresindeki "${text}" anlaşılamadı; Evet yazın ya da boş bırakın.`,
    en: `"${text}" in the Approve cell is not understood; write Yes, or leave it empty.`,
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
  noGuard: (row: string): Localized => ({
    tr: `${row}. satır değerleri yüzünden bekletilmedi; karar için: catalog release RUN --rows ${row}`,
    en: `Row ${row} is not held for its values; to decide on it: catalog release RUN --rows ${row}`,
  }),
  changed: (row: string): Localized => ({
    tr: `${row}. satırın hücreleri dosyada değiştirilmiş; onay planlanan değeri gönderir. Düzeltilmiş satırı catalog import ile yükleyin.`,
    en: `Cells of row ${row} were changed in the file, and approving sends what was planned. Import the corrected row with catalog import.`,
  }),
} as const;
