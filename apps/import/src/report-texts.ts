/** The report of a run in words. */

import { type Connection, fieldLabel } from "@catalog/connection";
import type { TextView } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import {
  actionWordsOf,
  DONE_BEFORE,
  NOTHING_ASKED,
  type RunSummary,
  wordsOfList,
} from "@catalog/report";
import {
  type Counts,
  isBlocking,
  NO_UNSENDABLE_FIELDS,
  rowAddress,
  type RunRecord,
  type locateIssue,
} from "@catalog/runs";

import { type PlannedRequests, type Texts, textsFor } from "./texts.ts";

type LocatedIssue = ReturnType<typeof locateIssue>;

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
function formatStoredRows(rows: number, stored: number, lang: Lang): string {
  const all = textsFor(lang).rows(rows);
  if (stored === rows) return all;
  const { none, some } = STORED[lang];
  return all + (stored === 0 ? none : some.replace("#", formatNumber(stored, lang)));
}

interface UnsendableTexts {
  /** Text for rows of which nothing can be sent. */
  readonly rows: (count: string) => string;
  /** Text for rows of which other fields can be sent. */
  readonly partly: (count: string) => string;
}

const TEXTS: Readonly<Record<Lang, Readonly<Record<"planned" | "counted", UnsendableTexts>>>> = {
  tr: {
    planned: {
      rows: (count) => `${count} gönderilemeyecek`,
      partly: (count) => `${count} satır eksik gidecek`,
    },
    counted: {
      rows: (count) => `${count} gönderilemedi`,
      partly: (count) => `${count} satır eksik gönderildi`,
    },
  },
  en: {
    planned: {
      rows: (count) => `${count} that cannot be sent`,
      partly: (count) => `${count} to be sent in part`,
    },
    counted: {
      rows: (count) => `${count} could not be sent`,
      partly: (count) => `${count} sent in part`,
    },
  },
};

const REASONS: Readonly<Record<Lang, (fields: string) => string>> = {
  tr: (fields) => `mağaza güncellemede almıyor: ${fields}`,
  en: (fields) => `the store does not take updates of: ${fields}`,
};

/** One text for rows of which nothing can be sent, and one for rows of which a part can. */
export function describeUnsendable(
  unsendable: typeof NO_UNSENDABLE_FIELDS | undefined,
  when: "planned" | "counted",
  lang: Lang,
): readonly string[] {
  const { rows, partly, fields } = unsendable ?? NO_UNSENDABLE_FIELDS;
  const { number } = textsFor(lang);
  const words = TEXTS[lang][when];
  const named = [...new Set(fields.map((field) => fieldLabel(field, lang)))].join(", ");
  const told = [
    ...(rows > 0 ? [words.rows(number(rows))] : []),
    ...(partly > 0 ? [words.partly(number(partly))] : []),
  ];
  return told.map((text) => `${text} (${REASONS[lang](named)})`);
}

/** Problems shown on the terminal; the result files hold the others. */
export const MAX_SHOWN = 30;

const LABEL_WIDTH = 11;

/** Column in which messages begin, after mark and address. */
const MESSAGE_INDENT = 11;

const line = (label: string, text: string, columns: number = Infinity): string =>
  `${wrapText(`${label.padEnd(LABEL_WIDTH)} ${text}`, { columns, indent: LABEL_WIDTH + 1 })}\n`;

interface PlanView {
  /** Rows of the file. */
  readonly rows: number;
  /** Rows of these that the run has stored. @default all */
  readonly stored?: number;
  readonly storeName: string;
  /** Maximum number of calls an hour; `undefined` is unlimited. */
  readonly callsPerHour?: number | undefined;
  /** Width of the output in columns. @default lines are not wrapped */
  readonly columns?: number;
}

/** The sheets of a workbook, or the records of XML or JSON. */
function namePart(
  { kind, sheet, sheets }: RunRecord["file"],
  texts: ReturnType<typeof textsFor>,
): string {
  if (kind === "xml" || kind === "json") return texts.record(sheet);
  return (sheets?.map(({ name }) => name) ?? [sheet]).map((name) => texts.sheet(name)).join(", ");
}

/** How a plan calls its store: by its name, if it has one, and its address. */
export const nameStore = ({
  storeName,
  baseUrl,
}: Pick<Connection, "storeName" | "baseUrl">): string =>
  storeName === undefined ? baseUrl : `${storeName} (${baseUrl})`;

/** Formats the plan: the source of the rows and the decisions. */
export function formatPlan(run: RunRecord, view: PlanView): string {
  const { rows, stored = rows, storeName, callsPerHour, columns } = view;
  const texts = textsFor(run.lang);
  const planned = run.facts?.planned;
  const parts =
    planned === undefined
      ? describeRefusal(run)
      : actionWordsOf(run) !== undefined
        ? describeList(run, planned, rows)
        : (["add", "update", "unchanged", "invalid", "duplicate", "held"] as const)
            .filter((kind) => planned[kind] > 0 || kind === "add" || kind === "update")
            .map((kind) => texts.planned[kind](planned[kind], planned.stock));
  const left = describeUnsendable(run.facts?.unsendable, "planned", run.lang);
  const { kind } = run.file;
  const name = nameSource(run, run.lang);
  const source = kind === "csv" ? name : `${name} · ${namePart(run.file, texts)}`;
  const counted = formatStoredRows(rows, stored, run.lang);
  return [
    line(texts.file, `${source} · ${counted}`, columns),
    line(texts.store, storeName),
    line(texts.run, run.id),
    parts.length === 0 ? "" : line(texts.plan, [...parts, ...left].join(", "), columns),
    // A finished run has nothing left to send; its result tells the calls that were made.
    planned === undefined || run.state === "finished"
      ? ""
      : line(texts.calls, texts.requests(toRequests(run, planned, callsPerHour)), columns),
  ].join("");
}

/** The plan of a list of actions: what is done, and the rows of which nothing is sent. */
export function describeList(
  run: Pick<RunRecord, "lang" | "progress">,
  planned: NonNullable<RunRecord["facts"]>["planned"],
  rows?: number,
): readonly string[] {
  const { lang } = run;
  const texts = textsFor(lang);
  const words = actionWordsOf(run);
  if (words === undefined) return [];
  const { update, unchanged, invalid, duplicate, held } = planned;
  const left = (rows ?? 0) - update - unchanged - invalid - duplicate - held;
  return [
    words.planned(update, lang),
    ...(unchanged > 0 ? [DONE_BEFORE(unchanged, lang)] : []),
    ...(invalid > 0 ? [texts.planned.invalid(invalid)] : []),
    ...(duplicate > 0 ? [texts.planned.duplicate(duplicate)] : []),
    ...(held > 0 ? [texts.planned.held(held)] : []),
    ...(left > 0 ? [NOTHING_ASKED(left, lang)] : []),
  ];
}

/** The words in which the rows of a run are counted; those of a list say what was done. */
export function countedWords(actions: RunSummary["actions"], lang: Lang): Texts["counted"] {
  const { counted } = textsFor(lang);
  if (actions === undefined) return counted;
  const words = wordsOfList(actions);
  return {
    ...counted,
    updated: (count) => words.done(count, lang),
    unchanged: (count) => DONE_BEFORE(count, lang),
    skipped: (count) => NOTHING_ASKED(count, lang),
  };
}

/** A sync without a plan was refused, or could not read its feed; its warning says why. */
const describeRefusal = ({ kind, warnings, lang }: RunRecord): readonly string[] =>
  kind === "sync" ? warnings.slice(0, 1).map(({ message }) => message[lang]) : [];

/** Only a run that was not sent yet has made the calls of its plan alone. */
function toRequests(
  { state, requests: { token, read, write } }: RunRecord,
  { add, update, stock = 0, requests, seconds }: NonNullable<RunRecord["facts"]>["planned"],
  perHour: number | undefined,
): PlannedRequests {
  const made = token + read + write;
  const writes = add + update + stock;
  return {
    made: state === "planned" && made > 0 ? made : undefined,
    reads: requests - writes,
    writes,
    seconds,
    perHour,
  };
}

/** Names what the rows of a run come from: its file, or the run or product that it undoes. */
export function nameSource({ file, progress }: RunRecord, lang: Lang): string {
  const { undoOf, undoPart } = progress;
  return undoOf === undefined ? file.name : textsFor(lang).undoOf(undoPart?.product ?? undoOf);
}

/** An issue, which may stand for the same issue of other rows. */
export interface ShownIssue extends LocatedIssue {
  /** Number of rows with the same issue, including this one. @default 1 */
  readonly sameRows?: number;
  /** The next of those rows, with what differs in each. @default none */
  readonly others?: readonly LocatedIssue[];
  /** The command that resolves it for all rows. */
  readonly rule?: Localized | undefined;
  /** The command that lists the names where `rule` names none. */
  readonly list?: string | undefined;
}

export interface Problems {
  /** Whether rows are to be corrected, or wait for a person. */
  readonly kind: "fix" | "wait";
  /** Number of rows with at least one blocking issue. */
  readonly rows: number;
  readonly issues: readonly ShownIssue[];
  readonly more: number;
}

/** Formats the problems, each at its cell, with advice. */
export function formatProblems(problems: Problems, lang: Lang, view: TextView = {}): string {
  const { kind, rows, issues, more } = problems;
  if (issues.length === 0) return "";
  const texts = textsFor(lang);
  // Cells to correct are far apart in the sheet, and each keeps its advice.
  const shown = kind === "wait" ? issues.map(createHints()) : issues;
  const lines = shown.map((issue) => formatIssue(issue, lang, view));
  const rest = more > 0 ? `  ${texts.moreProblems(more)}\n` : "";
  const heading = rows > 0 ? `\n${texts.problems[kind](rows)}\n` : "\n";
  return heading + lines.join("") + rest;
}

/** Keeps advice at the first issue that has it; advice that names its row stays at each. */
export function createHints(): (issue: ShownIssue) => ShownIssue {
  const given = new Set<string>();
  return (issue) => {
    const advice = issue.suggestion?.en;
    if (advice === undefined) return issue;
    if (given.has(advice)) return { ...issue, suggestion: undefined };
    given.add(advice);
    return issue;
  };
}

/** Formats one issue: address and message, then the suggestion, in lines that fit the output. */
export function formatIssue(
  issue: ShownIssue,
  lang: Lang,
  { shown = String, outColumns: columns = Infinity }: TextView = {},
): string {
  const mark = isBlocking(issue) ? "✗" : "!";
  const { sameRows = 1 } = issue;
  const texts = textsFor(lang);
  const alike = sameRows > 1 ? ` ${texts.sameRows(sameRows, listOthers(issue))}` : "";
  const { record } = issue;
  const place = record === undefined ? "" : ` ${texts.recordAt(record.line, record.code ?? "")}`;
  const head = `  ${mark} ${addressOf(issue).padEnd(6)} ${issue.message[lang]}${place}${alike}`;
  const lines = [wrapText(shown(head), { columns, indent: MESSAGE_INDENT })];
  const advice = issue.suggestion?.[lang].split("\n") ?? [];
  for (const text of [...advice, ...adviseRule(issue, lang)]) {
    const arrow = `${" ".repeat(MESSAGE_INDENT)}→ ${text}`;
    lines.push(wrapText(shown(arrow), { columns, indent: MESSAGE_INDENT + 2 }));
  }
  return `${lines.join("\n")}\n`;
}

/** The rule that resolves a name, and where to find the names if it leaves one out. */
function adviseRule({ rule, list, sameRows = 1 }: ShownIssue, lang: Lang): readonly string[] {
  if (rule === undefined) return [];
  const texts = textsFor(lang);
  const listed = list === undefined ? [] : [texts.listFor(list)];
  return [texts.ruleFor(rule[lang], sameRows === 1), ...listed];
}

/** The cells of further rows with the same issue, each with its value where that differs. */
function listOthers({ value, sameRows = 1, others = [] }: ShownIssue): string {
  const cells = others.map((other) =>
    other.value === value || other.value === ""
      ? addressOf(other)
      : `${addressOf(other)} “${shorten(other.value)}”`,
  );
  return cells.join(", ") + (sameRows > others.length + 1 && cells.length > 0 ? ", …" : "");
}

/** Longer values are shortened in lists. */
const MAX_LISTED_CHARS = 20;

const shorten = (text: string): string =>
  text.length > MAX_LISTED_CHARS ? `${text.slice(0, MAX_LISTED_CHARS - 1).trimEnd()}…` : text;

const addressOf = (issue: LocatedIssue): string => (issue.cell === "" ? rowOf(issue) : issue.cell);

function rowOf({ sheet, row, sheet_row: sheetRow }: LocatedIssue): string {
  if (sheetRow === undefined) return String(row);
  return rowAddress({ sheets: [{ name: sheet, rowsBefore: 0 }] }, sheetRow);
}

interface ResultView {
  /** Width of the output in columns. @default lines are not wrapped */
  readonly columns?: number | undefined;
  /** Counts of the rows that the command was about. @default the whole run */
  readonly decided?: Counts | undefined;
}

/** What a command has done for some rows, before what was done for all rows of the run. */
const PARTS = {
  tr: { now: "Şimdi", inAll: "Toplam", whole: "çalıştırmanın tümü" },
  en: { now: "Now", inAll: "In all", whole: "the whole run" },
} as const;

/** Formats the end of a run in counts and files. */
export function formatResult(
  summary: RunSummary,
  lang: Lang,
  { columns = Infinity, decided }: ResultView = {},
): string {
  const texts = textsFor(lang);
  const { now, inAll, whole } = PARTS[lang];
  const { file_counts: counts = summary.counts } = summary;
  // Rows of which nothing can be sent count as skipped, and are shown separately.
  const classes = { ...counts, skipped: counts.skipped - summary.unsendable.rows };
  const left = describeUnsendable(summary.unsendable, "counted", lang);
  // Rows of a sync are closed as well where a later sync sends what a person has approved.
  const isSync = summary.file_counts !== undefined;
  const words = countedWords(summary.actions, lang);
  const counted = isSync ? { ...words, cancelled: texts.closed } : words;
  const sent = { ...counted, held: (rows: number) => counted.held(rows, summary.stock_sent) };
  const all = [...listCounts(classes, sent), ...left].join(", ") || texts.rows(0);
  const some = decided === undefined ? "" : listCounts(decided, words).join(", ");
  const results =
    some === "" || some === all
      ? [line(texts.result, all, columns)]
      : [line(now, some, columns), line(inAll, `${all} (${whole})`, columns)];
  return [
    "\n",
    ...results,
    line(texts.calls, texts.sent(summary.requests), columns),
    ...formatVerification(summary.verification, texts, columns),
    ...formatFiles(summary.files, texts.files),
  ].join("");
}

function listCounts(counts: Counts, counted: Texts["counted"]): readonly string[] {
  const { rows: _rows, ...classes } = counts;
  return Object.entries(counted).flatMap(([name, textOf]) => {
    const count = new Map<string, number>(Object.entries(classes)).get(name) ?? 0;
    return count > 0 ? [textOf(count)] : [];
  });
}

/** Empty for a run of which nothing was sent. */
function formatVerification(
  counts: RunSummary["verification"],
  texts: Texts,
  columns: number,
): string[] {
  const parts = (["visible", "mismatch", "not_visible", "accepted"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => texts.verified[status](counts[status]));
  return parts.length === 0 ? [] : [line(texts.verification, parts.join(", "), columns)];
}

function formatFiles(files: RunSummary["files"], label: string): string[] {
  const paths = [files.result, files.plan, files.page, files.failed, files.held].filter(
    (path) => path !== null,
  );
  return paths.map((path, index) => line(index === 0 ? label : "", path));
}
