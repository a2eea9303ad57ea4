/** The options of a feed on the page, as flags of a sync that a schedule stores. */

import type { Lang } from "@catalog/i18n";
import type { SyncOptions } from "@catalog/jobs";

import type { FeedOptions } from "../../api/feeds.ts";

/** Converts what a person has chosen; what is left out is found out by the sync. */
export function toSyncOptions(options: FeedOptions, lang: Lang): SyncOptions {
  const { sheet, encoding, columns, decimal, priceUnit, maxAgeHours, allowHost } = options;
  const map = Object.entries(columns).map(([header, to]) => `${header}=${to}`);
  return {
    lang,
    "max-age": maxAgeHours === 0 ? "0" : `${maxAgeHours}h`,
    ...readSheets(sheet),
    ...(encoding !== "" && { encoding }),
    ...(map.length > 0 && { map }),
    ...(decimal !== "" && { decimal }),
    ...(priceUnit !== "" && { "price-unit": priceUnit }),
    ...(allowHost !== "" && { "allow-host": [allowHost] }),
  };
}

/** The sheets of a form, with slashes between them, as no name of a sheet has one. */
export function readSheets(text: string): { readonly sheet?: string | readonly string[] } {
  const names = text.split("/").map((name) => name.trim());
  const [only, ...others] = names.filter((name) => name !== "");
  if (only === undefined) return {};
  return { sheet: others.length === 0 ? only : [only, ...others] };
}

/** The other way round, for a form. */
export function fromSyncOptions(stored: SyncOptions): FeedOptions {
  const { sheet, decimal, "price-unit": unit, "max-age": age, "allow-host": hosts } = stored;
  return {
    sheet: Array.isArray(sheet) ? sheet.join(" / ") : String(sheet ?? ""),
    encoding: String(stored.encoding ?? ""),
    columns: readColumns(stored.map),
    decimal: decimal === "comma" || decimal === "point" ? decimal : "",
    priceUnit: unit === "minor" || unit === "major" ? unit : "",
    maxAgeHours: readHours(String(age ?? "")),
    allowHost: Array.isArray(hosts) ? String(hosts[0] ?? "") : "",
  };
}

/** Pairs as `--map` takes them; a header may have an equals sign in it, and no field has. */
function readColumns(map: SyncOptions["map"]): FeedOptions["columns"] {
  const pairs = (Array.isArray(map) ? map : [map]).filter((pair) => typeof pair === "string");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** Hours of a duration of the page; a command may have stored days. */
function readHours(age: string): number {
  const found = /^(?<count>\d{1,5})(?<unit>[hd])$/u.exec(age)?.groups;
  return Number(found?.["count"] ?? 0) * (found?.["unit"] === "d" ? 24 : 1);
}
