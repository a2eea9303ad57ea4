/** The columns that `held.xlsx` adds to the input, and how an import finds them again. */

import type { Lang, Localized } from "@catalog/i18n";

import { RESULT_TEXTS } from "./result-texts.ts";

/** What each added column is for, in the order of the file. */
export type HeldColumn =
  | "key"
  | "old"
  | "new"
  | "percent"
  | "guard"
  | "reason"
  | "record"
  | "approve";

export const HELD_HEADERS: Readonly<Record<HeldColumn, Localized>> = {
  key: { tr: "Bekleyen Satır", en: "Held Row" },
  old: { tr: "Eski Değer", en: "Old Value" },
  new: { tr: "Yeni Değer", en: "New Value" },
  percent: { tr: "Değişim (%)", en: "Change (%)" },
  guard: { tr: "Koruma", en: "Guard" },
  reason: { tr: "Neden", en: "Reason" },
  record: { tr: RESULT_TEXTS.tr.columns.record, en: RESULT_TEXTS.en.columns.record },
  approve: { tr: "Onay", en: "Approve" },
};

/** Words that a cell offers for a person's decision; an import reads synonyms as well. */
export const APPROVE_TEXTS: Readonly<Record<Lang, readonly string[]>> = {
  tr: ["Evet", "Hayır"],
  en: ["Yes", "No"],
};

const ALL_HEADERS: ReadonlySet<string> = new Set(
  Object.values(HELD_HEADERS).flatMap(({ tr, en }) => [tr, en]),
);

/**
 * Indexes of the file's own columns: a held file that is imported unchanged has the added columns
 * at its end, and they are written anew.
 */
export function ownColumns(header: readonly string[]): readonly number[] {
  const first = header.findIndex(
    (text) => text === HELD_HEADERS.key.tr || text === HELD_HEADERS.key.en,
  );
  const isOurs = first >= 0 && header.slice(first).every((text) => ALL_HEADERS.has(text));
  return [...header.keys()].slice(0, isOurs ? first : header.length);
}

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
