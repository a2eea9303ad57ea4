/** Names in a draft that match nothing or several things, each once, with what each may mean. */

import { ClientError } from "@catalog/client/errors";
import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  type FieldKey,
  type NameIndexes,
  type OpenName,
  type SourceRow,
  valueRules,
} from "@catalog/mapping";

import { addRules } from "../names/value-rules.ts";
import { cellToText, type DraftSheet } from "./draft-rows.ts";
import type { DraftName, DraftNameChoice } from "./draft-views.ts";
import type { CellEdit } from "./edit-draft.ts";
import type { RowChecker } from "./row-checker.ts";
import type { DraftRepository, DraftRow } from "./stored-draft.ts";

/** What a text means, as a person says. */
export interface NameAnswerInput {
  readonly field: string;
  readonly value: string;
  readonly target: string;
  /** Whether later files use the answer too; otherwise the cells of this draft are changed. */
  readonly isRemembered: boolean;
  /**
   * Whether `target` is another category for the rows that have the name, which is looked up in it
   * anew; always in this draft alone. @default false
   */
  readonly isCategory?: boolean | undefined;
}

interface NamesContext {
  readonly drafts: DraftRepository;
  readonly sheet: DraftSheet;
  readonly checker: RowChecker;
}

/** Rows of a name whose choices are put together, as they depend on the category of a row. */
const CHOICE_ROWS = 10;
const MAX_NAMES = 5_000;

/** Lists the open names in the order of the sheet. */
export async function listDraftNames(context: NamesContext): Promise<readonly DraftName[]> {
  const { drafts, sheet } = context;
  const names: DraftName[] = [];
  const open = await drafts.openNames(sheet.draft);
  for (const { key, rows } of open.slice(0, MAX_NAMES)) {
    const name = await describeName(context, key);
    if (name !== undefined) names.push({ ...name, rows });
  }
  return names;
}

async function describeName(
  { drafts, sheet, checker }: NamesContext,
  key: string,
): Promise<Omit<DraftName, "rows"> | undefined> {
  const numbers = (await drafts.rowsWithName(sheet.draft, key)).slice(0, CHOICE_ROWS);
  const found: (NamedRow & { readonly name: OpenName })[] = [];
  for (const stored of await drafts.readRowsAt(sheet.draft, numbers)) {
    const source = checker.toSource(stored);
    const open = await checker.mapper.findOpenNames(source);
    for (const name of open) {
      if (valueRules.key(name.field, name.value) === key) found.push({ name, source, stored });
    }
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const { field, value, column } = first.name;
  return {
    field,
    value,
    label: valueRules.nameField(field),
    row: first.source.row,
    column: columnsByHeader(checker).get(column) ?? null,
    product: readProduct(checker, first.source),
    choices: await listChoices(checker, found),
    category: isOfCategory(field) ? await describeCategory(checker, first) : null,
  };
}

const isOfCategory = (field: string): boolean =>
  field === "brand" || field === "brand_model" || field.startsWith("property:");

/** A category that the brand of the row decides comes before the nearest names. */
async function listChoices(
  checker: RowChecker,
  found: readonly (NamedRow & { readonly name: OpenName })[],
): Promise<readonly DraftNameChoice[]> {
  const [first] = found;
  if (first?.name.field === "category") {
    const brands = readBrands(checker, found);
    const categories = await listCategoryChoices(checker, first.name.value, brands);
    if (categories.length > 0) return categories;
  }
  const choices = new Set(found.flatMap(({ name }) => name.choices));
  return [...choices].slice(0, MAX_CHOICES).map((target) => ({ target, label: target }));
}

const columnsByHeader = ({ mapping }: RowChecker): ReadonlyMap<string, number> =>
  new Map(mapping.columns.map(({ header, index }) => [header, index]));

function readProduct({ mapping, codes }: RowChecker, row: SourceRow): DraftName["product"] {
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "title",
  );
  const title = column === undefined ? "" : cellToText(row.cells[column.index] ?? null).trim();
  return { code: codes.read(row)?.code ?? null, title: title === "" ? null : title };
}

/** The rows in which a name is open. */
export const rowsWithOpenName = (
  { drafts, sheet }: Pick<NamesContext, "drafts" | "sheet">,
  { field, value }: Pick<NameAnswerInput, "field" | "value">,
): Promise<readonly number[]> => drafts.rowsWithName(sheet.draft, valueRules.key(field, value));

/** Stores the answer for this file and later ones. */
export async function rememberName(
  { memory }: Pick<Connection, "memory">,
  { mapping }: Pick<RowChecker, "mapping">,
  { field, value, target }: NameAnswerInput,
): Promise<void> {
  const scoped = valueRules.scopeField(field, mapping.platform?.name);
  await addRules(memory, [{ field: scoped, value, target }]);
}

/** The edits that write the answer into every cell that holds the text. */
export async function toNameEdits(
  context: NamesContext,
  answer: NameAnswerInput,
): Promise<readonly CellEdit[]> {
  const { drafts, sheet, checker } = context;
  const columns = columnsByHeader(checker);
  const key = valueRules.key(answer.field, answer.value);
  if (answer.isCategory === true) {
    const column = columnOf(checker, "category");
    if (column === null) return [];
    const rows = await rowsWithOpenName(context, answer);
    return rows.map((row) => ({ row, column, value: answer.target }));
  }
  const edits: CellEdit[] = [];
  const numbers = await rowsWithOpenName(context, answer);
  for (const row of await drafts.readRowsAt(sheet.draft, numbers)) {
    const open = await checker.mapper.findOpenNames(checker.toSource(row));
    const name = open.find((each) => valueRules.key(each.field, each.value) === key);
    const column = name && columns.get(name.column);
    if (column !== undefined) edits.push({ row: row.row, column, value: answer.target });
  }
  return edits;
}

/** A row that has the name, as it is stored and as it is read. */
interface NamedRow {
  readonly stored: DraftRow;
  readonly source: SourceRow;
}

type Checker = Pick<RowChecker, "mapping" | "readAs" | "lists">;

const MAX_CHOICES = 5;
/** Categories whose brands are looked up, as each list may be a call. */
const MAX_CHECKED = 12;

type CategoryNode = Awaited<ReturnType<NameIndexes["categories"]>>["items"][number];

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
const columnOf = ({ mapping }: Pick<Checker, "mapping">, field: FieldKey): number | null =>
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
const readBrands = (checker: Checker, rows: readonly NamedRow[]): readonly string[] => {
  const brands = rows.map((row) => readField(checker, row, "brand"));
  return [...new Set(brands.filter((brand) => brand !== ""))];
};

/**
 * The category of a row, in which its brand and properties are looked up, and what else the text of
 * the file may mean where a person has answered for it; `null` where the row names none.
 */
async function describeCategory(checker: Checker, row: NamedRow): Promise<DraftName["category"]> {
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
