/** Names in a draft that match nothing or several things, each once. */

import type { Connection } from "@catalog/connection";
import {
  type OpenName,
  ruleFieldName,
  ruleKey,
  scopeRuleField,
  type SourceRow,
} from "@catalog/mapping";

import { addRules } from "../names/value-rules.ts";
import { cellToText, type DraftSheet } from "./draft-source.ts";
import type { DraftName, DraftNameChoice } from "./draft-views.ts";
import type { CellEdit } from "./edit-draft.ts";
import {
  columnOf,
  describeCategory,
  listCategoryChoices,
  MAX_CHOICES,
  type NamedRow,
  readBrands,
} from "./name-choices.ts";
import type { RowChecker } from "./row-checker.ts";
import type { DraftRepository } from "./stored-draft.ts";

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
      if (ruleKey(name.field, name.value) === key) found.push({ name, source, stored });
    }
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const { field, value, column } = first.name;
  return {
    field,
    value,
    label: ruleFieldName(field),
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
): Promise<readonly number[]> => drafts.rowsWithName(sheet.draft, ruleKey(field, value));

/** Stores the answer for this file and later ones. */
export async function rememberName(
  { memory }: Pick<Connection, "memory">,
  { mapping }: Pick<RowChecker, "mapping">,
  { field, value, target }: NameAnswerInput,
): Promise<void> {
  const scoped = scopeRuleField(field, mapping.platform?.name);
  await addRules(memory, [{ field: scoped, value, target }]);
}

/** The edits that write the answer into every cell that holds the text. */
export async function toNameEdits(
  context: NamesContext,
  answer: NameAnswerInput,
): Promise<readonly CellEdit[]> {
  const { drafts, sheet, checker } = context;
  const columns = columnsByHeader(checker);
  const key = ruleKey(answer.field, answer.value);
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
    const name = open.find((each) => ruleKey(each.field, each.value) === key);
    const column = name && columns.get(name.column);
    if (column !== undefined) edits.push({ row: row.row, column, value: answer.target });
  }
  return edits;
}
