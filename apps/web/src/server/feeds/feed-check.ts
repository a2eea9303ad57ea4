/** Reads the beginning of a feed, with the questions that a sync of it could not ask. */

import { type Connection, fieldLabel } from "@catalog/connection";
import {
  createFeedFetch,
  FEED_FIELDS,
  type FeedSample,
  type FeedSampleColumn,
  readSample,
} from "@catalog/feed-sync";
import type { Lang } from "@catalog/i18n";
import { LEAVE_OUT } from "@catalog/mapping";

import type { FeedCheckBody, FeedChoice, FeedColumnView, FeedSampleView } from "../../api/feeds.ts";
import { readSheets } from "./feed-options.ts";

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
