/** The biggest changes of a plan as a short table for a terminal. Pure text. */

import { type BigChange, type BiggestChanges, type Lang } from "@catalog/toolkit";

const CODE_WIDTH = 22;
const VALUE_WIDTH = 13;
const PERCENT_WIDTH = 9;

const TEXTS = {
  tr: {
    prices: (rows: number) => `En büyük fiyat değişimleri (${rows} satırdan)`,
    stocks: (rows: number) => `En büyük stok değişimleri (${rows} satırdan)`,
    held: "bekler",
    locale: "tr-TR",
  },
  en: {
    prices: (rows: number) => `Biggest price changes (of ${rows} rows)`,
    stocks: (rows: number) => `Biggest stock changes (of ${rows} rows)`,
    held: "held",
    locale: "en-GB",
  },
} as const;

/** Two blocks of a few lines; empty where nothing changes. */
export function formatChanges({ prices, stocks, rows }: BiggestChanges, lang: Lang): string {
  const texts = TEXTS[lang];
  const block = (title: string, changes: readonly BigChange[]): string =>
    changes.length === 0
      ? ""
      : `\n${title}\n${changes.map((change) => formatChange(change, lang)).join("")}`;
  return block(texts.prices(rows.price), prices) + block(texts.stocks(rows.stock_count), stocks);
}

/** At most 78 columns: address, code, old, new, percent, and whether it waits. */
function formatChange(change: BigChange, lang: Lang): string {
  const { row, code, percent, isHeld } = change;
  const { locale, held } = TEXTS[lang];
  const digits = change.field === "price" ? 2 : 0;
  const format = (value: number): string =>
    (change.field === "price" ? value / 100 : value)
      .toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
      .padStart(VALUE_WIDTH);
  const parts = [
    ` ${String(row).padStart(5)} `,
    ` ${cut(code ?? "").padEnd(CODE_WIDTH)}`,
    format(change.old),
    " →",
    format(change.new),
    formatPercent(percent, lang).padStart(PERCENT_WIDTH),
  ];
  return `${parts.join("").trimEnd()}${isHeld ? `  ${held}` : ""}\n`;
}

const cut = (code: string): string =>
  code.length > CODE_WIDTH - 1 ? `${code.slice(0, CODE_WIDTH - 2)}…` : code;

function formatPercent(percent: number | null, lang: Lang): string {
  if (percent === null) return "";
  const number = Math.abs(percent).toLocaleString(TEXTS[lang].locale);
  const sign = percent < 0 ? "−" : "+";
  return lang === "tr" ? `${sign}%${number}` : `${sign}${number}%`;
}
