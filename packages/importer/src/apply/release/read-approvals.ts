/** Which held rows come back marked in the file in which they were handed out. */

import { type Connection, CatalogError } from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
import {
  HELD_HEADERS,
  type HeldColumn,
  inputCells,
  ownColumns,
  parseHeldKey,
} from "@catalog/report";
import { guardOf, type RowIssue, type RowRecord, type RunRecord } from "@catalog/runs";
import { type CellValue, openSheet, type SheetRow, unescapeFormula } from "@catalog/sheets";

/** A marked row that cannot be released, and why. */
export interface RefusedApproval {
  /** Of the file that came back. */
  readonly fileRow: number;
  readonly why: Localized;
}

/** What a file of held rows says. */
export interface Approvals {
  /** Rows that are marked, and that a guard holds or a change in the store. */
  readonly approved: readonly RowRecord[];
  readonly refused: readonly RefusedApproval[];
  /** Rows that are not marked; they stay as they are. */
  readonly unmarked: number;
}

/** Reads the marks. Throws {@link CatalogError} `E_APPROVAL_FILE` for a file that is none of ours. */
export async function readApprovals(
  connection: Connection,
  run: RunRecord,
  path: string,
): Promise<Approvals> {
  await using sheet = await openSheet({ path });
  const columns = findColumns(sheet.header, path);
  const approved = new Map<number, RowRecord>();
  const refused: RefusedApproval[] = [];
  let unmarked = 0;
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
  return { approved: [...approved.values()], refused, unmarked };
}

type FoundColumns = Readonly<Record<"key" | "approve", number>>;

function findColumns({ cells }: SheetRow, path: string): FoundColumns {
  const find = (column: HeldColumn): number => {
    const { tr, en } = HELD_HEADERS[column];
    // The last one: an input column of the same name stands before it.
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

/** A word that is neither is not guessed at. */
function toMark(text: string): "yes" | "no" | "unclear" {
  const forms = [text.toLocaleLowerCase("tr"), text.toLowerCase()];
  if (forms.some((form) => YES.has(form))) return "yes";
  return forms.some((form) => NO.has(form)) ? "no" : "unclear";
}

interface MarkedRow {
  readonly fileRow: SheetRow;
  readonly keyColumn: number;
}

/** The held row that a marked one stands for, if it is still what was handed out. */
async function findHeld(
  { journal }: Connection,
  run: RunRecord,
  { fileRow, keyColumn }: MarkedRow,
): Promise<RowRecord | Localized> {
  const text = textAt(fileRow, keyColumn);
  const key = parseHeldKey(text);
  if (key === undefined) return REFUSALS.key(text);
  if (key.runId !== run.id) return REFUSALS.otherRun(key.runId);
  const [record] = await journal.readRows(run.id, { after: key.row - 1, limit: 1 });
  if (record?.row !== key.row) return REFUSALS.key(text);
  if (record.state !== "held") return REFUSALS.settled(record.row);
  if (!record.issues.some(isForApproval)) return REFUSALS.noGuard(record.row);
  return isSameInput(run, record, fileRow) ? record : REFUSALS.changed(record.row);
}

/** Held for its values or its code, which a person has before them in the file. */
const isForApproval = (issue: RowIssue): boolean =>
  guardOf(issue) !== undefined || APPROVED_CODES.has(issue.code);

const APPROVED_CODES: ReadonlySet<string> = new Set(["E_CHANGED", "E_CODE_SUSPECT"]);

/** Approving a row sends what was planned; what was typed over it would be lost. */
function isSameInput({ file }: RunRecord, record: RowRecord, { cells }: SheetRow): boolean {
  const kept = inputCells(ownColumns(file.header), record);
  return kept.every((cell, index) => toPlain(cell) === toPlain(cells[index]));
}

/** Spreadsheet programs may write a number for a text of digits, and other line breaks. */
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
  settled: (row: number): Localized => ({
    tr: `${row}. satır artık beklemiyor; yeniden gönderilmedi.`,
    en: `Row ${row} does not wait any more, and was not sent again.`,
  }),
  noGuard: (row: number): Localized => ({
    tr: `${row}. satır değerleri yüzünden bekletilmedi; karar için: catalog release RUN --rows ${row}`,
    en: `Row ${row} is not held for its values; to decide on it: catalog release RUN --rows ${row}`,
  }),
  changed: (row: number): Localized => ({
    tr: `${row}. satırın hücreleri dosyada değiştirilmiş; onay planlanan değeri gönderir. Düzeltilmiş satırı catalog import ile yükleyin.`,
    en: `Cells of row ${row} were changed in the file, and approving sends what was planned. Import the corrected row with catalog import.`,
  }),
} as const;
