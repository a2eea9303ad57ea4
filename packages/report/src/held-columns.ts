/** The columns that `held.xlsx` adds to the input, and how an import finds them again. */

import type { Lang, Localized } from "@catalog/i18n";
import { guardOf, type RowRecord } from "@catalog/runs";

import { RESULT_TEXTS } from "./result-texts.ts";

/** What each added column is for. */
export type HeldColumn =
  | "approve"
  | "name"
  | "old"
  | "new"
  | "percent"
  | "guard"
  | "reason"
  | "place"
  | "key"
  | "record";

export const HELD_HEADERS: Readonly<Record<HeldColumn, Localized>> = {
  approve: { tr: "Onay", en: "Approve" },
  name: { tr: "Mağazadaki Ürün", en: "Product in Store" },
  old: { tr: "Eski Değer", en: "Old Value" },
  new: { tr: "Yeni Değer", en: "New Value" },
  percent: { tr: "Değişim (%)", en: "Change (%)" },
  guard: { tr: "Koruma", en: "Guard" },
  reason: { tr: "Neden", en: "Reason" },
  place: { tr: RESULT_TEXTS.tr.columns.place, en: RESULT_TEXTS.en.columns.place },
  key: { tr: "Bekleyen Satır", en: "Held Row" },
  record: { tr: RESULT_TEXTS.tr.columns.record, en: RESULT_TEXTS.en.columns.record },
};

/** Words that a cell offers for a person's decision; an import reads their first letters as well. */
export const APPROVE_TEXTS: Readonly<Record<Lang, readonly [yes: string, no: string]>> = {
  tr: ["Evet", "Hayır"],
  en: ["Yes", "No"],
};

const ALL_HEADERS: ReadonlySet<string> = new Set(
  Object.values(HELD_HEADERS).flatMap(({ tr, en }) => [tr, en]),
);
const { key: KEY, approve: APPROVE } = HELD_HEADERS;

/**
 * Indexes of the file's own columns: those that are added to a held file are written anew where such
 * a file is imported. Any other file may have columns of the same names.
 */
export function ownColumns(header: readonly string[]): readonly number[] {
  const isHeldFile = [KEY, APPROVE].every(
    ({ tr, en }) => header.includes(tr) || header.includes(en),
  );
  return [...header.keys()].filter((index) => !isHeldFile || !ALL_HEADERS.has(header[index] ?? ""));
}

/** Whether a row is held for its values or its code, which the file shows to the person. */
export const isForApproval = ({ issues }: Pick<RowRecord, "issues">): boolean =>
  issues.some((issue) => guardOf(issue) !== undefined || APPROVED_CODES.has(issue.code));

const APPROVED_CODES: ReadonlySet<string> = new Set(["E_CHANGED", "E_CODE_SUSPECT"]);

/** Key of a row of a run, such as `r-261121-0930-4f2a#7`. */
export const toHeldKey = (runId: string, row: number): string => `${runId}#${row}`;

/** The run and the row that a key names; `undefined` for any other text. */
export function parseHeldKey(
  text: string,
): { readonly runId: string; readonly row: number } | undefined {
  const match = /^(?<runId>\S+)#(?<row>[1-9]\d{0,9})$/u.exec(text.trim());
  const { runId, row } = match?.groups ?? {};
  return runId === undefined || row === undefined ? undefined : { runId, row: Number(row) };
}
