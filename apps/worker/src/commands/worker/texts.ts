/** What `catalog worker` says. */

import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";
import { nameOfFeed } from "@catalog/importer/feed-name";
import type { JobEvent, ScheduleEvent } from "@catalog/jobs";

export type EndedSync = Extract<ScheduleEvent, { readonly event: "ended" }>;

export type EndedJob = Extract<JobEvent, { readonly event: "ended" }>;

export interface WorkerTexts {
  readonly leading: string;
  readonly following: string;
  readonly nothing: string;
  readonly waiting: (atMs: number, feed: string) => string;
  readonly started: (feed: string) => string;
  readonly synced: (sync: EndedSync) => string;
  readonly sending: (run: string) => string;
  readonly sent: (job: EndedJob) => string;
  readonly ended: string;
  readonly metrics: (url: string) => string;
  readonly noMetrics: (reason: string) => string;
}

export const takenPort = (port: number): Localized => ({
  tr: `${port} numaralı port kullanılamıyor; --metrics ile başka bir port verin.`,
  en: `Port ${port} cannot be used; give another one with --metrics.`,
});

const time = (atMs: number, lang: Lang): string =>
  formatDateTime(atMs, lang, { dateStyle: "short", timeStyle: "short" });

const TAKEN: ReadonlySet<number> = new Set([0, 5]);

export const WORKER_TEXTS: Readonly<Record<Lang, WorkerTexts>> = {
  tr: {
    leading: "Eşitlemeler zamanı gelince yapılacak. Durdurmak için Ctrl-C.",
    following:
      "Eşitlemeleri şu an başka bir program yapıyor (örneğin açık sayfa); o kapanınca buradan sürecek.",
    nothing:
      "Zamanlanmış eşitleme yok; sayfadaki Eşitleme bölümünden ekleyin. Listesi: catalog schedule list",
    waiting: (atMs, feed) => `Sıradaki: ${time(atMs, "tr")}, ${feed}`,
    started: (feed) => `Eşitleniyor: ${feed}`,
    synced: ({ schedule, result, isRetried }) => {
      const feed = nameOfFeed(schedule.feed);
      const run = result.run === null ? "" : ` Ayrıntı: catalog runs ${result.run}`;
      if (TAKEN.has(result.exit)) return `Eşitlendi: ${feed}.${run}`;
      const again = isRetried ? " Birazdan yeniden denenecek." : "";
      return `Eşitlenemedi: ${feed}. ${result.message ?? `Çıkış kodu ${result.exit}.`}${again}${run}`;
    },
    sending: (run) => `Gönderiliyor: ${run}`,
    sent: ({ job, result, isRetried }) => {
      const details = `Ayrıntı: catalog runs ${job.key}`;
      if (TAKEN.has(result.exit)) return `Gönderildi: ${job.key}. ${details}`;
      const again = isRetried ? " Birazdan yeniden denenecek." : "";
      return `Gönderim bitmedi: ${job.key}. ${result.message ?? `Çıkış kodu ${result.exit}.`}${again} ${details}`;
    },
    ended: "Durduruldu.",
    metrics: (url) => `Ölçümler: ${url}`,
    noMetrics: (reason) => `Ölçümler okunamadı: ${reason}`,
  },
  en: {
    leading: "Running syncs on schedule. Press Ctrl-C to stop.",
    following:
      "Another program runs the syncs now (such as the open page); this one takes over when it ends.",
    nothing:
      "No sync is scheduled; add one on the page, under Sync. To list them: catalog schedule list",
    waiting: (atMs, feed) => `Next: ${time(atMs, "en")}, ${feed}`,
    started: (feed) => `Syncing: ${feed}`,
    synced: ({ schedule, result, isRetried }) => {
      const feed = nameOfFeed(schedule.feed);
      const run = result.run === null ? "" : ` Details: catalog runs ${result.run}`;
      if (TAKEN.has(result.exit)) return `Synced: ${feed}.${run}`;
      const again = isRetried ? " It is tried again soon." : "";
      return `Not synced: ${feed}. ${result.message ?? `Exit code ${result.exit}.`}${again}${run}`;
    },
    sending: (run) => `Sending: ${run}`,
    sent: ({ job, result, isRetried }) => {
      const details = `Details: catalog runs ${job.key}`;
      if (TAKEN.has(result.exit)) return `Sent: ${job.key}. ${details}`;
      const again = isRetried ? " It is tried again soon." : "";
      return `Not wholly sent: ${job.key}. ${result.message ?? `Exit code ${result.exit}.`}${again} ${details}`;
    },
    ended: "Stopped.",
    metrics: (url) => `Metrics: ${url}`,
    noMetrics: (reason) => `The metrics cannot be read: ${reason}`,
  },
};
