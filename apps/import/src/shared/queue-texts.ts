/** Texts about runs that are left to the workers. */

import { describeHolder, type LockHolder } from "@catalog/connection";
import { formatDateTime, type Lang } from "@catalog/i18n";

/** A queued run whose latest attempt has failed. */
export interface FailingRun {
  readonly failures: number;
  /** Why, in words, or by the exit code. */
  readonly reason: string;
  readonly againAtMs: number;
}

export interface QueueTexts {
  readonly queued: (run: string) => string;
  readonly noWorker: string;
  readonly followLater: (run: string) => string;
  /** The following has ended before a worker has taken the run. */
  readonly waitsOn: (run: string) => string;
  readonly unqueued: (run: string) => string;
  /** The following begins; a process sends the run already. */
  readonly followed: (run: string, holder: LockHolder) => string;
  /** States of a run in the list of runs: it waits for a worker, or for another attempt. */
  readonly state: string;
  readonly failingState: string;
  readonly waiting: (run: string) => string;
  readonly failing: (run: string, failing: FailingRun) => string;
  /** `holder`: the process that sends; `undefined` while a worker is about to start it. */
  readonly taken: (run: string, holder: LockHolder | undefined) => string;
  readonly removed: (run: string) => string;
  /** The process was asked to stop. */
  readonly stopping: (run: string, holder: LockHolder | undefined) => string;
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
    followed: (run, holder) =>
      `${run} gönderiliyor (${describeHolder(holder).tr}); buradan izleniyor.`,
    state: "sırada",
    failingState: "aksıyor",
    waiting: (run) =>
      `Sırada: henüz hiçbir worker göndermeye başlamadı. Sıradan çıkarmak için: catalog apply ${run} --unqueue`,
    failing: (run, { failures, reason, againAtMs }) =>
      `Gönderim ${failures === 1 ? "" : `art arda ${failures} kez `}aksadı: ${reason} ${time(againAtMs, "tr")} sularında yeniden denenecek. Vazgeçmek için: catalog apply ${run} --unqueue`,
    taken: (run, holder) =>
      `${holder === undefined ? "Bir worker göndermeye başlıyor." : `Bir worker gönderiyor (${describeHolder(holder).tr}).`} Durdurmak için: catalog apply ${run} --unqueue`,
    removed: (run) =>
      `Gönderim sıradan çıkarıldı; hiçbir worker göndermeyecek. Yine de göndermek için: catalog resume ${run}`,
    stopping: (run, holder) =>
      `${holder === undefined ? "Göndermeye başlayan worker'dan" : `Gönderen işlemden (${describeHolder(holder).tr})`} durması istendi; yoldaki istekler bitince durur, gönderilmeyen satırlar bekler. Durumu görmek için: catalog runs ${run}`,
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
    followed: (run, holder) =>
      `${run} is being sent (${describeHolder(holder).en}); following it from here.`,
    state: "queued",
    failingState: "failing",
    waiting: (run) =>
      `In the queue: no worker has begun to send it. To take it out: catalog apply ${run} --unqueue`,
    failing: (run, { failures, reason, againAtMs }) =>
      `Sending has failed${failures === 1 ? "" : ` ${failures} times in a row`}: ${reason} It is tried again about ${time(againAtMs, "en")}. To give it up: catalog apply ${run} --unqueue`,
    taken: (run, holder) =>
      `${holder === undefined ? "A worker is about to send it." : `A worker is sending it (${describeHolder(holder).en}).`} To stop it: catalog apply ${run} --unqueue`,
    removed: (run) =>
      `The sending was taken out of the queue; no worker will send it. To send all the same: catalog resume ${run}`,
    stopping: (run, holder) =>
      `${holder === undefined ? "The worker that is about to send it" : `The process that sends it (${describeHolder(holder).en})`} was asked to stop; it stops once the requests under way have ended, and rows that were not sent wait. To see the state: catalog runs ${run}`,
    notQueued: (run) => `${run} is not in the queue; there is nothing to do.`,
  },
};

function time(atMs: number, lang: Lang): string {
  return formatDateTime(atMs, lang, { timeStyle: "medium" });
}
