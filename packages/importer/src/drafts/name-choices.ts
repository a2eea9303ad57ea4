/** What an open name may mean, with what tells the choices apart, and the category it belongs to. */

import { ClientError } from "@catalog/client/errors";
import type { Localized } from "@catalog/i18n";
import type { CategoryNode, FieldKey, SourceRow, NameIndexes } from "@catalog/mapping";

import { cellToText } from "./draft-source.ts";
import type { DraftName, DraftNameChoice } from "./draft-views.ts";
import type { RowChecker } from "./row-checker.ts";
import type { DraftRow } from "./stored-draft.ts";

/** A row that has the name, as it is stored and as it is read. */
export interface NamedRow {
  readonly stored: DraftRow;
  readonly source: SourceRow;
}

type Checker = Pick<RowChecker, "mapping" | "readAs" | "lists">;

export const MAX_CHOICES = 5;
/** Categories whose brands are looked up, as each list may be a call. */
const MAX_CHECKED = 12;

/**
 * Categories that a text may mean where it names several, at most five: those first in which the
 * brands are. Empty where the text does not name several.
 */
export async function listCategoryChoices(
  { lists }: Pick<Checker, "lists">,
  text: string,
  brands: readonly string[],
): Promise<readonly DraftNameChoice[]> {
  const nodes = listMeant((await lists.categories()).resolve(text)).slice(0, MAX_CHECKED);
  const checked: { readonly node: CategoryNode; readonly found: readonly string[] | undefined }[] =
    [];
  for (const node of nodes) {
    checked.push({ node, found: await findBrands({ lists }, node, brands) });
  }
  return checked
    .toSorted((a, b) => rankOf(a.found) - rankOf(b.found))
    .slice(0, MAX_CHOICES)
    .map(({ node, found }) => {
      const { path } = node;
      return { target: path, label: path, hint: found && describeBrands(found, brands) };
    });
}

function listMeant(
  resolution: ReturnType<Awaited<ReturnType<NameIndexes["categories"]>>["resolve"]>,
): readonly CategoryNode[] {
  if (resolution.kind === "not-leaf") return resolution.node.children;
  return resolution.kind === "ambiguous" ? resolution.candidates : [];
}

/** Those with more of the brands come first, and last those that are known to have none. */
const rankOf = (found: readonly string[] | undefined): number => {
  if (found === undefined) return 0;
  return found.length === 0 ? 1 : -found.length;
};

/** The brands that a category has; `undefined` where that is not known. */
async function findBrands(
  { lists }: Pick<Checker, "lists">,
  { category, children }: CategoryNode,
  brands: readonly string[],
): Promise<readonly string[] | undefined> {
  if (brands.length === 0 || children.length > 0) return undefined;
  try {
    const index = await lists.brands(category.id);
    return brands.filter((brand) => index.resolve(brand).kind !== "unknown");
  } catch (error) {
    // The choices are right without the hint.
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

function describeBrands(found: readonly string[], all: readonly string[]): Localized {
  const [tr, en] = found.length === 0 ? ["burada yok", "is not here"] : ["burada var", "is here"];
  const named = (found.length === 0 ? all : found).map((brand) => `“${brand}”`).join(", ");
  return { tr: `${named} markası ${tr}`, en: `brand ${named} ${en}` };
}

/** Index of the column of a field; `null` where no column has it. */
export const columnOf = ({ mapping }: Pick<Checker, "mapping">, field: FieldKey): number | null =>
  mapping.columns.find(({ target }) => target.kind === "field" && target.field === field)?.index ??
  null;

/** The text that a field of a row is read as; empty for none. */
function readField(checker: Checker, { source }: NamedRow, field: FieldKey): string {
  const column = columnOf(checker, field);
  const rule = checker.readAs(source).find((each) => each.column === column)?.text;
  const cell = column === null ? "" : cellToText(source.cells[column] ?? null).trim();
  return rule ?? (cell === "" ? (checker.mapping.constants.get(field) ?? "") : cell);
}

/** The brands of rows, each once. */
export const readBrands = (checker: Checker, rows: readonly NamedRow[]): readonly string[] => {
  const brands = rows.map((row) => readField(checker, row, "brand"));
  return [...new Set(brands.filter((brand) => brand !== ""))];
};

/**
 * The category of a row, in which its brand and properties are looked up, and what else the text of
 * the file may mean where a person has answered for it; `null` where the row names none.
 */
export async function describeCategory(
  checker: Checker,
  row: NamedRow,
): Promise<DraftName["category"]> {
  const { lists } = checker;
  const resolution = (await lists.categories()).resolve(readField(checker, row, "category"));
  if (resolution.kind !== "found") return null;
  const column = columnOf(checker, "category");
  const { path } = resolution.item;
  const { stored, source } = row;
  const isRule = checker.readAs(source).some((each) => each.column === column);
  const isAnswered = column !== null && (isRule || stored.edits[column] !== undefined);
  const text = isAnswered ? cellToText(stored.cells[column] ?? null).trim() : "";
  const choices = isAnswered
    ? await listCategoryChoices(checker, text, readBrands(checker, [row]))
    : [];
  return { path, column, isAnswered, choices: choices.filter(({ target }) => target !== path) };
}
