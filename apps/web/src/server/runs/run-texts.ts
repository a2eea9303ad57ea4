/** Words of runs that only the page uses. */

import type { Lang } from "@catalog/i18n";

import type { RunState, RunSummaryView } from "../../api/runs.ts";

interface RunTexts {
  readonly states: Readonly<Record<RunState, string>>;
  /** State of a run that a worker sends. */
  readonly byWorker: string;
  /** State of a queued run whose latest attempt has failed. */
  readonly failing: (reason: string) => string;
  /** State of a run that a person has paused. */
  readonly paused: string;
  /** State of a sync that was refused before it had a plan. */
  readonly refused: string;
  /** State of an undo that found nothing to take back. */
  readonly nothingToUndo: string;
  readonly kinds: Readonly<Record<RunSummaryView["kind"], string>>;
  /** What made a run. */
  readonly origins: Readonly<Record<"page" | "terminal" | "schedule", string>>;
  readonly undoOf: (name: string) => string;
  /** An undo that has ended. */
  readonly undone: (name: string) => string;
  /** An undo that has ended and has left rows as they are. */
  readonly undonePartly: (name: string) => string;
  /** An undo that has ended and has changed nothing. */
  readonly undoneNothing: (name: string) => string;
  readonly retryOf: (name: string) => string;
  readonly files: Readonly<Record<string, string>>;
  readonly capability: Readonly<Record<"assumed" | "proven" | "refused", string>>;
}

export const RUN_TEXTS: Readonly<Record<Lang, RunTexts>> = {
  tr: {
    states: {
      planning: "Hazırlanıyor",
      planned: "Gönderilmedi",
      queued: "Sırada",
      sending: "Gönderiliyor",
      stopped: "Yarım kaldı",
      finished: "Bitti",
    },
    byWorker: "Gönderiliyor (worker)",
    failing: (reason) => `Aksadı, yeniden denenecek: ${reason}`,
    paused: "Duraklatıldı",
    refused: "Alınmadı",
    nothingToUndo: "Geri alınacak bir şey yoktu",
    kinds: {
      import: "Dosya",
      retry: "Yeniden deneme",
      undo: "Geri alma",
      sync: "Eşitleme",
    },
    origins: { page: "Sayfa", terminal: "Komut satırı", schedule: "Zamanlama" },
    undoOf: (name) => `“${name}” için geri alma`,
    undone: (name) => `“${name}” geri alındı`,
    undonePartly: (name) => `“${name}” kısmen geri alındı`,
    undoneNothing: (name) => `“${name}” için geri alınan bir şey olmadı`,
    retryOf: (name) => `“${name}” dosyasının reddedilen satırları`,
    files: {
      "result.xlsx": "Sonuç: her satır ve ne olduğu",
      "failed.xlsx": "Düzeltilecek satırlar",
      "held.xlsx": "Kararınızı bekleyen satırlar",
      "plan.xlsx": "Plan: eski ve yeni değerler",
      "result.csv": "Sonuç, CSV olarak",
      "summary.json": "Özet, programlar için JSON olarak",
      "report.html": "Yazdırılabilir rapor",
    },
    capability: {
      assumed: "Belgede yok; gönderilir, sonra mağazadan geri okunup denetlenir.",
      proven: "Belgede yok, ama bu mağazada uygulandığı görüldü.",
      refused: "Bu mağazanın uygulamadığı görüldü; gönderilmez.",
    },
  },
  en: {
    states: {
      planning: "Being prepared",
      planned: "Not sent",
      queued: "In the queue",
      sending: "Being sent",
      stopped: "Interrupted",
      finished: "Finished",
    },
    byWorker: "Being sent (worker)",
    failing: (reason) => `Failing, will be tried again: ${reason}`,
    paused: "Paused",
    refused: "Not taken",
    nothingToUndo: "There was nothing to undo",
    kinds: { import: "File", retry: "Retry", undo: "Undo", sync: "Sync" },
    origins: { page: "Page", terminal: "Command line", schedule: "Schedule" },
    undoOf: (name) => `Undo of “${name}”`,
    undone: (name) => `“${name}” undone`,
    undonePartly: (name) => `“${name}” partly undone`,
    undoneNothing: (name) => `Nothing of “${name}” was undone`,
    retryOf: (name) => `Rejected rows of “${name}”`,
    files: {
      "result.xlsx": "Result: every row and what became of it",
      "failed.xlsx": "Rows to correct",
      "held.xlsx": "Rows that wait for your decision",
      "plan.xlsx": "Plan: old and new values",
      "result.csv": "Result as CSV",
      "summary.json": "Summary for programs, as JSON",
      "report.html": "Report to print",
    },
    capability: {
      assumed: "Not documented; it is sent, and then checked by reading the store back.",
      proven: "Not documented, but this store was seen to take it.",
      refused: "This store was seen not to take it; it is not sent.",
    },
  },
};
