/** Formats the evidence of one row as text and as data, without side effects. */

import { fieldLabel } from "@catalog/connection";
import { EXIT, type Flags, printJson, type TextView, UsageError, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, type Lang } from "@catalog/i18n";
import { findRowUndo, readWholeRun, type RowUndo } from "@catalog/importer";
import { createReadFieldTexts, issuesOf, markAssumed } from "@catalog/report";
import {
  atRecord,
  locateIssue,
  locateRow,
  parseRowAddress,
  rowAddress,
  type RowEvent,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

import type { CommandContext } from "../../context.ts";
import { runFlag } from "../../flags.ts";
import { findHeldFile, nameHeldFile } from "../../problems.ts";
import { formatIssue } from "../../report-texts.ts";
import { adviseOn, describeCause, describeState, EXPLAIN_TEXTS, STATE_TEXTS } from "./texts.ts";

interface RowEvidence {
  readonly run: RunRecord;
  readonly record: RowRecord;
  readonly events: readonly RowEvent[];
  /** Path of the workbook of held rows for advice; `null` where it is not there. */
  readonly held: string | null;
  /** How its values are shown. */
  readonly texts: Awaited<ReturnType<ReturnType<typeof createReadFieldTexts>>>;
  /** The undo of the row. @default it was not undone */
  readonly undo?: RowUndo | undefined;
}

const LABEL_WIDTH = 12;
const CELL_WIDTH = 20;
/** Column in which the text of an event begins, after its time. */
const EVENT_INDENT = 12;

/** Creates the document of `--json`. */
export function toExplanation(
  { run, record, events, undo }: RowEvidence,
  lang: Lang,
): Readonly<Record<string, unknown>> {
  const { row, code, state, action, productId, payload, changes, attempts } = record;
  return {
    command: "explain",
    run: run.id,
    exit: EXIT.done,
    row,
    ...toSheetRow(run, row),
    code,
    state,
    action,
    product_id: productId,
    attempts,
    cells: run.file.header.map((column, index) => ({ column, value: record.cells[index] ?? null })),
    payload,
    changes,
    issues: issuesOf(run, record).map((issue) =>
      atRecord(locateIssue(run.file, issue, run.id), record),
    ),
    events: events.map(({ atMs, from, to, cause, evidence }) => ({
      at: new Date(atMs).toISOString(),
      from,
      to,
      cause,
      message: describeCause(cause)[lang],
      evidence,
    })),
    ...(undo && { undone_by: toUndoneBy(undo) }),
    next: adviseOn(record, run)[lang],
  };
}

const toUndoneBy = (undo: RowUndo): Readonly<Record<string, unknown>> => ({
  run: undo.run.id,
  at: new Date(undo.run.createdAtMs).toISOString(),
  fields: toFields(undo),
});

const toFields = ({ record }: RowUndo): readonly string[] =>
  record.changes.map(({ field }) => field);

/** The row in its sheet; empty for a file with one sheet. */
function toSheetRow({ file }: RunRecord, row: number): Readonly<Record<string, unknown>> {
  const located = locateRow(file, row);
  return located === undefined ? {} : { sheet: located.sheet, sheet_row: located.row };
}

/** Formats the evidence for people, in lines that fit the output where words allow it. */
export function formatExplanation(evidence: RowEvidence, lang: Lang, view: TextView): string {
  const { shown = String, outColumns: columns = Infinity } = view;
  const { run, record, events, held, undo } = evidence;
  const words = EXPLAIN_TEXTS[lang];
  const line = (label: string, text: string): string =>
    `${wrapText(`${label.padEnd(LABEL_WIDTH)}${shown(text)}`, { columns, indent: LABEL_WIDTH })}\n`;
  const { row, code, productId } = record;
  const problems = issuesOf(run, record)
    .map((issue) =>
      formatIssue(
        nameHeldFile(atRecord(locateIssue(run.file, issue, run.id), record), held),
        lang,
        view,
      ),
    )
    .join("");
  return [
    line(words.run, `${run.id} · ${run.file.name}`),
    line(words.row, [rowAddress(run.file, row), code].filter((part) => part !== null).join(" · ")),
    line(words.state, describeState(record)[lang]),
    undo === undefined ? "" : line(words.undo, formatUndo(undo, lang)),
    productId === null ? "" : line(words.product, productId),
    `\n${words.cells}\n`,
    ...formatCells(evidence, columns),
    `\n${words.plan}\n`,
    ...formatPlanned(evidence, lang, columns),
    `\n${words.events}\n`,
    ...events.map((event) => formatEvent(event, lang, columns)),
    problems === "" ? "" : `\n${words.problems}\n${problems}`,
    `\n${line(words.next, adviseOn(record, run)[lang])}`,
  ].join("");
}

function formatUndo(undo: RowUndo, lang: Lang): string {
  const { createdAtMs, id } = undo.run;
  const time = formatDateTime(createdAtMs, lang, { dateStyle: "short", timeStyle: "short" });
  const fields = toFields(undo).map((field) => fieldLabel(field, lang));
  return `${EXPLAIN_TEXTS[lang].undone(time, id)}: ${fields.join(", ")}`;
}

function formatCells({ run, record }: RowEvidence, columns: number): readonly string[] {
  return run.file.header.flatMap((header, index) => {
    const value = record.cells[index] ?? null;
    return value === null ? [] : [formatPair(header, String(value), columns)];
  });
}

function formatPlanned(
  { record, texts }: RowEvidence,
  lang: Lang,
  columns: number,
): readonly string[] {
  const words = EXPLAIN_TEXTS[lang];
  const { action, changes, payload } = record;
  if (action === null) return [`  ${words.nothing}\n`];
  const pairs =
    action !== "add"
      ? changes.map((change): [string, string] => {
          const { field, old, new: wanted } = change;
          const after = markAssumed(texts.sent(record, field, wanted, lang), change, lang);
          return [field, `${texts.replaced(record, field, old, lang)} → ${after}`];
        })
      : Object.entries(payload ?? {}).map(([field, value]): [string, string] => [
          field,
          texts.sent(record, field, value, lang),
        ]);
  return [
    `  ${words.actions[action]}\n`,
    ...pairs.map(([field, text]) => formatPair(fieldLabel(field, lang), text, columns)),
  ];
}

function formatEvent(
  { atMs, from, to, cause, evidence }: RowEvent,
  lang: Lang,
  columns: number,
): string {
  const time = formatDateTime(atMs, lang, { timeStyle: "medium" });
  const move = from === to ? "" : ` (${STATE_TEXTS[from][lang]} → ${STATE_TEXTS[to][lang]})`;
  const head = `  ${time}  ${describeCause(cause)[lang]}${move}`;
  const details = formatEvidence(evidence, lang);
  const lines = [wrapText(head, { columns, indent: EVENT_INDENT })];
  if (details !== "") {
    lines.push(wrapText(" ".repeat(EVENT_INDENT) + details, { columns, indent: EVENT_INDENT }));
  }
  return `${lines.join("\n")}\n`;
}

/** Formats the parts of the evidence that help people; `--json` has all of it. */
function formatEvidence(evidence: RowEvent["evidence"], lang: Lang): string {
  return Object.entries(EXPLAIN_TEXTS[lang].evidence)
    .flatMap(([name, word]) => {
      const value = evidence[name];
      if (value === undefined || value === null) return [];
      if (Array.isArray(value) && value.length === 0) return [];
      return [`${word}: ${formatFact(name, value, lang)}`];
    })
    .join("; ");
}

function formatFact(name: string, value: unknown, lang: Lang): string {
  if (name === "serverMs" && typeof value === "number") {
    return formatDateTime(value, lang, { dateStyle: "short", timeStyle: "medium" });
  }
  const phases: Readonly<Record<string, string>> = EXPLAIN_TEXTS[lang].phases;
  if (name === "phase" && typeof value === "string") return phases[value] ?? value;
  return toText(value);
}

const formatPair = (name: string, text: string, columns: number): string =>
  `${wrapText(`  ${name.padEnd(CELL_WIDTH)} ${text}`, { columns, indent: CELL_WIDTH + 3 })}\n`;

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `catalog explain RUN ROW`: shows the evidence of one row. Makes no call and takes no lock. */
export async function runExplainCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using connection = await context.openConnection();
  const run = await readWholeRun(connection, runFlag(flags));
  const row = readRow(readFlag.text(flags, "row") ?? "", run);
  const [record] = await connection.journal.readRows(run.id, { after: row - 1, limit: 1 });
  if (record?.row !== row) throw noSuchRow(run, row);
  const events = await connection.journal.readEvents({ runId: run.id, row });
  const texts = await createReadFieldTexts(connection, run)(record, { showsIds: true });
  const undo = await findRowUndo(connection, run, row);
  const evidence = { run, record, events, held: findHeldFile(context, run), texts, undo };
  const { lang, terminal } = context;
  if (context.json) printJson(context.terminal, toExplanation(evidence, lang));
  else terminal.out(formatExplanation(evidence, lang, terminal));
  return EXIT.done;
}

function readRow(text: string, { file }: RunRecord): number {
  const row = parseRowAddress(file, text);
  if (row !== undefined) return row;
  const sheet = file.sheets?.[1]?.name;
  const inSheet = {
    tr: sheet === undefined ? "" : `, birden çok sayfada sayfasıyla: ${sheet}!7`,
    en: sheet === undefined ? "" : `, with its sheet where there are several: ${sheet}!7`,
  };
  throw new UsageError({
    tr: `"${text}" bir satır numarası değil. Excel'in satırın yanında gösterdiği sayıyı verin${inSheet.tr}.`,
    en: `"${text}" is no row number. Give the number that Excel shows beside the row${inSheet.en}.`,
  });
}

function noSuchRow({ id, file }: RunRecord, row: number): UsageError {
  const named = rowAddress(file, row);
  return new UsageError({
    tr: `"${id}" çalıştırmasında ${named}. satır yok.`,
    en: `Run "${id}" has no row ${named}.`,
  });
}
