/**
 * Sheets whose rows do something: answers to questions, decisions on packages, shipping codes. They
 * are the exports of the same things with a column or two filled in.
 */

import { type ExportHeader, listHeaders } from "@catalog/exporter";
import type { Localized } from "@catalog/i18n";
import {
  columnLetter,
  createKeywordReader,
  headerKey,
  isClearKeyword,
  trimText,
  VALUE_KEYWORDS,
} from "@catalog/mapping";
import {
  type ActionCandidate,
  type ActionName,
  type IssueLocation,
  type RowIssue,
  type RowRecord,
  subjectKey,
} from "@catalog/runs";

import { type ActionIssueCode, toActionIssue } from "./action-issues.ts";
import {
  type TemplateCells,
  type TemplateReading,
  templateSubject,
  toTemplateCandidate,
} from "./template-sheet.ts";

/** Kinds of such sheets. */
export type ActionSheetKind = "answers" | "packages" | "codes" | "templates";

/** What the sheet of a kind is made of. */
interface SheetRules {
  /** The export that it comes from. */
  readonly exports: "questions" | "orders" | "templates";
  /** Column that names the subject. */
  readonly subject: string;
  /** Columns without which nothing can be done. */
  readonly required: readonly string[];
}

const RULES: Readonly<Record<ActionSheetKind, SheetRules>> = {
  answers: { exports: "questions", subject: "question_id", required: ["question_id", "answer"] },
  packages: { exports: "orders", subject: "package_id", required: ["package_id"] },
  codes: { exports: "orders", subject: "package_id", required: ["package_id"] },
  templates: {
    exports: "templates",
    subject: "shipping_template_id",
    required: ["template_name"],
  },
};

/** The columns of a sheet, by their key. */
export type SheetColumns = ReadonlyMap<string, number>;

/** Headers of the sheets of a kind, by which their header row is found. */
export const listSheetHeaders = (kind: ActionSheetKind): readonly string[] =>
  listHeaders(RULES[kind].exports).flatMap(({ header }) => [header.tr, header.en]);

/** The columns that a header row has, and the required ones that it lacks. */
export function findSheetColumns(
  kind: ActionSheetKind,
  header: readonly string[],
): { readonly columns: SheetColumns; readonly missing: readonly ExportHeader[] } {
  const known = listHeaders(RULES[kind].exports);
  const columns = new Map<string, number>();
  for (const [index, text] of header.entries()) {
    const key = headerKey(text);
    const found = known.find(({ header: of, key: own, formerKey }) =>
      [of.tr, of.en, own, formerKey].some((name) => name !== undefined && headerKey(name) === key),
    );
    if (found !== undefined && !columns.has(found.key)) columns.set(found.key, index);
  }
  const missing = known.filter(
    ({ key }) => RULES[kind].required.includes(key) && !columns.has(key),
  );
  return { columns, missing };
}

/** Kinds that the headers of a sheet tell apart: codes are asked for in the sheet of packages. */
export type HeaderKind = Exclude<ActionSheetKind, "codes">;

/** The kind of sheet that a header row is of, by its column of subjects. */
export function findSheetKind(header: readonly string[]): HeaderKind | undefined {
  return (["answers", "packages", "templates"] as const).find((kind) => {
    const { columns, missing } = findSheetColumns(kind, header);
    // Products name their template by the same id.
    const isWhole = kind !== "templates" || missing.length === 0;
    return isWhole && columns.has(RULES[kind].subject);
  });
}

/** The header of the column that names the subjects of a sheet. */
export const subjectHeader = (kind: ActionSheetKind): Localized =>
  headerOf(RULES[kind].exports, RULES[kind].subject).header;

/** A column of orders. */
export const orderHeader = (key: "action" | "reason" | "shipping_company"): ExportHeader =>
  headerOf("orders", key);

function headerOf(kind: SheetRules["exports"], key: string): ExportHeader {
  const found = listHeaders(kind).find((column) => column.key === key);
  if (found === undefined) throw new Error(`exports of ${kind} have no column ${key}`);
  return found;
}

/** A shipping company that a code may be asked of. */
export interface CodeCompany {
  readonly id: string;
  readonly name: string;
}

/** How the rows of a sheet are read. */
export interface ActionReading {
  readonly kind: ActionSheetKind;
  readonly columns: SheetColumns;
  /** The sheet's name, for issues. */
  readonly sheet: string;
  /** Headers as in the file. */
  readonly header: readonly string[];
  /** The only action that is done; rows that ask for another one are left. @default each row's own */
  readonly only?: ActionName | undefined;
  /** Companies that codes are asked of. @default none is known */
  readonly companies?: readonly CodeCompany[] | undefined;
  /** What templates are compared with. @default the sheet has none */
  readonly templates?: TemplateReading | undefined;
  /** The company of every package without a code. @default each row's own */
  readonly company?: CodeCompany | undefined;
  /** Reason of rows that give none. @default such rows are refused */
  readonly reason?: string | undefined;
  /** Reasons that rows of a package give, where it has several rows. @default each row its own */
  readonly reasons?: ReadonlyMap<string, string> | undefined;
}

type Row = Pick<RowRecord, "row" | "cells" | "traits">;

/** Reads the subject of a row; `null` where it names none. */
export const readSubject = (
  { kind, columns }: Pick<ActionReading, "kind" | "columns">,
  row: Row,
): string | null => {
  if (kind !== "templates") return textOf(row, columns.get(RULES[kind].subject)) || null;
  return templateSubject({ text: (key) => textOf(row, columns.get(key)) }) || null;
};

const PACKAGE_ACTIONS = createKeywordReader(VALUE_KEYWORDS.package_action);

/** Converts a row to what it asks for. */
export function toActionCandidate(reading: ActionReading, row: Row): ActionCandidate {
  const sheetRow = openRow(reading, row);
  if (reading.kind === "templates") {
    if (reading.templates === undefined) throw new Error("the templates were not read");
    return toTemplateCandidate(reading.templates, toTemplateCells(reading, row));
  }
  const subject = readSubject(reading, row);
  const asked = READERS[reading.kind](sheetRow, reading);
  const { subject: subjectColumn } = RULES[reading.kind];
  const lacksSubject = subject === null && asked.action !== null;
  return {
    ...asked,
    row: row.row,
    subject,
    codeKey: subject === null || asked.action === null ? null : subjectKey(asked.action, subject),
    issues: lacksSubject
      ? [...asked.issues, sheetRow.issue("E_ACTION_NO_SUBJECT", subjectColumn)]
      : asked.issues,
    location: locate(reading, row, subjectColumn),
  };
}

type Asked = Pick<ActionCandidate, "action" | "call" | "wanted" | "issues">;

const NOTHING: Asked = { action: null, call: null, wanted: {}, issues: [] };

/** What rows ask for, counted before they are planned. */
export interface SheetSurvey {
  readonly rows: number;
  /** Rows that ask for what is wanted, or for something that is not understood. */
  readonly asking: number;
  /** Rows that ask for another action, by it. */
  readonly others: ReadonlyMap<ActionName, number>;
  /** The reason of each package and action that has one; `""` where its rows give several. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Reads all rows once. */
export async function surveySheet(
  reading: ActionReading,
  rows: AsyncIterable<Row>,
): Promise<SheetSurvey> {
  const others = new Map<ActionName, number>();
  const reasons = new Map<string, string>();
  let [count, asking] = [0, 0];
  for await (const row of rows) {
    if (row.cells.every((cell) => cell === null || cell === "")) continue;
    count += 1;
    // Templates are compared with those of the store, once all rows are known.
    if (reading.kind === "templates") continue;
    const { action } = toActionCandidate(reading, row);
    if (action !== null) asking += 1;
    const other = findOther(reading, row);
    if (other !== undefined) others.set(other, (others.get(other) ?? 0) + 1);
    const reason = reading.kind === "packages" ? textOf(row, reading.columns.get("reason")) : "";
    const key = reasonKey(readSubject(reading, row), action);
    if (reason !== "" && key !== undefined) {
      reasons.set(key, (reasons.get(key) ?? reason) === reason ? reason : "");
    }
  }
  return { rows: count, asking, others, reasons };
}

const reasonKey = (subject: string | null, action: ActionName | null): string | undefined =>
  subject === null || action === null ? undefined : `${action} ${subject}`;

/** The action that a row asks for and that is left for another command. */
function findOther({ kind, columns, only }: ActionReading, row: Row): ActionName | undefined {
  if (kind !== "packages" || only === undefined) return undefined;
  const asked = PACKAGE_ACTIONS.find(textOf(row, columns.get("action")));
  return asked === only ? undefined : asked;
}

/** A row with its cells by column, and its issues. */
interface SheetRow {
  readonly subject: string | null;
  text(key: string): string;
  /** A text that people will read, and what is wrong with its cell. */
  words(key: string): { readonly text: string; readonly issues: readonly RowIssue[] };
  issue(code: ActionIssueCode, key: string, detail?: string): RowIssue;
}

function openRow(reading: ActionReading, row: Row): SheetRow {
  const { columns } = reading;
  const issue = (code: ActionIssueCode, key: string, detail?: string): RowIssue =>
    toActionIssue(code, locate(reading, row, key), detail);
  return {
    subject: readSubject(reading, row),
    text: (key) => textOf(row, columns.get(key)),
    words(key) {
      const text = toLineFeeds(textOf(row, columns.get(key)));
      const codes = judgeWords(row, columns.get(key), text);
      return { text, issues: codes.map((code) => issue(code, key, String(MAX_CHARS))) };
    },
    issue,
  };
}

function locate({ columns, sheet, header }: ActionReading, row: Row, key: string): IssueLocation {
  const index = columns.get(key);
  return {
    sheet,
    row: row.row,
    column: header[index ?? -1] ?? "",
    cell: index === undefined ? "" : `${columnLetter(index)}${row.row}`,
    value: textOf(row, index),
  };
}

/** The cells of a row of templates. */
export const toTemplateCells = (reading: ActionReading, row: Row): TemplateCells => ({
  ...openRow(reading, row),
  location: (key) => locate(reading, row, key),
  row: row.row,
});

const textOf = ({ cells }: Row, index: number | undefined): string => {
  const value = index === undefined ? null : (cells[index] ?? null);
  return value === null ? "" : trimText(String(value));
};

/** A longer text is refused; the specification states no limit (sections Orders, Questions). */
const MAX_CHARS = 10_000;

/** What Excel shows in place of a value, as a CSV file of it has it. */
const ERROR_TEXT =
  /^#(?:N\/A|YOK|REF!|BAŞV!|VALUE!|DEĞER!|DIV\/0!|SAYI\/0!|NAME\?|AD\?|NUM!|SAYI!|NULL!|BOŞ!)$/iu;

/** What is wrong with a text that people will read. */
function judgeWords(row: Row, index: number | undefined, text: string): readonly ActionIssueCode[] {
  const value = row.cells[index ?? -1] ?? null;
  const broken = judgeCell(value, row.traits?.[index ?? -1]);
  if (broken !== undefined) return [broken];
  if (text === "" || typeof value !== "string") return [];
  if (ERROR_TEXT.test(text)) return ["E_ACTION_ERROR"];
  if (isClearKeyword(text)) return ["E_ACTION_CLEAR"];
  if (Array.from(text).length > MAX_CHARS) return ["E_ACTION_TOO_LONG"];
  return toLineFeeds(value) === text ? [] : ["W_ACTION_TRIMMED"];
}

const toLineFeeds = (text: string): string => text.replaceAll(/\r\n?/gu, "\n");

/** A cell that is no text that somebody has written. */
function judgeCell(
  value: RowRecord["cells"][number],
  trait: NonNullable<Row["traits"]>[number] | undefined,
): ActionIssueCode | undefined {
  if (trait === "error" || (trait === "formula" && value === null)) return "E_ACTION_ERROR";
  if (value === null || value === "") return undefined;
  if (trait === "formula") return "E_ACTION_FORMULA";
  return trait === "date" || typeof value !== "string" ? "E_ACTION_NOT_TEXT" : undefined;
}

const READERS: Readonly<
  Record<Exclude<ActionSheetKind, "templates">, (row: SheetRow, reading: ActionReading) => Asked>
> = {
  answers: readAnswer,
  packages: readDecision,
  codes: readCode,
};

function readAnswer(row: SheetRow): Asked {
  const { text: message, issues } = row.words("answer");
  const title = row.words("answer_title");
  if (message === "" && issues.length === 0) {
    const isAlone = title.text !== "";
    return isAlone
      ? { ...NOTHING, issues: [row.issue("W_ACTION_TITLE_ALONE", "answer_title")] }
      : NOTHING;
  }
  return {
    action: "reply",
    call: {
      product_question_id: row.subject,
      ...(title.text !== "" && { title: title.text }),
      message,
    },
    wanted: { answer: message },
    issues: [...issues, ...title.issues],
  };
}

/** The field in which each decision is given its reason; accepting takes none. */
const REASON_FIELDS = {
  accept: undefined,
  postpone: "reason",
  "accept-return": "message",
  "reject-return": "reason",
} as const;

function readDecision(row: SheetRow, reading: ActionReading): Asked {
  const { only, columns } = reading;
  const word = row.text("action");
  const isOwn = columns.has("action");
  // A list without the column is one of packages that all get the same.
  const action = isOwn ? PACKAGE_ACTIONS.find(word) : toDecision(only);
  if (isOwn && word === "") return NOTHING;
  if (action === undefined) {
    return { ...NOTHING, action: "accept", issues: [row.issue("E_ACTION_WORD", "action")] };
  }
  if (only !== undefined && action !== only) return NOTHING;
  const field = REASON_FIELDS[action];
  const { reason, issues } =
    field === undefined ? { reason: "", issues: [] } : readReason(row, action, reading);
  return {
    action,
    call: { package_id: row.subject, ...(field !== undefined && { [field]: reason }) },
    wanted: { status: undefined },
    issues,
  };
}

/** The row's own reason, that of another row of the package, or the one for all rows. */
function readReason(row: SheetRow, action: ActionName, { reasons, reason: given }: ActionReading) {
  const own = row.words("reason");
  const shared = reasons?.get(reasonKey(row.subject, action) ?? "");
  const reason = [own.text, shared, given].find((text) => text !== undefined && text !== "") ?? "";
  const isMissing = reason === "" && own.issues.length === 0;
  const issues = isMissing ? [row.issue("E_ACTION_REASON", "reason")] : own.issues;
  return { reason, issues };
}

const toDecision = (only: ActionName | undefined): keyof typeof REASON_FIELDS | undefined =>
  VALUE_KEYWORDS.package_action.find(({ value }) => value === only)?.value;

/** Finds a company by its id or name; `undefined` where none or several have the name. */
export function findCompany(
  companies: readonly CodeCompany[],
  name: string,
): CodeCompany | undefined {
  const key = headerKey(name);
  const found = companies.filter((one) => one.id === name || headerKey(one.name) === key);
  return found.length === 1 ? found[0] : undefined;
}

function readCode(row: SheetRow, { companies = [], company }: ActionReading): Asked {
  // A package that has its code needs none.
  if (row.text("shipping_code") !== "") return NOTHING;
  // The row's own company counts where none is named for all, and was perhaps never touched.
  const name = row.text("shipping_company");
  if (name === "" && company === undefined) return NOTHING;
  const found = company ?? findCompany(companies, name);
  const names = companies.map((one) => one.name).join(", ");
  return {
    action: "shipping-code",
    call: { package_id: row.subject, company_id: found?.id ?? "" },
    wanted: {
      shipping_code: undefined,
      shipping_company: company === undefined ? found?.name : undefined,
    },
    issues: found === undefined ? [row.issue("E_ACTION_COMPANY", "shipping_company", names)] : [],
  };
}
