/** Reads the file of held rows in which a person has decided which are sent and which are given up. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import { type HeldMark, isForApproval, readHeldMarks } from "@catalog/report";
import {
  rowAddress,
  rowArgument,
  type RowKey,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

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

/**
 * Reads the marks. Throws `CatalogError` `E_APPROVAL_FILE` for a file without the columns of held
 * rows.
 */
export async function readApprovals(
  connection: Connection,
  run: RunRecord,
  file: Parameters<typeof readHeldMarks>[0],
): Promise<Approvals> {
  const decided = { yes: new Map<number, RowRecord>(), no: new Map<number, RowRecord>() };
  const refused: RefusedApproval[] = [];
  let unmarked = 0;
  for await (const marked of readHeldMarks(file)) {
    const { mark, text, fileRow } = marked;
    if (mark === "none") unmarked += 1;
    const found =
      mark === "unclear" ? REFUSALS.mark(text) : await findMarked(connection, run, marked);
    if (found === undefined) continue;
    if ("state" in found) decided[mark === "no" ? "no" : "yes"].set(found.row, found);
    else refused.push({ fileRow, why: found });
  }
  const [approved, declined] = [[...decided.yes.values()], [...decided.no.values()]];
  return { approved, declined, refused, unmarked };
}

type Found = RowRecord | Localized | undefined;

/** As {@link findHeld}; of a row without a mark only the reason is returned, where it was edited. */
async function findMarked(
  connection: Connection,
  run: RunRecord,
  marked: HeldMark,
): Promise<Found> {
  if (marked.mark !== "none") return await findHeld(connection, run, marked);
  const { key } = marked;
  if (key?.runId !== run.id) return undefined;
  const [record] = await connection.journal.readRows(run.id, { after: key.row - 1, limit: 1 });
  if (record?.row !== key.row || record.state !== "held") return undefined;
  return marked.isAsWritten(run, record)
    ? undefined
    : REFUSALS.edited(rowAddress(run.file, key.row));
}

/**
 * Finds the held row that a marked row names, or the reason why it cannot be released; `undefined`
 * for one that is to be given up and does not wait any more.
 */
async function findHeld(connection: Connection, run: RunRecord, marked: HeldMark): Promise<Found> {
  const { key, keyText, mark } = marked;
  if (key === undefined) return REFUSALS.key(keyText);
  if (key.runId !== run.id) return REFUSALS.otherRun(key.runId);
  const [record] = await connection.journal.readRows(run.id, { after: key.row - 1, limit: 1 });
  const named = rowAddress(run.file, key.row);
  if (record?.row !== key.row) return REFUSALS.key(keyText);
  if (record.state !== "held") {
    return mark === "no" ? undefined : await refuseSettled(connection, key, named);
  }
  if (!isForApproval(record)) {
    return REFUSALS.noGuard(named, `${run.id} --rows ${rowArgument(run.file, key.row)}`);
  }
  const isAsked = mark === "no" || marked.isAsWritten(run, record);
  return isAsked ? record : REFUSALS.changed(named);
}

async function refuseSettled(
  connection: Connection,
  key: RowKey,
  named: string,
): Promise<Localized> {
  const newer = await findNewerSync(connection, key);
  return newer === undefined ? REFUSALS.settled(named) : REFUSALS.superseded(named, newer);
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
