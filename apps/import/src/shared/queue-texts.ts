/** Texts about runs that are left to the workers. */

import type { Lang } from "@catalog/i18n";

export interface QueueTexts {
  readonly queued: (run: string) => string;
  readonly noWorker: string;
  readonly followLater: (run: string) => string;
  readonly unqueued: (run: string) => string;
}

export const queueTexts: Readonly<Record<Lang, QueueTexts>> = {
  tr: {
    queued: (run) =>
      `Gönderim sıraya alındı (${run}). Bu pencereyi kapatabilirsiniz; bir worker gönderir.`,
    noWorker: "Bu mağaza için çalışan bir worker görünmüyor. Başlatmak için: catalog worker",
    followLater: (run) =>
      `İzleme bitti; gönderim worker'da sürüyor. Sonucu görmek için: catalog runs ${run}`,
    unqueued: (run) => `Gönderim sıradan çıkarılmış. Yine de göndermek için: catalog resume ${run}`,
  },
  en: {
    queued: (run) =>
      `The sending is queued (${run}). You can close this window; a worker sends it.`,
    noWorker: "No worker is seen for this store. To start one: catalog worker",
    followLater: (run) =>
      `No longer followed; a worker goes on with the sending. To see the outcome: catalog runs ${run}`,
    unqueued: (run) =>
      `The sending was taken out of the queue. To send all the same: catalog resume ${run}`,
  },
};
