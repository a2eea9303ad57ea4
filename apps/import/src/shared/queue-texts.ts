/** Texts about runs that are left to the workers. */

import { describeHolder, type LockHolder } from "@catalog/database";
import type { Lang } from "@catalog/i18n";

export interface QueueTexts {
  readonly queued: (run: string) => string;
  readonly noWorker: string;
  readonly followLater: (run: string) => string;
  /** The following has ended before a worker has taken the run. */
  readonly waitsOn: (run: string) => string;
  readonly unqueued: (run: string) => string;
  /** State of a run in the list of runs. */
  readonly state: string;
  readonly waiting: (run: string) => string;
  /** `holder`: the process that sends; `undefined` while a worker is about to start it. */
  readonly taken: (run: string, holder: LockHolder | undefined) => string;
  readonly removed: (run: string) => string;
  /** The run is sent by a process that no worker waits for any more. */
  readonly stillSent: (holder: LockHolder) => string;
  readonly notQueued: (run: string) => string;
}

export const queueTexts: Readonly<Record<Lang, QueueTexts>> = {
  tr: {
    queued: (run) =>
      `Gönderim sıraya alındı (${run}). Bu pencereyi kapatabilirsiniz; bir worker gönderir.`,
    noWorker: "Bu mağaza için çalışan bir worker görünmüyor. Başlatmak için: catalog worker",
    followLater: (run) =>
      `İzleme bitti; gönderim worker'da sürüyor. Sonucu görmek için: catalog runs ${run}`,
    waitsOn: (run) =>
      `İzleme bitti; gönderim sırada bekliyor. Sıradan çıkarmak için: catalog apply ${run} --unqueue`,
    unqueued: (run) => `Gönderim sıradan çıkarılmış. Yine de göndermek için: catalog resume ${run}`,
    state: "sırada",
    waiting: (run) =>
      `Sırada: henüz hiçbir worker göndermeye başlamadı. Sıradan çıkarmak için: catalog apply ${run} --unqueue`,
    taken: (run, holder) =>
      holder === undefined
        ? `Bir worker göndermeye başlıyor; artık sıradan çıkarılamaz. Nasıl durdurulacağını birazdan şu komut söyler: catalog runs ${run}`
        : `Bir worker gönderiyor (${describeHolder(holder).tr}); artık sıradan çıkarılamaz. ${stopTr(holder)}`,
    removed: (run) =>
      `Gönderim sıradan çıkarıldı; hiçbir worker göndermeyecek. Yine de göndermek için: catalog resume ${run}`,
    stillSent: (holder) =>
      `Bu çalıştırmayı şu anda bir işlem gönderiyor (${describeHolder(holder).tr}). ${stopTr(holder)}`,
    notQueued: (run) => `${run} sırada değil; yapılacak bir şey yok.`,
  },
  en: {
    queued: (run) =>
      `The sending is queued (${run}). You can close this window; a worker sends it.`,
    noWorker: "No worker is seen for this store. To start one: catalog worker",
    followLater: (run) =>
      `No longer followed; a worker goes on with the sending. To see the outcome: catalog runs ${run}`,
    waitsOn: (run) =>
      `No longer followed; the sending waits in the queue. To take it out: catalog apply ${run} --unqueue`,
    unqueued: (run) =>
      `The sending was taken out of the queue. To send all the same: catalog resume ${run}`,
    state: "queued",
    waiting: (run) =>
      `In the queue: no worker has begun to send it. To take it out: catalog apply ${run} --unqueue`,
    taken: (run, holder) =>
      holder === undefined
        ? `A worker is about to send it; it cannot be taken out of the queue any more. How to stop it tells, in a moment: catalog runs ${run}`
        : `A worker is sending it (${describeHolder(holder).en}); it cannot be taken out of the queue any more. ${stopEn(holder)}`,
    removed: (run) =>
      `The sending was taken out of the queue; no worker will send it. To send all the same: catalog resume ${run}`,
    stillSent: (holder) =>
      `A process is sending this run now (${describeHolder(holder).en}). ${stopEn(holder)}`,
    notQueued: (run) => `${run} is not in the queue; there is nothing to do.`,
  },
};

/** The worker tells the end of a command that a person has stopped, and does not start it again. */
const stopTr = ({ host, pid }: LockHolder): string =>
  `Durdurmak için ${host === undefined ? "" : `${host} üzerinde `}kill -INT ${pid}, ya da sayfada Duraklat; gönderilmeyen satırlar bekler.`;

const stopEn = ({ host, pid }: LockHolder): string =>
  `To stop it: kill -INT ${pid}${host === undefined ? "" : ` on ${host}`}, or Pause on the page; rows that were not sent wait.`;
