/** One thing wrong with one place in the input: collected, never thrown. */

import type { Lang, Localized } from "@catalog/i18n";

import { type IssueCode, codeOf, type TextKey } from "./codes.ts";
import { TEXTS_EN } from "./texts-en.ts";
import { TEXTS_TR } from "./texts-tr.ts";

/** One fault at one location in the input. Collected, never thrown. */
export interface Issue {
  /** Stable; safe to branch on. The texts are not. */
  readonly code: IssueCode;
  readonly sheet: string;
  /** As the spreadsheet program shows it, from 1. */
  readonly row: number;
  /**
   * The header as it stands in the file, or the field's own header when the file has no such
   * column.
   */
  readonly column: string;
  /** Such as `F12`; empty when the value stands in no cell of the file. */
  readonly cell: string;
  /** The value as it was given, not shortened. */
  readonly value: string;
  readonly message: Localized;
  /** What the user can do about it. */
  readonly suggestion?: Localized | undefined;
}

/** Parameters of the texts, besides the value and the header. */
export type IssueParams = Readonly<Record<string, string | Localized>>;

/** A mistake whose location is not known yet. */
export interface Problem {
  readonly text: TextKey;
  readonly params?: IssueParams | undefined;
  /** The part of the cell that is wrong. @default the whole cell */
  readonly value?: string | undefined;
  /** The value as each language writes it. @default the value */
  readonly shown?: Localized | undefined;
  /** Choices for a person, best first. */
  readonly choices?: readonly string[] | undefined;
}

/** The result of reading a value. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/** The result for a value that was read. */
export function accept<T>(value: T): Reading<T> {
  return { ok: true, value };
}

/** The result for a value that could not be read, with the reason. */
export function refuse(text: TextKey, params?: IssueParams): Reading<never> {
  return { ok: false, problem: { text, params } };
}

/** Location of an issue. */
export type IssueLocation = Pick<Issue, "sheet" | "row" | "column" | "cell" | "value">;

/** Longer values are shortened in messages; `value` keeps them whole. */
const MAX_SHOWN_LENGTH = 60;

const shorten = (text: string): string =>
  text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…`;

/** How an amount is written where its column does not show it. */
const EXAMPLE: Localized = { tr: "1299,90", en: "1299.90" };

/** Makes an issue of a problem: adds its location and its texts. */
export function createIssue(problem: Problem, location: IssueLocation): Issue {
  const value = problem.value ?? location.value;
  const params = {
    example: EXAMPLE,
    ...problem.params,
    value: problem.shown ?? shorten(value),
    header: location.column,
  };
  return {
    code: codeOf(problem.text),
    sheet: location.sheet,
    row: location.row,
    column: location.column,
    cell: location.cell,
    value,
    message: {
      tr: fillIn(TEXTS_TR[problem.text].message, params, "tr") ?? problem.text,
      en: fillIn(TEXTS_EN[problem.text].message, params, "en") ?? problem.text,
    },
    suggestion: suggest(problem.text, params),
  };
}

function suggest(text: TextKey, params: IssueParams): Localized | undefined {
  const tr = fillIn(TEXTS_TR[text].suggestion, params, "tr");
  const en = fillIn(TEXTS_EN[text].suggestion, params, "en");
  return tr === undefined || en === undefined ? undefined : { tr, en };
}

/**
 * Fills the parameters into a template; `undefined` where there is no template or a parameter is
 * missing.
 */
function fillIn(
  template: string | undefined,
  params: IssueParams,
  language: Lang,
): string | undefined {
  let missing = template === undefined;
  const filled = template?.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const param = params[name];
    const text = typeof param === "string" ? param : param?.[language];
    missing ||= text === undefined || (text === "" && name !== "value");
    return text ?? "";
  });
  return missing ? undefined : filled;
}
