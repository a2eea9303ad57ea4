/** Reads the beginning of a feed, with the questions that a sync of it could not ask, and converts the
 * options of a form to flags of a sync and back. */

import { type Connection, fieldLabel } from "@catalog/connection";
import {
  createFeedFetch,
  FEED_FIELDS,
  type FeedSample,
  type FeedSampleColumn,
  readSample,
} from "@catalog/feed-sync";
import type { Lang } from "@catalog/i18n";
import type { SyncOptions } from "@catalog/jobs";
import { LEAVE_OUT } from "@catalog/mapping";

import type {
  FeedCheckBody,
  FeedChoice,
  FeedColumnView,
  FeedOptions,
  FeedSampleView,
} from "../../api/feeds.ts";

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
function readSheets(text: string): { readonly sheet?: string | readonly string[] } {
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

/** Rows of a feed that are shown. */
const SAMPLE_ROWS = 5;

/** Throws what the sync throws for a feed that cannot be read at all. */
export async function checkFeed(
  connection: Connection,
  { feed, options }: FeedCheckBody,
  lang: Lang,
): Promise<FeedSampleView> {
  const { sheet, encoding, columns, decimal, priceUnit, allowHost } = options;
  const sample = await readSample(connection, {
    feed,
    reading: {
      sheet: { ...readSheets(sheet), ...(encoding !== "" && { encoding }) },
      columns: new Map(Object.entries(columns)),
      decimal: decimal === "" ? undefined : decimal,
    },
    fetch: createFeedFetch({
      clock: connection.clock,
      allowHosts: allowHost === "" ? [] : [allowHost],
      // A person waits for the answer, and can try again.
      retries: 0,
    }),
    maxRows: SAMPLE_ROWS,
  });
  return {
    name: sample.name,
    dataAt: sample.modifiedMs === undefined ? null : new Date(sample.modifiedMs).toISOString(),
    columns: sample.columns.map((column) => toColumnView(column, lang)),
    rows: sample.rows,
    answers: Object.fromEntries(sample.answers),
    gone: sample.gone,
    encodings: sample.encodings.map(({ encoding: name, words }) => ({
      encoding: name,
      sample: words.join(" "),
    })),
    problems: toProblems(sample, lang),
    lost: sample.lost.map((one) => ({ ...one, label: fieldLabel(one.field, lang) })),
    isUnitOpen: sample.isUnitOpen && priceUnit === "",
  };
}

function toColumnView(column: FeedSampleColumn, lang: Lang): FeedColumnView {
  const { header, field = null, answer = null, question, isUnclear } = column;
  const own = question?.choices.map(({ map, label }) => ({ value: map, label: label[lang] })) ?? [];
  const known = new Set(own.map(({ value }) => value));
  const others = FEED_FIELDS.filter((key) => !known.has(key)).map((key): FeedChoice => ({
    value: key,
    label: fieldLabel(key, lang),
  }));
  const leave = known.has(LEAVE_OUT) ? [] : [{ value: LEAVE_OUT, label: LEFT_OUT[lang] }];
  return {
    header,
    field,
    answer,
    question: question?.issue.message[lang] ?? null,
    choices: header === "" ? [] : [...own, ...others, ...leave],
    isUnclear,
  };
}

const LEFT_OUT: Readonly<Record<Lang, string>> = { tr: "Alınmasın", en: "Leave it out" };

function toProblems({ issues, hasNoField, columns }: FeedSample, lang: Lang): readonly string[] {
  const told = issues.map(({ message }) => message[lang]);
  const isAsked = columns.some(({ question }) => question !== undefined);
  return hasNoField && !isAsked && told.length === 0 ? [NO_FIELD[lang]] : told;
}

const NO_FIELD: Readonly<Record<Lang, string>> = {
  tr: "Dosyada stok ya da fiyat sütunu bulunamadı. Hangi sütunun stok ya da fiyat olduğunu aşağıdan seçin.",
  en: "No column of stock or price was found in the file. Choose below which column is the stock or the price.",
};
