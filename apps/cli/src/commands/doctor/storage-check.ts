/** Says how large the home is, of what, and what can be freed. */

import type { Connection, HomeSizes, PrunePreview } from "@catalog/connection";
import { SIZE_KINDS, type SizeKind } from "@catalog/database";
import { formatBytes, formatNumber, type Lang, type Localized } from "@catalog/i18n";

import type { Check } from "./check.ts";

const STORAGE: Localized = { tr: "Boyut", en: "Size" };

const KINDS: Readonly<Record<SizeKind | "free", Localized>> = {
  runs: { tr: "çalıştırmalar", en: "runs" },
  rows: { tr: "satırlar", en: "rows" },
  cells: { tr: "hücreler", en: "cells" },
  events: { tr: "olaylar", en: "events" },
  archive: { tr: "arşiv", en: "archive" },
  ledger: { tr: "gönderi defteri", en: "ledger" },
  listing: { tr: "mağaza listesi", en: "listing" },
  names: { tr: "adlar", en: "names" },
  exports: { tr: "dışa aktarımlar", en: "exports" },
  drafts: { tr: "taslaklar", en: "drafts" },
  other: { tr: "diğer", en: "other" },
  free: { tr: "boş", en: "free" },
};

/** Less than this is not worth a word. */
const MIN_SHOWN_BYTES = 100_000;

/** So much that can be freed is worth a command. */
const MUCH_BYTES = 100_000_000;

/** Reads the whole database. */
export async function checkStorage({ storage }: Pick<Connection, "storage">): Promise<Check> {
  const sizes = await storage.sizes();
  const due = await storage.previewPrune(storage.keepMs);
  const isMuch = due.bytes > MUCH_BYTES;
  return {
    name: "storage",
    state: isMuch ? "warn" : "ok",
    label: STORAGE,
    found: { tr: describe(sizes, due, "tr"), en: describe(sizes, due, "en") },
    fix: {
      tr: `Yaklaşık ${formatBytes(due.bytes, "tr")} yer açmak için: catalog runs prune`,
      en: `To free about ${formatBytes(due.bytes, "en")}: catalog runs prune`,
    },
    sizes: toDocument(sizes, due),
  };
}

const OLD_ROWS: Readonly<Record<Lang, (rows: string, size: string) => string>> = {
  tr: (rows, size) => `; saklama süresi dolmuş ${rows} satır, ${size}`,
  en: (rows, size) => `; ${rows} rows past their retention, ${size}`,
};

function describe(sizes: HomeSizes, due: PrunePreview, lang: Lang): string {
  const size = (bytes: number): string => formatBytes(bytes, lang);
  const parts = [...SIZE_KINDS, "free" as const]
    .map((kind) => ({ kind, bytes: kind === "free" ? sizes.freeBytes : sizes.kinds[kind] }))
    .filter(({ bytes }) => bytes >= MIN_SHOWN_BYTES)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ kind, bytes }) => `${KINDS[kind][lang]} ${size(bytes)}`);
  const [home, database] = [size(sizes.homeBytes), size(sizes.fileBytes)];
  const of = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  const rows = formatNumber(due.rows, lang);
  const old = due.rows === 0 ? "" : OLD_ROWS[lang](rows, size(due.bytes));
  return lang === "tr"
    ? `klasör ${home}; veritabanı ${database}${of}${old}`
    : `folder ${home}; database ${database}${of}${old}`;
}

function toDocument(sizes: HomeSizes, due: PrunePreview): Readonly<Record<string, number>> {
  const { homeBytes, fileBytes, freeBytes, kinds } = sizes;
  const prunable = { prunable_runs: due.runs, prunable_rows: due.rows, prunable: due.bytes };
  return { home: homeBytes, database: fileBytes, ...kinds, free: freeBytes, ...prunable };
}

/** The check of a database that was not opened. */
export function skipStorage(): Check {
  const found = { tr: "bakılamadı", en: "could not be checked" };
  return { name: "storage", state: "skip", label: STORAGE, found };
}
