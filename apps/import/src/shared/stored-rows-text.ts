/** Says how many rows a run's file has, and how many of them the run has stored. */

import { formatNumber, type Lang } from "@catalog/i18n";

import { textsFor } from "./texts.ts";

const STORED: Readonly<Record<Lang, Readonly<Record<"none" | "some", string>>>> = {
  tr: {
    none: "; gönderilen, bekleyen ya da hatalı olan yok",
    some: "; # tanesi saklandı: gönderilen, bekleyen ya da hatalı olanlar",
  },
  en: {
    none: "; none was sent, held or wrong",
    some: ", # of them kept: what was sent, held or wrong",
  },
};

/** Only a sync stores fewer rows than its file has. */
export function formatStoredRows(rows: number, stored: number, lang: Lang): string {
  const all = textsFor(lang).rows(rows);
  if (stored === rows) return all;
  const { none, some } = STORED[lang];
  return all + (stored === 0 ? none : some.replace("#", formatNumber(stored, lang)));
}
