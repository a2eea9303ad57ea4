/** Reads sheets of rules, and those of open names, which have suggestions beside each rule. */

import { InputError, type Lang } from "@catalog/i18n";
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
  /** The suggestions of the row, in their order. */
  readonly suggestions: readonly string[];
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
      suggestions: places.map((at) => text(at)),
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
  [0, 1, 2]
    .map((at) => findColumn(header, namesAt(SUGGESTION_HEADERS, at)))
    .filter((index) => index >= 0);

/** The suggestion that a row names by its number; `undefined` where it names none. */
export function suggestionOf({ target, targetId, suggestions }: NamedRow): string | undefined {
  const isNumber = targetId === null && /^[1-3]$/u.test(target);
  const suggestion = isNumber ? suggestions[Number(target) - 1] : undefined;
  return suggestion === "" ? undefined : suggestion;
}

/** Makes the error of a sheet of names of which nothing was saved. */
export const refuseNames = (problems: readonly SheetProblem[]): InputError =>
  toSheetError(
    "E_NAMES_SHEET",
    {
      tr: "Hiçbir karşılık kaydedilmedi; şu hücreleri düzeltin:",
      en: "No meaning was saved. Correct these cells:",
    },
    problems,
  );
