/**
 * The parts of the page that need no script: facts, counts, reasons and prices; and each row as the
 * page's script reads it, kept short because a page may hold fifty thousand rows.
 */

import { fieldLabel, type Connection } from "@catalog/connection";
import { formatMinor, formatNumber, type Lang } from "@catalog/i18n";
import {
  type CellValue,
  type Counts,
  isBlocking,
  isNote,
  locateIssue,
  NO_UNSENDABLE_FIELDS,
  rowAddress,
  type RowRecord,
  type RowState,
  type RunRecord,
  type RunSheets,
  type VerificationCounts,
} from "@catalog/runs";

import { markAssumed } from "../action-words.ts";
import {
  cut,
  formatFieldValue,
  formatPercent,
  type IdNames,
  isIdField,
  payloadBefore,
  UNKNOWN_VALUE,
} from "../field-values.ts";
import { classWordsOf, RESULT_TEXTS, type ResultClass, toResultClass } from "../result-texts.ts";
import { escapeHtml, formatTable, formatTimestamp, isolate } from "./markup.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import type { PriceChange, PriceChanges } from "./price-changes.ts";

export interface Reason {
  /** Stable code: `E_…` blocks a row, `W_…` does not. */
  readonly code: string;
  /** What the rows have in common: their text, or that theirs are of the same kind. */
  readonly message: string;
  /** Number of rows that have it. */
  readonly count: number;
  /** Numbers of the first of these rows, as the spreadsheet program shows them. */
  readonly rows: readonly number[];
}

/** Rows named one by one. */
const MAX_ROWS = 12;

/** Texts of one code that are listed; values in them may differ from row to row. */
const MAX_TEXTS = 3;

/** Takes rows one by one, in the order of the sheet. */
export interface ReasonCount {
  observe(row: Pick<RowRecord, "row" | "issues" | "state">): void;
  /** Lists errors before warnings, each with the most frequent code first. */
  list(): readonly Reason[];
}

export function createReasonCount({ lang }: Pick<RunRecord, "lang">): ReasonCount {
  const codes = new Map<string, Map<string, GrowingReason>>();
  const { otherReasons } = PAGE_TEXTS[lang];
  return {
    observe({ row, issues: all, state }) {
      const issues = all.filter(
        (issue) => !isNote(issue) && !(SETTLED.has(state) && isBlocking(issue)),
      );
      const messages = new Map(issues.toReversed().map((one) => [one.code, one.message[lang]]));
      for (const [code, text] of messages) {
        const texts = codes.get(code) ?? new Map<string, GrowingReason>();
        codes.set(code, texts);
        const message = texts.has(text) || texts.size < MAX_TEXTS ? text : otherReasons;
        const reason = texts.get(message) ?? { code, message, count: 0, rows: [] };
        reason.count += 1;
        if (reason.rows.length < MAX_ROWS) reason.rows.push(row);
        texts.set(message, reason);
      }
    },
    list: () =>
      [...codes.values()]
        .map((texts) => Array.from(texts.values()))
        .toSorted(
          (a, b) =>
            rank(b) - rank(a) || countOf(b) - countOf(a) || (codeOf(a) < codeOf(b) ? -1 : 1),
        )
        .flat(),
  };
}

/** What held such a row stands in the way of nothing any more: it was approved or given up. */
const SETTLED: ReadonlySet<RowState> = new Set(["done", "unchanged", "cancelled"]);

interface GrowingReason extends Reason {
  count: number;
  readonly rows: number[];
}

const codeOf = (reasons: readonly Reason[]): string => reasons[0]?.code ?? "";

const rank = (reasons: readonly Reason[]): number => Number(codeOf(reasons).startsWith("E_"));

const countOf = (reasons: readonly Reason[]): number =>
  reasons.reduce((sum, { count }) => sum + count, 0);

/** Every class of rows, in the order of the report. */
export const CLASSES: readonly ResultClass[] = [
  "added",
  "updated",
  "unchanged",
  "skipped",
  "unsendable",
  "invalid",
  "duplicate",
  "rejected",
  "held",
  "unknown",
  "cancelled",
  "pending",
];

/** An issue: code, cell, message and suggestion; empty where there is none. */
type PageIssue = readonly [code: string, cell: string, message: string, suggestion: string];

/** A field: its label, old value and new value; the old value is empty where it is not known. */
type PageChange = readonly [field: string, before: string, after: string];

/** Row as people name it, code, index of the class, product id, issues, changes, the cells for the search, and title. */
export type PageRow = readonly [
  row: number | string,
  code: string,
  classIndex: number,
  productId: string,
  issues: readonly PageIssue[],
  changes: readonly PageChange[],
  cells: string,
  title: string,
];

/** The sheets of the file, and which column holds titles. */
interface PageFile extends Pick<RunRecord["file"], "sheets" | "feed"> {
  readonly titleAt?: number | undefined;
  readonly runId?: string | undefined;
  /** Names of the row's ids. @default none is known */
  readonly names?: IdNames | undefined;
}

export function toPageRow(record: RowRecord, lang: Lang, file: PageFile = {}): PageRow {
  const { row, code, productId, issues, changes, cells } = record;
  return [
    file.sheets === undefined ? row : rowAddress(file, row),
    code ?? "",
    CLASSES.indexOf(toResultClass(record)),
    productId ?? "",
    issues.map((issue) => [
      issue.code,
      locateIssue(file, issue).cell,
      issue.message[lang],
      locateIssue(file, issue, file.runId).suggestion?.[lang] ?? "",
    ]),
    changes.map((change) => toPageChange(change, record, { lang, names: file.names })),
    cells.filter(isFilled).map(cut).join("\n"),
    cut(record.payload?.title ?? cells[file.titleAt ?? -1] ?? ""),
  ];
}

const isFilled = (cell: CellValue): boolean => cell !== null && cell !== "";

function formatBefore(
  { field, old }: Pick<RowRecord["changes"][number], "field" | "old">,
  record: RowRecord,
  words: { readonly lang: Lang; readonly names: IdNames | undefined },
): string {
  if (old !== undefined) {
    return formatFieldValue(field, old, { payload: payloadBefore(record), ...words });
  }
  return isIdField(field) ? UNKNOWN_VALUE[words.lang] : "";
}

function toPageChange(
  { field, old, new: after, isAssumed }: RowRecord["changes"][number],
  record: RowRecord,
  words: { readonly lang: Lang; readonly names: IdNames | undefined },
): PageChange {
  const before = formatBefore({ field, old }, record, words);
  const text = formatFieldValue(field, after, { payload: record.payload, ...words });
  const change = { isAssumed };
  return [fieldLabel(field, words.lang), before, markAssumed(text, change, words.lang)];
}

/** What reading a run's rows back has shown. */
interface SeenInStore {
  readonly verified: VerificationCounts;
  /** How long the products that the run added took to appear. */
  readonly lags: Awaited<ReturnType<Connection["readVisibilityLags"]>>;
}

/** Lists the file, the run, its time, and the warnings about the file as a whole. */
export function formatFacts(run: RunRecord, { verified, lags }: SeenInStore): string {
  const { id, lang, file, createdAtMs, requests, warnings, maker } = run;
  const texts = PAGE_TEXTS[lang];
  const calls = requests.token + requests.read + requests.write;
  const facts: readonly (readonly [string, string])[] = [
    [texts.file, isolate(file.name)],
    ...(maker?.store === undefined ? [] : [[texts.store, isolate(maker.store)] as const]),
    [texts.run, `<code>${escapeHtml(id)}</code>`],
    [texts.begun, formatTimestamp(createdAtMs, lang)],
    [texts.calls, escapeHtml(texts.callsOf(calls, requests.write))],
    ...formatVerified(verified, lang),
    ...(lags === undefined ? [] : [formatLags(lags, lang)]),
  ];
  const list = facts.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${value}</dd></div>`,
  );
  const text = warnings.map(({ message }) => `<li>${isolate(message[lang])}</li>`);
  const notes = text.length === 0 ? "" : `<ul class="warnings">${text.join("")}</ul>\n`;
  return `<section aria-labelledby="facts-title">
<h2 id="facts-title">${escapeHtml(texts.facts)}</h2>
<dl class="facts">${list.join("")}</dl>
${notes}</section>
`;
}

function formatLags(
  { products, p50Ms, p99Ms }: NonNullable<SeenInStore["lags"]>,
  lang: Lang,
): [string, string] {
  const texts = PAGE_TEXTS[lang];
  const [p50, p99] = [p50Ms, p99Ms].map((ms) => formatSeconds(ms, lang));
  return [texts.lag, escapeHtml(texts.lagOf(products, p50 ?? "", p99 ?? ""))];
}

/** Rounds up to a tenth of a second, as the product may have appeared earlier, but not later. */
function formatSeconds(ms: number, lang: Lang): string {
  const seconds = formatNumber(Math.ceil(ms / 100) / 10, lang);
  return lang === "tr" ? `${seconds} sn` : `${seconds} s`;
}

/** Results of reading back; empty where nothing was sent. */
function formatVerified(counts: VerificationCounts, lang: Lang): [string, string][] {
  const { columns, verified } = RESULT_TEXTS[lang];
  const parts = (["accepted", "visible", "mismatch", "not-visible"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${verified[status]}: ${counts[status]}`);
  return parts.length === 0 ? [] : [[columns.seen, escapeHtml(parts.join(" · "))]];
}

/** A line for each class that has rows, and their sum. */
export function formatTotals(
  counts: Counts,
  run: Pick<RunRecord, "lang" | "progress" | "facts">,
): string {
  const { rows: unsendable } = run.facts?.unsendable ?? NO_UNSENDABLE_FIELDS;
  const texts = PAGE_TEXTS[run.lang];
  const words = classWordsOf(run);
  const shown = { ...counts, skipped: counts.skipped - unsendable, unsendable };
  const cards = CLASSES.filter((name) => shown[name] > 0).map(
    (name) =>
      `<div class="card ${name}"><dt>${escapeHtml(words[name])}</dt><dd>${shown[name]}</dd></div>`,
  );
  const all = `<div class="card all"><dt>${escapeHtml(texts.allRows)}</dt><dd>${counts.rows}</dd></div>`;
  return `<section aria-labelledby="totals-title">
<h2 id="totals-title">${escapeHtml(texts.totals)}</h2>
<dl class="cards">${all}${cards.join("")}</dl>
</section>
`;
}

/** Issues by code, each with a button that filters the rows below. */
export function formatReasons(
  reasons: readonly Reason[],
  { lang, file }: Pick<RunRecord, "lang" | "file">,
): string {
  const texts = PAGE_TEXTS[lang];
  const lines = reasons.map(({ code, message, count, rows }) => {
    const more = count > rows.length ? " …" : "";
    const named = escapeHtml(rows.map((row) => rowAddress(file, row)).join(", "));
    const button = `<button type="button" class="look" data-query="${escapeHtml(code)}">${escapeHtml(code)}</button>`;
    return `<tr><th scope="row" class="explain">${isolate(message)} ${button}</th><td class="number" data-name="${escapeHtml(texts.count)}">${count}</td><td class="in-rows" data-name="${escapeHtml(texts.inRows)}">${named}${more}</td></tr>`;
  });
  const body =
    lines.length === 0
      ? `<p>${escapeHtml(texts.noReasons)}</p>`
      : formatTable("reasons", {
          columns: [texts.issue, texts.count, texts.inRows],
          numbers: new Set([texts.count]),
          lines,
        });
  return `<section class="blocks" aria-labelledby="reasons-title">
<h2 id="reasons-title">${escapeHtml(texts.reasons)}</h2>
${body}
</section>
`;
}

/** Price changes listed one by one. */
const MAX_LISTED = 20;

interface PriceView {
  readonly lang: Lang;
  readonly file: RunSheets;
  /** Chart of the changes that the table lists. */
  readonly plot: string;
}

/** Formats the chart and the table of the biggest changes; empty where no price changes. */
export function formatPrices({ changes, total, unread }: PriceChanges, view: PriceView): string {
  if (total + unread === 0) return "";
  const { plot, lang } = view;
  const texts = PAGE_TEXTS[lang];
  const lines = changes.slice(0, MAX_LISTED).map((change) => formatChange(change, view));
  const table =
    lines.length === 0
      ? ""
      : formatTable("prices", {
          columns: [
            texts.code,
            texts.row,
            texts.oldPrice,
            texts.newPrice,
            texts.change,
            texts.result,
          ],
          numbers: new Set([texts.row, texts.oldPrice, texts.newPrice, texts.change]),
          lines,
        });
  const figure =
    plot === ""
      ? ""
      : `<figure>${plot}<figcaption>${escapeHtml(texts.plotHelp)}</figcaption></figure>\n`;
  return `<section class="blocks" aria-labelledby="prices-title">
<h2 id="prices-title">${escapeHtml(texts.prices)}</h2>
<p>${escapeHtml(texts.pricesOf(total, unread))}</p>
${figure}${table}
</section>
`;
}

function formatChange(
  { row, code, oldMinor, newMinor, percent, result, list }: PriceChange,
  { lang, file }: PriceView,
): string {
  const texts = PAGE_TEXTS[lang];
  const numbers = [
    [texts.row, rowAddress(file, row)],
    [texts.oldPrice, formatMinor(oldMinor, lang), list && formatMinor(list.oldMinor, lang)],
    [texts.newPrice, formatMinor(newMinor, lang), list && formatMinor(list.newMinor, lang)],
    [texts.change, formatPercent(percent, lang)],
  ].map(([name = "", text = "", listed]) => {
    const before =
      listed === undefined ? "" : `<br><small>${escapeHtml(texts.listPrice(listed))}</small>`;
    return `<td class="number" data-name="${escapeHtml(name)}">${escapeHtml(text)}${before}</td>`;
  });
  const word = RESULT_TEXTS[lang].words[result];
  return `<tr><th scope="row">${isolate(code)}</th>${numbers.join("")}<td data-name="${escapeHtml(texts.result)}">${escapeHtml(word)}</td></tr>`;
}
