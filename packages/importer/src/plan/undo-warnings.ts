/** Warnings of a run that undoes another one. */

import { type Connection, fieldLabel } from "@catalog/connection";
import { formatDateTime, formatNumber, type Lang } from "@catalog/i18n";
import { type Counts, type LeftFields, type RunRecord, toCounts } from "@catalog/runs";

import type { PlannedUndo } from "./plan-undo.ts";

/** What an undo does with the rows. */
interface UndoPlan {
  readonly undo: PlannedUndo;
  /** Fields that rows restored in part leave as they are. */
  readonly left: LeftFields;
}

/** States what the undo does, and which rows of the run `old` it leaves out. */
export async function warnOfUndo(
  connection: Pick<Connection, "journal">,
  old: RunRecord,
  plan: UndoPlan,
): Promise<RunRecord["warnings"]> {
  const counts = toCounts(await connection.journal.countRows(old.id));
  return [
    toSummary(old, plan),
    ...warnOfPruned(old, counts, plan.undo),
    ...warnOfHeld(old, counts),
  ];
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

function toSummary({ file, progress }: RunRecord, { undo, left }: UndoPlan): Warning {
  const counted = OUTCOMES.filter((outcome) => undo[outcome] > 0);
  const list = (lang: Lang): string =>
    counted
      .map((outcome) =>
        SUMMARY[lang][outcome](formatNumber(undo[outcome], lang), describeLeft(left, lang)),
      )
      .join(", ");
  const isUndo = progress.undoOf !== undefined;
  return {
    code: "W_UNDO",
    message: {
      tr: `${isUndo ? "Bir geri alma" : `“${file.name}”`} geri alınıyor: ${list("tr")}.`,
      en: `Undoing ${isUndo ? "an undo" : `“${file.name}”`}: ${list("en")}.`,
    },
  };
}

type Warning = RunRecord["warnings"][number];

/** In the order in which they are told. */
const OUTCOMES = [
  "restore",
  "partly",
  "empty",
  "kept",
  "added",
  "not-undoable",
  "already",
  "already-empty",
] as const satisfies readonly (keyof PlannedUndo)[];

/** The fields that stay, in words. */
function describeLeft({ hidden, kept }: LeftFields, lang: Lang): string {
  const name = (fields: readonly string[]): string =>
    fields.map((field) => fieldLabel(field, lang)).join(", ");
  const parts = [
    hidden.length === 0 ? "" : LEFT[lang].hidden(name(hidden)),
    kept.length === 0 ? "" : LEFT[lang].kept(name(kept)),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

const LEFT: Readonly<Record<Lang, Readonly<Record<keyof LeftFields, (fields: string) => string>>>> =
  {
    tr: {
      hidden: (fields) => `${fields} geri alınamaz`,
      kept: (fields) => `${fields} o zamandan beri değişmiş, olduğu gibi kalacak`,
    },
    en: {
      hidden: (fields) => `${fields} cannot be undone`,
      kept: (fields) => `${fields} changed since, left alone`,
    },
  };

const SUMMARY: Readonly<
  Record<Lang, Readonly<Record<keyof PlannedUndo, (count: string, left: string) => string>>>
> = {
  tr: {
    restore: (count) => `${count} ürün eski hâline dönecek`,
    partly: (count, left) => `${count} ürün kısmen eski hâline dönecek (${left})`,
    empty: (count) => `eklenen ${count} ürünün stoğu 0 yapılacak (ürün silinemez)`,
    kept: (count) => `${count} ürüne dokunulmayacak (o zamandan beri değişmiş)`,
    added: (count) => `eklenen ${count} ürün mağazada kalacak (ürün silinemez)`,
    "not-undoable": (count) => `${count} ürün geri alınamaz`,
    already: (count) => `${count} ürün zaten eski hâlinde`,
    "already-empty": (count) => `eklenen ${count} ürünün stoğu zaten 0`,
  },
  en: {
    restore: (count) => `${count} to restore`,
    partly: (count, left) => `${count} to restore in part (${left})`,
    empty: (count) => `${count} added, whose stock becomes 0 (products cannot be deleted)`,
    kept: (count) => `${count} left alone (changed since)`,
    added: (count) => `${count} added, which stay in the store (products cannot be deleted)`,
    "not-undoable": (count) => `${count} that cannot be undone`,
    already: (count) => `${count} already as before`,
    "already-empty": (count) => `${count} added, whose stock is 0 already`,
  },
};
