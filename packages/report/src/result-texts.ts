/** Texts of the result files. */

import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Lang, Localized } from "@catalog/i18n";
import {
  guardOf,
  isUnsendable,
  PRICE_UNIT_CODE,
  type RowIssue,
  type RowRecord,
  type RunRecord,
  toCountClass,
  type VerificationCounts,
  type Counts,
} from "@catalog/runs";
import { GUARDS } from "@catalog/runs/guards";

import { actionWordsOf, rowWordsOf } from "./action-words.ts";

/**
 * Class under which a row is reported: its own, or `unsendable` for a skipped row of which no
 * change can be sent.
 */
export type ResultClass = Exclude<keyof Counts, "rows"> | "unsendable";

interface ResultTexts {
  readonly sheet: string;
  readonly columns: {
    readonly result: string;
    readonly productId: string;
    /** Header of the same column where the input has one of this name for other ids. */
    readonly marketplaceId: string;
    readonly errorCode: string;
    readonly error: string;
    readonly suggestion: string;
    readonly seen: string;
    /** Header of the column that holds the record of a refused row. */
    readonly record: string;
    /** Header of the column that names the row in its sheet, of a file with several. */
    readonly place: string;
  };
  /** What a failed file says of a parent row. */
  readonly parent: string;
  /** Results of reading back for rows that are done. */
  readonly verified: Readonly<Record<keyof VerificationCounts, string>>;
  readonly words: Readonly<Record<ResultClass, string>>;
}

export const RESULT_TEXTS: Readonly<Record<Lang, ResultTexts>> = {
  tr: {
    sheet: "Ürünler",
    columns: {
      result: "Sonuç",
      productId: "Ürün ID",
      marketplaceId: "Pazaryeri ID",
      errorCode: "Hata Kodu",
      error: "Hata",
      suggestion: "Öneri",
      seen: "Mağazada",
      record: "Satır Kaydı",
      place: "Dosyadaki Satır",
    },
    parent:
      "Ana satır: altındaki varyantlar bilgilerini buradan alır; kendisi gönderilmez. Silmeyin.",
    verified: {
      accepted: "Kabul edildi, bakılmadı",
      visible: "Görüldü",
      mismatch: "Farklı görünüyor",
      "not-visible": "Henüz görünmüyor",
    },
    words: {
      added: "Eklendi",
      updated: "Güncellendi",
      unchanged: "Değişmedi",
      skipped: "Atlandı",
      unsendable: "Gönderilemedi",
      invalid: "Hatalı",
      duplicate: "Tekrar",
      rejected: "Reddedildi",
      held: "Bekletildi",
      unknown: "Belirsiz",
      cancelled: "Vazgeçildi",
      pending: "Gönderilmedi",
    },
  },
  en: {
    sheet: "Products",
    columns: {
      result: "Result",
      productId: "Product ID",
      marketplaceId: "Marketplace ID",
      errorCode: "Error Code",
      error: "Error",
      suggestion: "Suggestion",
      seen: "In Store",
      record: "Row Record",
      place: "Row in File",
    },
    parent:
      "Parent row: the variants below take their values from it; it is not sent itself. Keep it.",
    verified: {
      accepted: "Accepted, not looked at",
      visible: "Visible",
      mismatch: "Shows something else",
      "not-visible": "Not visible yet",
    },
    words: {
      added: "Added",
      updated: "Updated",
      unchanged: "Unchanged",
      skipped: "Skipped",
      unsendable: "Cannot be sent",
      invalid: "Invalid",
      duplicate: "Duplicate",
      rejected: "Rejected",
      held: "Held",
      unknown: "Unknown",
      cancelled: "Cancelled",
      pending: "Not sent",
    },
  },
};

export function toResultClass(record: RowRecord): ResultClass {
  return isUnsendable(record) ? "unsendable" : toCountClass(record.state, record.action);
}

/** The words of the classes of a run's rows. */
export function classWordsOf({
  lang,
  progress,
}: Pick<RunRecord, "lang" | "progress">): ResultTexts["words"] {
  const { words } = RESULT_TEXTS[lang];
  const own = actionWordsOf({ progress });
  if (own === undefined) return words;
  const updated = own.result[lang];
  // Templates are compared field by field, and nothing is done twice.
  if (progress.actions?.kind === "templates") return { ...words, updated };
  return { ...words, updated, unchanged: ALREADY[lang], skipped: ASKED[lang] };
}

const ALREADY: Localized = { tr: "Zaten yapılmış", en: "Done already" };
const ASKED: Localized = { tr: "İstenmedi", en: "Not asked for" };

/** The outcome of a row in a word or two. */
export function resultText(run: Pick<RunRecord, "lang" | "progress">, record: RowRecord): string {
  const own = record.state === "done" ? rowWordsOf(record.action) : undefined;
  return own?.result[run.lang] ?? classWordsOf(run)[toResultClass(record)];
}

/** What reading the row back has shown; `null` for a row that was not sent. */
export const seenText = (
  lang: Lang,
  { verification }: { readonly verification: keyof VerificationCounts | undefined },
): string | null => (verification === undefined ? null : RESULT_TEXTS[lang].verified[verification]);

const UNKNOWN_UNIT: Localized = { tr: "Fiyat birimi bilinmiyor", en: "Price unit unknown" };

/** The guard that holds a row, in words; an unknown unit of prices has words of its own. */
export function describeGuard(issue: Pick<RowIssue, "code">): Localized | undefined {
  if (issue.code === PRICE_UNIT_CODE) return UNKNOWN_UNIT;
  const guard = guardOf(issue);
  return guard && GUARDS.labels[guard];
}

/** Opens a file that is removed when the program ends. */
export async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-report-"));
  const handle = await open(join(folder, "rows"), "wx+", 0o600);
  await rm(folder, { recursive: true, force: true });
  return handle;
}
