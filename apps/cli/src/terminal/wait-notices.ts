/** Tells people until when and why calls wait, so that they do not take a long wait for a hang. */

import type { Connection, Wait, ConnectionOptions } from "@catalog/connection";
import type { Terminal } from "@catalog/console";
import { formatTime } from "@catalog/exporter/timestamps";
import type { Lang, Localized } from "@catalog/i18n";

const MINUTE_MS = 60_000;

type WaitTexts = (time: string) => Localized;

const TEXTS: Readonly<Record<Wait["reason"], WaitTexts>> = {
  refused: (time) => ({
    tr: `Pazaryeri çok fazla istek geldiğini söyledi: saat ${time} sonrasına kadar bekleniyor, sonra sürecek. Durdurmak için Ctrl-C; beklemeyi kaldırmak için: catalog doctor --fix`,
    en: `The marketplace said that there were too many calls: waiting until after ${time}, then it goes on. Ctrl-C stops; to end the wait: catalog doctor --fix`,
  }),
  quota: (time) => ({
    tr: `Saatlik istek sınırı doldu: saat ${time} sonrasına kadar bekleniyor, sonra sürecek. Durdurmak için Ctrl-C.`,
    en: `The hourly limit of calls is used up: waiting until after ${time}, then it goes on. Ctrl-C stops.`,
  }),
  retry: (time) => ({
    tr: `Pazaryeri bir isteği yanıtlayamadı: saat ${time} sonrasına kadar beklenip yeniden denenecek. Durdurmak için Ctrl-C.`,
    en: `The marketplace could not answer a call: waiting until after ${time}, then it is made again. Ctrl-C stops.`,
  }),
};

export interface WaitNoticesOptions {
  readonly waits: Pick<Connection["meters"]["waits"], "listen">;
  readonly terminal: Pick<Terminal, "err" | "redraw" | "isTerminal">;
  readonly lang: Lang;
}

/** Writes a line on stderr at the start of each wait, until it is disposed of. */
export function createWaitNotices({ waits, terminal, lang }: WaitNoticesOptions): Disposable {
  let told = "";
  return waits.listen(({ untilMs, reason }) => {
    // A repeated line is skipped: several calls wait for the same slot, and one wait may consist of
    // short ones.
    const line = TEXTS[reason](formatTime(untilMs + MINUTE_MS - 1))[lang];
    if (line === told) return;
    told = line;
    // Clears a line of progress.
    if (terminal.isTerminal) terminal.redraw("");
    terminal.err(`${line}\n`);
  });
}

const OUTAGE_TEXTS = {
  away: (time: string): Localized => ({
    tr: `Veritabanı şu an kullanılamıyor (kapalı, kilitli ya da disk dolu): yeni bir şey gönderilmiyor; saat ${time} sonrasına kadar bekleniyor, geri gelince kaldığı yerden sürecek.`,
    en: `The database cannot be used right now (away, locked, or its disk is full): nothing new is sent; waiting until after ${time}, and going on as soon as it is back.`,
  }),
  back: { tr: "Veritabanı geri geldi; sürüyor.", en: "The database is back; going on." },
};

/** Creates the function that says that the database is away, and that it is back. */
export function createOutageNotices({
  terminal,
  lang,
}: Omit<WaitNoticesOptions, "waits">): NonNullable<
  NonNullable<ConnectionOptions["databaseWait"]>["onOutage"]
> {
  return (outage) => {
    const text =
      outage === undefined
        ? OUTAGE_TEXTS.back
        : OUTAGE_TEXTS.away(formatTime(outage.untilMs + MINUTE_MS - 1));
    if (terminal.isTerminal) terminal.redraw("");
    terminal.err(`${text[lang]}\n`);
  };
}
