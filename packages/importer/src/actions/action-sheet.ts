/**
 * Sheets whose rows do something: answers to questions, decisions on packages, shipping codes. They
 * are the exports of the same things with a column or two filled in.
 */

import { type ExportHeader, listHeaders } from "@catalog/exporter";
import {
  columnLetter,
  createKeywordReader,
  headerKey,
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
  codes: {
    exports: "orders",
    subject: "package_id",
    required: ["package_id", "shipping_company"],
  },
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
}

type Row = Pick<RowRecord, "row" | "cells">;

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
    location: sheetRow.location(subjectColumn),
  };
}

type Asked = Pick<ActionCandidate, "action" | "call" | "wanted" | "issues">;

const NOTHING: Asked = { action: null, call: null, wanted: {}, issues: [] };

/** A row with its cells by column, and its issues. */
interface SheetRow {
  readonly subject: string | null;
  text(key: string): string;
  location(key: string): IssueLocation;
  issue(code: ActionIssueCode, key: string, detail?: string): RowIssue;
}

function openRow(reading: ActionReading, row: Row): SheetRow {
  const { columns, sheet, header } = reading;
  const location = (key: string): IssueLocation => {
    const index = columns.get(key);
    const at = index ?? -1;
    return {
      sheet,
      row: row.row,
      column: header[at] ?? "",
      cell: index === undefined ? "" : `${columnLetter(index)}${row.row}`,
      value: textOf(row, index),
    };
  };
  return {
    subject: readSubject(reading, row),
    text: (key) => textOf(row, columns.get(key)),
    location,
    issue: (code, key, detail) => toActionIssue(code, location(key), detail),
  };
}

/** The cells of a row of templates. */
export const toTemplateCells = (reading: ActionReading, row: Row): TemplateCells => ({
  ...openRow(reading, row),
  row: row.row,
});

const textOf = ({ cells }: Row, index: number | undefined): string => {
  const value = index === undefined ? null : (cells[index] ?? null);
  return value === null ? "" : trimText(String(value));
};

const READERS: Readonly<
  Record<Exclude<ActionSheetKind, "templates">, (row: SheetRow, reading: ActionReading) => Asked>
> = {
  answers: readAnswer,
  packages: readDecision,
  codes: readCode,
};

/** A reply that is longer is refused; the specification states no limit (section Questions). */
const MAX_ANSWER_CHARS = 10_000;

function readAnswer(row: SheetRow): Asked {
  const message = row.text("answer");
  if (message === "") return NOTHING;
  const title = row.text("answer_title");
  const isTooLong = message.length > MAX_ANSWER_CHARS;
  return {
    action: "reply",
    call: {
      product_question_id: row.subject,
      ...(title !== "" && { title }),
      message,
    },
    wanted: { answer: message },
    issues: isTooLong ? [row.issue("E_ACTION_TOO_LONG", "answer", String(MAX_ANSWER_CHARS))] : [],
  };
}

/** The field in which each decision is given its reason; accepting takes none. */
const REASON_FIELDS = {
  accept: undefined,
  postpone: "reason",
  "accept-return": "message",
  "reject-return": "reason",
} as const;

function readDecision(row: SheetRow, { only, columns }: ActionReading): Asked {
  const word = row.text("action");
  const isOwn = columns.has("action");
  // A list without the column is one of packages that all get the same.
  const action = isOwn ? PACKAGE_ACTIONS.find(word) : toDecision(only);
  if (isOwn && word === "") return NOTHING;
  if (action === undefined) {
    return { ...NOTHING, action: "accept", issues: [row.issue("E_ACTION_WORD", "action")] };
  }
  if (only !== undefined && action !== only) return NOTHING;
  const reason = row.text("reason");
  const field = REASON_FIELDS[action];
  const isMissing = field !== undefined && reason === "";
  return {
    action,
    call: { package_id: row.subject, ...(field !== undefined && { [field]: reason }) },
    wanted: { status: undefined },
    issues: isMissing ? [row.issue("E_ACTION_REASON", "reason")] : [],
  };
}

const toDecision = (only: ActionName | undefined): keyof typeof REASON_FIELDS | undefined =>
  VALUE_KEYWORDS.package_action.find(({ value }) => value === only)?.value;

function readCode(row: SheetRow, { companies = [] }: ActionReading): Asked {
  const name = row.text("shipping_company");
  // A package that has its code needs none.
  if (name === "" || row.text("shipping_code") !== "") return NOTHING;
  const key = headerKey(name);
  const found = companies.filter((one) => one.id === name || headerKey(one.name) === key);
  const [company, ...others] = found;
  const isOne = company !== undefined && others.length === 0;
  return {
    action: "shipping-code",
    call: { package_id: row.subject, company_id: company?.id ?? "" },
    wanted: { shipping_code: undefined },
    issues: isOne
      ? []
      : [
          row.issue(
            "E_ACTION_COMPANY",
            "shipping_company",
            companies.map((one) => one.name).join(", "),
          ),
        ],
  };
}
