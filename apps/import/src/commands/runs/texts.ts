/** Texts of `catalog runs` in both languages. */

import { formatDateTime, formatBytes, formatNumber, type Lang } from "@catalog/i18n";
import { isPartialUndo, type RunUndo } from "@catalog/importer";

/** Rows of runs, as they are counted. */
interface CountedRows {
  readonly runs: number;
  readonly rows: number;
}

interface DueRows extends CountedRows {
  readonly bytes: number;
  readonly days: number;
}

interface RunsTexts {
  readonly more: string;
  readonly pruned: (atMs: number) => string;
  /** The run is stopped, and rows of it were not sent. */
  readonly goOn: (run: string) => string;
  /** In the list: the run was undone, or a part of it. */
  readonly undoneBy: (undo: RunUndo) => string;
  /** The run was undone, or a part of it, and when. */
  readonly undone: (undo: RunUndo) => string;
  /** `hasOlder`: runs of that age are there, and all deleted or kept. */
  readonly nothingDue: (days: number, hasOlder: boolean) => string;
  readonly waiting: (runs: readonly string[]) => string;
  readonly due: (due: DueRows) => string;
  readonly stays: string;
  readonly pruneWith: (command: string) => string;
  readonly deleting: (deleted: CountedRows) => string;
  readonly deleted: (deleted: CountedRows) => string;
  readonly interrupted: string;
  readonly freed: (bytes: number) => string;
}

const DATE = { dateStyle: "medium" } as const;
const TIME = { dateStyle: "short", timeStyle: "short" } as const;

const TURKISH: RunsTexts = {
  more: "Daha eski çalıştırmalar da var. Hepsi için: catalog runs --all",
  pruned: (atMs) =>
    `Satırları ${formatDateTime(atMs, "tr", DATE)} tarihinde, saklama süresi dolduğu için silindi; sayıları duruyor.`,
  goOn: (run) =>
    `Kaldığı yerden sürdürmek için: catalog resume ${run}. Kalan satırlardan vazgeçmek için: catalog release ${run} --cancel-rest`,
  undoneBy: (undo) =>
    isPartialUndo(undo)
      ? `kısmen geri alındı: ${n(undo.restored, "tr")} / ${n(undo.sent, "tr")} satır (${undo.run.id})`
      : `geri alındı (${undo.run.id})`,
  undone: (undo) => {
    const when = formatDateTime(undo.run.createdAtMs, "tr", TIME);
    const what = isPartialUndo(undo)
      ? `kısmen geri alındı: gönderilen ${n(undo.sent, "tr")} satırın ${n(undo.restored, "tr")} tanesi`
      : "geri alındı";
    return `Bu çalıştırma ${when} tarihinde ${what} (${undo.run.id}). Kaç ürünün eski hâline döndüğünü görmek için: catalog runs ${undo.run.id}`;
  },
  nothingDue: (days, hasOlder) =>
    hasOlder
      ? `Silinecek bir şey yok: ${n(days, "tr")} günden eski çalıştırmaların satırları ya silindi ya da hâlâ saklanmalı.`
      : `Silinecek bir şey yok: ${n(days, "tr")} günden eski çalıştırma yok.`,
  waiting: (runs) =>
    `Karar bekleyen satırları olan ${n(runs.length, "tr")} eski çalıştırma saklanıyor. Görmek ve karar vermek için: ${toReleases(runs)}`,
  due: ({ runs, rows, bytes, days }) =>
    `${n(days, "tr")} günden eski ${n(runs, "tr")} çalıştırmanın ${n(rows, "tr")} satırı silinecek; yaklaşık ${formatBytes(bytes, "tr")} yer açılacak.`,
  stays:
    "Çalıştırmaların listedeki satırı ve sayıları, eklenen ürünlerin kaydı, her ürüne en son gönderilen değerler ve öncekiler kalır.",
  pruneWith: (command) => `Silmek için: ${command}`,
  deleting: ({ runs, rows }) => `Siliniyor: ${n(runs, "tr")} çalıştırma, ${n(rows, "tr")} satır`,
  deleted: ({ runs, rows }) => `${n(runs, "tr")} çalıştırmanın ${n(rows, "tr")} satırı silindi.`,
  interrupted: "Durduruldu; kalanı sonraki komutlar siler.",
  freed: (bytes) => `Diskte ${formatBytes(bytes, "tr")} yer açıldı.`,
};

const ENGLISH: RunsTexts = {
  more: "There are older runs. For all of them: catalog runs --all",
  pruned: (atMs) =>
    `Its rows were deleted on ${formatDateTime(atMs, "en", DATE)}, when they had been kept long enough; its counts are kept.`,
  goOn: (run) =>
    `To go on where it stopped: catalog resume ${run}. To give up its rest: catalog release ${run} --cancel-rest`,
  undoneBy: (undo) =>
    isPartialUndo(undo)
      ? `partly undone: ${n(undo.restored, "en")} of ${n(undo.sent, "en")} rows (${undo.run.id})`
      : `undone (${undo.run.id})`,
  undone: (undo) => {
    const when = formatDateTime(undo.run.createdAtMs, "en", TIME);
    const what = isPartialUndo(undo)
      ? `partly undone on ${when}: ${n(undo.restored, "en")} of ${n(undo.sent, "en")} sent rows`
      : `undone on ${when}`;
    return `This run was ${what} (${undo.run.id}). To see how many products were restored: catalog runs ${undo.run.id}`;
  },
  nothingDue: (days, hasOlder) =>
    hasOlder
      ? `There is nothing to delete: the rows of runs older than ${daysEn(days)} are deleted already or still have to be kept.`
      : `There is nothing to delete. No run is older than ${daysEn(days)}.`,
  waiting: (runs) =>
    `${n(runs.length, "en")} older ${runs.length === 1 ? "run is" : "runs are"} kept, because rows wait for a decision. To see them and decide: ${toReleases(runs)}`,
  due: ({ runs, rows, bytes, days }) =>
    `${n(rows, "en")} rows of ${n(runs, "en")} ${runs === 1 ? "run" : "runs"} older than ${daysEn(days)} will be deleted; that frees about ${formatBytes(bytes, "en")}.`,
  stays:
    "The runs stay in the list with their counts, and so do the added products, the values that were sent last for each product, and those before them.",
  pruneWith: (command) => `To delete them: ${command}`,
  deleting: ({ runs, rows }) => `Deleting: ${n(runs, "en")} runs, ${n(rows, "en")} rows`,
  deleted: ({ runs, rows }) =>
    `Deleted ${n(rows, "en")} rows of ${n(runs, "en")} ${runs === 1 ? "run" : "runs"}.`,
  interrupted: "Stopped; later commands delete the rest.",
  freed: (bytes) => `${formatBytes(bytes, "en")} of the disk are free again.`,
};

const n = formatNumber;

/** Runs that are named. */
const MAX_NAMED = 3;

const toReleases = (runs: readonly string[]): string =>
  runs
    .slice(0, MAX_NAMED)
    .map((id) => `catalog release ${id}`)
    .join(", ") + (runs.length > MAX_NAMED ? ", …" : "");

const daysEn = (days: number): string => `${n(days, "en")} ${days === 1 ? "day" : "days"}`;

/** The texts of a language. */
export const runsTexts = (lang: Lang): RunsTexts => (lang === "tr" ? TURKISH : ENGLISH);
