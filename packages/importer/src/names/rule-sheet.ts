/** Reads sheets of rules, and those of open names, which have suggestions beside each rule. */

import { InputError, type Lang, type Localized } from "@catalog/i18n";
import { fold, trimText } from "@catalog/mapping";
import { openSheet, type OpenSheetOptions, type OutCell } from "@catalog/sheets";

import { type SheetProblem, toSheetError } from "../file/sheet-problems.ts";

/** Headers of a sheet of rules, in the order of its columns. */
export const RULE_HEADERS: Readonly<Record<Lang, readonly [string, string, string, string]>> = {
  tr: ["Alan", "Dosyadaki Değer", "Karşılığı", "ID"],
  en: ["Field", "Value in File", "Meaning", "ID"],
};

/** Headers of the suggestions in a sheet of open names, the best one first. */
export const SUGGESTION_HEADERS: Readonly<Record<Lang, readonly [string, string, string]>> = {
  tr: ["Öneri 1", "Öneri 2", "Öneri 3"],
  en: ["Suggestion 1", "Suggestion 2", "Suggestion 3"],
};

/** One row of a sheet of rules as a person filled it in. */
export interface NamedRow {
  readonly row: number;
  readonly field: string;
  readonly value: string;
  /** Empty where the row stays open. */
  readonly target: string;
  readonly targetId: string | null;
  /** By their numbers; empty where the row has none, `undefined` where the sheet lacks the column. */
  readonly suggestions: readonly (string | undefined)[];
  /** Indexes of the columns, for messages; -1 for a missing one. */
  readonly columns: RuleColumns;
}

/** Reads the rows of a sheet of rules or of open names. */
export async function readNameRows(file: OpenSheetOptions): Promise<readonly NamedRow[]> {
  await using sheet = await openSheet({ ...file, countKnownHeaders });
  const columns = findRuleColumns(sheet.header.cells);
  const places = findSuggestions(sheet.header.cells);
  const rows: NamedRow[] = [];
  for await (const { row, cells } of sheet.rows()) {
    const text = (index: number): string => trimText(String(cells[index] ?? ""));
    const targetId = text(columns.id) === "" ? null : text(columns.id);
    rows.push({
      row,
      field: text(columns.field),
      value: text(columns.value),
      target: text(columns.target),
      targetId,
      suggestions: places.map((at) => (at < 0 ? undefined : text(at))),
      columns,
    });
  }
  return rows;
}

type RuleColumns = Readonly<Record<"field" | "value" | "target" | "id", number>>;

const countKnownHeaders: NonNullable<OpenSheetOptions["countKnownHeaders"]> = (texts) =>
  PLACED.filter((at) => findColumn(texts, namesAt(RULE_HEADERS, at)) >= 0).length;

const PLACED = [0, 1, 2, 3];

const namesAt = <Headers extends readonly string[]>(
  headers: Readonly<Record<Lang, Headers>>,
  at: number,
): readonly string[] => Object.values(headers).flatMap((names) => names[at] ?? []);

const findColumn = (header: readonly OutCell[], names: readonly string[]): number =>
  header.findIndex((cell) => names.some((name) => fold(name) === fold(String(cell ?? ""))));

/** Throws `InputError` where the columns of a rule are missing. */
function findRuleColumns(header: readonly OutCell[]): RuleColumns {
  const [field = -1, value = -1, target = -1, id = -1] = PLACED.map((at) =>
    findColumn(header, namesAt(RULE_HEADERS, at)),
  );
  if (field >= 0 && value >= 0 && target + id > -2) return { field, value, target, id };
  throw new InputError({
    tr: `Kural dosyasının sütunları şunlar olmalı: ${RULE_HEADERS.tr.join(", ")}.`,
    en: `A file of rules has these columns: ${RULE_HEADERS.en.join(", ")}.`,
  });
}

const findSuggestions = (header: readonly OutCell[]): readonly number[] =>
  SUGGESTION_HEADERS.en.map((_, at) => findColumn(header, namesAt(SUGGESTION_HEADERS, at)));

/** Whether a sheet of open names was filled in; there, numbers stand for suggestions. */
export const isOfOpenNames = ({ suggestions }: NamedRow): boolean =>
  suggestions.some((suggestion) => suggestion !== undefined);

/** What the number of a suggestion stands for. */
interface NumberedSuggestion {
  /** `undefined` where the row has no such suggestion. */
  readonly text: string | undefined;
  /** Whether the number may have been written before the column was deleted. */
  readonly isGone: boolean;
  /** Says that there is no such suggestion. */
  readonly missing: Localized;
}

/** The suggestion that a row names by its number; `undefined` where it names none. */
export function suggestionOf(row: NamedRow): NumberedSuggestion | undefined {
  const { target, suggestions } = row;
  const number = /^(?<digits>\d+)\.?$/u.exec(target)?.groups?.["digits"];
  const at = suggestions.findIndex(
    (_, index) =>
      number === String(index + 1) ||
      namesAt(SUGGESTION_HEADERS, index).some((name) => fold(name) === fold(target)),
  );
  if (!isOfOpenNames(row) || (number === undefined && at < 0)) return undefined;
  const isGone = at >= 0 && suggestions[at] === undefined;
  return { text: suggestions[at] || undefined, isGone, missing: toMissing(target, at, isGone) };
}

function toMissing(target: string, at: number, isGone: boolean): Localized {
  if (!isGone) {
    const number = at < 0 ? target.replace(/\.$/u, "") : at + 1;
    return {
      tr: `Bu satırda ${number}. öneri yok; mağazadaki adı yazın ya da ID sütununu doldurun.`,
      en: `This row has no suggestion ${number}; write the store's name, or fill in the column ID.`,
    };
  }
  return {
    tr: `Dosyada “${SUGGESTION_HEADERS.tr[at]}” sütunu yok; mağazadaki adı yazın.`,
    en: `The sheet has no column “${SUGGESTION_HEADERS.en[at]}”; write the store's name.`,
  };
}

/** Says that a name has another meaning further up. */
export const describeTwice = (other: string): Localized => ({
  tr: `Aynı ad daha yukarıda başka bir karşılıkla var: “${other}”.`,
  en: `The same name has another meaning further up: “${other}”.`,
});

/** Makes the error of a file of names of which nothing was saved. */
export const refuseNames = (
  problems: readonly SheetProblem[],
  what: Localized = {
    tr: "Hiçbir karşılık kaydedilmedi; şu hücreleri düzeltin:",
    en: "No meaning was saved. Correct these cells:",
  },
): InputError => toSheetError("E_NAMES_SHEET", what, problems);
