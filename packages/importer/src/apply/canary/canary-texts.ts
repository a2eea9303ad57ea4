/** Texts about the canary: its announcement and its verdict. */

import type { Lang, Localized } from "@catalog/i18n";
import type { CanaryVerdict } from "@catalog/runs";

/** Numbers of canary rows by their state in the store and in the run. */
export interface CanaryView {
  /** Rows of which a request was sent. */
  readonly sent: number;
  /** Rows that the store shows as they were sent. */
  readonly visible: number;
  /** Rows that the store shows with other values. */
  readonly differing: number;
  /** Rows that the store does not show yet. */
  readonly notVisible: number;
  readonly rejected: number;
  /** Rows whose outcome is unknown. */
  readonly unknown: number;
  /** The first differences and refusals, each with its product code. */
  readonly examples: readonly Localized[];
}

/** Announces the canary in a plan, before anything is sent. */
export const announceCanary = (rows: number): Localized => ({
  tr: `Önce ${rows} satır gönderilip mağazadan geri okunacak; farklı görünen olursa kalanlar gönderilmeyecek (--canary).`,
  en: `${rows === 1 ? "1 row goes" : `${rows} rows go`} first and are read back from the store; if one shows something else, the rest is not sent (--canary).`,
});

/** Describes the verdict on the canary, for the terminal and the report. */
export function describeCanary(verdict: CanaryVerdict, view: CanaryView): Localized {
  const [tr, en] = VERDICTS[verdict](view);
  const examples = (lang: Lang): string =>
    view.examples.map((example) => ` ${example[lang]}`).join("");
  return {
    tr: `Önden gönderilen satırlar: ${view.sent} satır gönderildi, ${tr}.${examples("tr")}`,
    en: `Canary: ${view.sent} ${view.sent === 1 ? "row was" : "rows were"} sent, ${en}.${examples("en")}`,
  };
}

type VerdictText = (view: CanaryView) => readonly [tr: string, en: string];

const VERDICTS: Readonly<Record<CanaryVerdict, VerdictText>> = {
  passed: ({ visible, notVisible, rejected }) => [
    `${visible} tanesi gönderildiği gibi görünüyor${more(notVisible, "henüz görünmüyor")}${more(rejected, "reddedildi")}`,
    `${visible} shown as sent${more(notVisible, "not shown yet")}${more(rejected, "refused")}`,
  ],
  differs: ({ differing }) => [
    `${differing} tanesi mağazada farklı görünüyor`,
    `${differing} of them ${differing === 1 ? "shows" : "show"} something else in the store`,
  ],
  unseen: () => [
    "mağaza hiçbirini henüz göstermiyor, karşılaştırılamadı; panelden bakın",
    "the store shows none of them yet, so nothing was compared; look in its panel",
  ],
  refused: () => ["hepsi reddedildi", "all of them were refused"],
  unknown: ({ unknown }) => [
    `${unknown} tanesinin sonucu belli değil`,
    `the outcome of ${unknown} is not known`,
  ],
};

const more = (count: number, words: string): string => (count === 0 ? "" : `, ${count} ${words}`);
