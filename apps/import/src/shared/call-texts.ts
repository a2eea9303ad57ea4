/** Texts about calls and how long they take. */

import { formatDuration, formatNumber, type Lang } from "@catalog/i18n";
import type { RunSummary } from "@catalog/report";

/** Calls of a plan. */
export interface PlannedRequests {
  /** Calls made so far; `undefined` where the run has made others than those of its plan. */
  readonly made: number | undefined;
  readonly reads: number;
  readonly writes: number;
  readonly seconds: number;
  /** Maximum number of calls an hour; `undefined` is unlimited. */
  readonly perHour?: number | undefined;
}

export interface CallTexts {
  readonly requests: (requests: PlannedRequests) => string;
  readonly sent: (requests: RunSummary["requests"]) => string;
}

const n = {
  tr: (value: number): string => formatNumber(value, "tr"),
  en: (value: number): string => formatNumber(value, "en"),
};

const count = (value: number, word: string): string =>
  `${n.en(value)} ${word}${value === 1 ? "" : "s"}`;

export const callTexts: Readonly<Record<Lang, CallTexts>> = {
  tr: {
    requests: ({ made, reads, writes, seconds, perHour }) => {
      const before = made === undefined ? "" : `plan için ${n.tr(made)} istek yapıldı; `;
      if (writes === 0) return `${before}gönderilecek bir şey yok`;
      const hourly = perHour === undefined ? "" : `, saatte en çok ${n.tr(perHour)} istek`;
      const more = `en az ${n.tr(reads + writes)} istek${made === undefined ? "" : " daha"}`;
      return `${before}göndermek için ${more} (${n.tr(writes)} yazma, ${n.tr(reads)} okuma), ≈ ${formatDuration(seconds, "tr")}${hourly}`;
    },
    sent: ({ total, token, read, write }) =>
      `toplam ${n.tr(total)} istek (${n.tr(token)} oturum, ${n.tr(read)} okuma, ${n.tr(write)} yazma)`,
  },
  en: {
    requests: ({ made, reads, writes, seconds, perHour }) => {
      const before = made === undefined ? "" : `${n.en(made)} made for the plan; `;
      if (writes === 0) return `${before}nothing to send`;
      const hourly = perHour === undefined ? "" : `, at most ${n.en(perHour)} an hour`;
      const more = made === undefined ? "calls" : "more";
      return `${before}at least ${n.en(reads + writes)} ${more} to send it (${count(writes, "write")}, ${count(reads, "read")}), ≈ ${formatDuration(seconds, "en")}${hourly}`;
    },
    sent: ({ total, token, read, write }) =>
      `${n.en(total)} in all (${count(token, "login")}, ${count(read, "read")}, ${count(write, "write")})`,
  },
};
