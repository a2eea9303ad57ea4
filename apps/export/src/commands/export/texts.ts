/** Texts of the export command in both languages. */

import type { ListingsProgress } from "@catalog/exporter";
import { type Lang, formatNumber } from "@catalog/i18n";

export interface Texts {
  readonly reading: string;
  readonly writing: string;
  readonly pages: (progress: ListingsProgress, secondsLeft: number | undefined) => string;
  readonly resumed: (items: number) => string;
  readonly planned: (calls: number, seconds: number) => string;
  readonly written: (rows: number, file: string, calls: number) => string;
  readonly stopped: (items: number) => string;
  readonly goOn: (command: string) => string;
}

const duration = (seconds: number, [h, m, s]: readonly [string, string, string]): string => {
  if (seconds >= 3600) return `${(seconds / 3600).toFixed(1)} ${h}`;
  return seconds >= 90 ? `${Math.round(seconds / 60)} ${m}` : `${Math.max(1, seconds)} ${s}`;
};

const tr = (value: number): string => formatNumber(value, "tr");
const en = (value: number): string => formatNumber(value, "en");

const TEXTS: Readonly<Record<Lang, Texts>> = {
  tr: {
    reading: "Mağaza okunuyor",
    writing: "Dosya yazılıyor",
    pages: ({ items, pages }, left) =>
      [
        ...(pages === undefined ? [] : [`${tr(pages.read)}/${tr(pages.of)} sayfa`]),
        `${tr(items)} kayıt`,
        ...(left === undefined ? [] : [`kalan ${duration(left, ["saat", "dakika", "saniye"])}`]),
      ].join(" · "),
    resumed: (items) =>
      `Yarım kalan dışa aktarma sürüyor: ${tr(items)} kayıt okunmuştu (--fresh baştan başlatır).`,
    planned: (calls, seconds) =>
      `Okumak için yaklaşık ${tr(calls)} istek gerekiyor, ${duration(seconds, ["saat", "dakika", "saniye"])}.`,
    written: (rows, file, calls) => `${tr(rows)} satır yazıldı: ${file} (${tr(calls)} istek)`,
    stopped: (items) => `Durduruldu. Okunan ${tr(items)} kayıt saklandı; dosya yazılmadı.`,
    goOn: (command) => `Sürdürmek için: ${command}`,
  },
  en: {
    reading: "Reading the store",
    writing: "Writing the file",
    pages: ({ items, pages }, left) =>
      [
        ...(pages === undefined ? [] : [`${en(pages.read)}/${en(pages.of)} pages`]),
        `${en(items)} records`,
        ...(left === undefined ? [] : [`${duration(left, ["hours", "minutes", "seconds"])} left`]),
      ].join(" · "),
    resumed: (items) =>
      `Going on with an unfinished export: ${en(items)} records were read (--fresh begins anew).`,
    planned: (calls, seconds) =>
      `Reading takes about ${en(calls)} calls, ${duration(seconds, ["hours", "minutes", "seconds"])}.`,
    written: (rows, file, calls) => `${en(rows)} rows written: ${file} (${en(calls)} calls)`,
    stopped: (items) => `Stopped. The ${en(items)} records read are kept; no file was written.`,
    goOn: (command) => `To go on: ${command}`,
  },
};

export const textsFor = (lang: Lang): Texts => TEXTS[lang];
