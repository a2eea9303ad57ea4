/** Warnings of a run that undoes another one. */

import type { Connection } from "@catalog/connection";
import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import { type Counts, type RunRecord, toCounts } from "@catalog/runs";

import type { PlannedUndo } from "./plan-undo.ts";

/** States what the undo does, and which rows of the run `old` it leaves out. */
export async function warnOfUndo(
  connection: Pick<Connection, "journal">,
  old: RunRecord,
  undo: PlannedUndo,
): Promise<RunRecord["warnings"]> {
  const counts = toCounts(await connection.journal.countRows(old.id));
  return [toSummary(old, undo), ...warnOfPruned(old, counts, undo), ...warnOfHeld(old, counts)];
}

/** Held rows were not sent, so there is nothing to undo; they can still be released. */
function warnOfHeld({ id }: RunRecord, { held }: Counts): RunRecord["warnings"] {
  if (held === 0) return [];
  const message = {
    tr: `${id} çalıştırmasında ${formatNumber(held, "tr")} satır hâlâ karar bekliyor. Geri almak bu satırları kapatmaz; catalog release ile yine gönderilebilirler. Gönderilmeyeceklerse kapatın: catalog release ${id} --cancel`,
    en: `${formatNumber(held, "en")} ${held === 1 ? "row" : "rows"} of ${id} still ${held === 1 ? "waits" : "wait"} for a decision. Undoing the run does not close such rows; catalog release would still send them. If they are not to be sent, close them: catalog release ${id} --cancel`,
  };
  return [{ code: "W_UNDO_HELD", message }];
}

/** Warns of rows whose records were deleted, as later runs had sent all of their fields again. */
function warnOfPruned(
  { id, prunedAtMs }: RunRecord,
  { added, updated }: Counts,
  undo: PlannedUndo,
): RunRecord["warnings"] {
  if (prunedAtMs === undefined) return [];
  const left = added + updated - Object.values(undo).reduce((sum, rows) => sum + rows, 0);
  if (left <= 0) return [];
  const day = (lang: Lang): string => formatDateTime(prunedAtMs, lang, { dateStyle: "medium" });
  const message = {
    tr: `${id} çalıştırmasının ${left} satırı geri alınamaz: sonraki çalıştırmalar aynı alanları yeniden göndermiş, satırların kaydı da ${day("tr")} tarihinde silinmiş.`,
    en: `${left} rows of ${id} cannot be undone: later runs have sent the same fields again, and the records of these rows were deleted on ${day("en")}.`,
  };
  return [{ code: "W_UNDO_PRUNED", message }];
}

function toSummary(
  { id }: RunRecord,
  { restore, already, kept, "not-undoable": lost }: PlannedUndo,
): RunRecord["warnings"][number] {
  return {
    code: "W_UNDO",
    message: {
      tr: `${id} geri alınıyor: ${listCounts([
        [restore, `${restore} ürün eski hâline dönecek`],
        [kept, `${kept} ürüne dokunulmayacak (o zamandan beri değişmiş)`],
        [lost, `${lost} ürün geri alınamaz`],
        [already, `${already} ürün zaten eski hâlinde`],
      ])}.`,
      en: `Undoing ${id}: ${listCounts([
        [restore, `${restore} to restore`],
        [kept, `${kept} left alone (changed since)`],
        [lost, `${lost} that cannot be undone`],
        [already, `${already} already as before`],
      ])}.`,
    },
  };
}

const listCounts = (parts: readonly (readonly [count: number, text: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join(", ");
