/** Names in a draft that match nothing or several things, each once, with what each may mean. */

import { ClientError } from "@catalog/client/errors";
import type { Localized } from "@catalog/i18n";
import {
  type FieldKey,
  type NameIndexes,
  type OpenName,
  readingOf,
  type SourceRow,
  valueRules,
} from "@catalog/mapping";
import { describeSuggestion, type OpenNameCount } from "@catalog/runs";

import { answerBelow } from "../names/names-in-bulk.ts";
import { type FoundName, mergeTitles, mergeWithin } from "../names/open-names.ts";
import { createPause, type NameSuggester } from "../names/suggestions.ts";
import { addMeaning, type Rule, toRule } from "../names/value-rules.ts";
import { cellToText, type DraftSheet } from "./draft-rows.ts";
import type { DraftName, DraftNameChoice, DraftNames, DraftNamesBelow } from "./draft-views.ts";
import type { AnswerStep, CellEdit, GivenAnswer } from "./edit-draft.ts";
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

interface ListContext extends NamesContext {
  readonly suggester: NameSuggester;
}

/** Rows of a name whose choices are put together, as they depend on the category of a row. */
const CHOICE_ROWS = 10;
const MAX_NAMES = 5_000;

/** Rows that are read at once. */
const BATCH_ROWS = 500;

/** Searches of the marketplace that are made at once. */
const MAX_SEARCHES = 100;

/** Lists the open names in the order of the sheet, then those that this draft has answered. */
export async function listDraftNames(
  context: ListContext,
  answers: readonly GivenAnswer[],
): Promise<DraftNames> {
  const { checker, suggester } = context;
  const open = await findOpenNames(context);
  const suggested = await suggester.suggest(open.map(({ count }) => count));
  const names: DraftName[] = [];
  const pause = createPause();
  for (const [at, { count, found }] of open.entries()) {
    await pause();
    const [first] = found;
    const { field, value, rows, titles, column, choices } = count;
    const category = valueRules.isOfCategory(field) ? await describeCategory(checker, first) : null;
    const { suggestions = [] } = suggested[at] ?? {};
    names.push({
      field,
      value,
      label: valueRules.nameField(field),
      row: first.source.row,
      column: columnsByHeader(checker).get(column) ?? null,
      product: readProduct(checker, first.source),
      rows,
      titles,
      choices: await listChoices(checker, found, { suggestions, choices }),
      category,
      answer: null,
    });
  }
  const isOpen = new Set(open.map(({ count }) => keyOf(count)));
  const last = new Map(answers.map((each) => [keyOf(each), each]));
  const answered = [...last].filter(([key]) => !isOpen.has(key)).map(([, answer]) => answer);
  const searches = await suggester.countSearches(open.map(({ count }) => count));
  return {
    names: [...names, ...(await describeAnswers(context, answered))],
    searches: Math.min(searches, MAX_SEARCHES),
  };
}

/** Lists the open names by what stands in the first row of each, which takes no list of the store. */
export async function listQuickNames({
  drafts,
  sheet,
  checker,
}: NamesContext): Promise<DraftNames> {
  const open = (await drafts.openNames(sheet.draft)).slice(0, MAX_NAMES);
  const names: DraftName[] = [];
  const readNames = createNameReader(checker);
  const pause = createPause();
  for (let at = 0; at < open.length; at += BATCH_ROWS) {
    const batch = open.slice(at, at + BATCH_ROWS);
    const numbers = [...new Set(batch.map(({ first }) => first))];
    const stored = await drafts.readRowsAt(sheet.draft, numbers);
    const sources = new Map(stored.map((row) => [row.row, checker.toSource(row)]));
    for (const { key, rows, first } of batch) {
      await pause();
      const source = sources.get(first);
      const named = source && readNames(source).find((name) => keyOf(name) === key);
      if (source === undefined || named === undefined) continue;
      const product = readProduct(checker, source);
      names.push({
        ...named,
        label: valueRules.nameField(named.field),
        row: first,
        product,
        rows,
        titles: product.title === null ? [] : [product.title],
        choices: [],
        category: null,
        answer: null,
      });
    }
  }
  return { names, searches: 0 };
}

/** Reads the texts of a row that may be names, with their columns. */
function createNameReader({
  mapping,
}: RowChecker): (row: SourceRow) => readonly Pick<DraftName, "field" | "value" | "column">[] {
  const columns = mapping.columns.flatMap((column) => {
    const { index } = column;
    const { target, name: header } = readingOf(column);
    if (target.kind === "field") return [{ index, field: target.field }];
    const name = target.kind === "property" ? target.name : header;
    return name === "" ? [] : [{ index, field: `property:${name}` }];
  });
  return ({ cells }) =>
    columns.flatMap(({ index: column, field }) => {
      const value = cellToText(cells[column] ?? null).trim();
      return value === "" ? [] : [{ field, value, column }];
    });
}

/**
 * Searches the marketplace for the open names; a list that is made later has what it found. Returns
 * how many searches said something.
 */
export async function searchNames(
  suggester: NameSuggester,
  open: readonly OpenDraftName[],
): Promise<number> {
  const names = open.map(({ count }) => count);
  const before = await suggester.countSearches(names);
  await suggester.search(names, { max: MAX_SEARCHES });
  return before - (await suggester.countSearches(names));
}

const keyOf = ({ field, value }: Pick<OpenName, "field" | "value">): string =>
  valueRules.key(field, value);

/** An open name, with the first rows that have it. */
export interface OpenDraftName {
  readonly count: FoundName;
  readonly found: readonly [NamedFound, ...NamedFound[]];
}

/** Finds the open names in the order of the sheet. */
export async function findOpenNames(context: NamesContext): Promise<readonly OpenDraftName[]> {
  const { drafts, sheet, checker } = context;
  const open = (await drafts.openNames(sheet.draft)).slice(0, MAX_NAMES);
  const rowsOf = await drafts.rowsOfNames(sheet.draft, CHOICE_ROWS);
  const named = await findNamed(
    context,
    open.flatMap(({ key }) => rowsOf.get(key) ?? []),
  );
  return open.flatMap(({ key, rows }) => {
    const [first, ...others] = named.get(key) ?? [];
    return first === undefined ? [] : [toOpenName(checker, [first, ...others], rows)];
  });
}

function toOpenName(
  checker: RowChecker,
  found: OpenDraftName["found"],
  rows: number,
): OpenDraftName {
  const [{ name }] = found;
  const titles = found.map(({ source }) => {
    const { title } = readProduct(checker, source);
    return { row: source.row, title: title ?? "" };
  });
  const choices = [...new Set(found.flatMap(({ name: { choices: some } }) => some))];
  return {
    found,
    count: {
      field: name.field,
      column: name.column,
      value: name.value,
      choices: choices.slice(0, MAX_CHOICES),
      rows,
      titles: mergeTitles(titles).map(({ title }) => title),
      within: found.reduce<FoundName["within"]>(
        (lists, each) => mergeWithin(lists, { within: each.name.within, rows: 1 }),
        [],
      ),
    },
  };
}

/** A row that has an open name. */
export interface NamedFound extends NamedRow {
  readonly name: OpenName;
}

/** Rows with each open name by its key, in the order of the sheet; each row is looked at once. */
async function findNamed(
  { drafts, sheet, checker }: NamesContext,
  rows: readonly number[],
): Promise<ReadonlyMap<string, readonly NamedFound[]>> {
  const numbers = [...new Set(rows)].toSorted((a, b) => a - b);
  const found = new Map<string, NamedFound[]>();
  const pause = createPause();
  for (let at = 0; at < numbers.length; at += BATCH_ROWS) {
    for (const stored of await drafts.readRowsAt(sheet.draft, numbers.slice(at, at + BATCH_ROWS))) {
      await pause();
      const source = checker.toSource(stored);
      for (const name of await checker.mapper.findOpenNames(source)) {
        const key = keyOf(name);
        const known = found.get(key);
        if (known === undefined) found.set(key, [{ name, source, stored }]);
        else if (known.length < CHOICE_ROWS) known.push({ name, source, stored });
      }
    }
  }
  return found;
}

/** Names that were answered, as their first rows are now. */
async function describeAnswers(
  { drafts, sheet, checker }: NamesContext,
  answers: readonly GivenAnswer[],
): Promise<readonly DraftName[]> {
  const stored = await drafts.readRowsAt(
    sheet.draft,
    answers.map(({ row }) => row),
  );
  const rows = new Map(stored.map((each) => [each.row, checker.toSource(each)]));
  return answers.map(({ field, value, row, rows: count, target, isRemembered }) => {
    const source = rows.get(row);
    const product = source === undefined ? NO_PRODUCT : readProduct(checker, source);
    return {
      field,
      value,
      label: valueRules.nameField(field),
      row,
      column: null,
      product,
      rows: count,
      titles: product.title === null ? [] : [product.title],
      choices: [],
      category: null,
      answer: { target, isRemembered },
    };
  });
}

const NO_PRODUCT = { code: null, title: null };

/**
 * A category that the brand of the row decides comes first, then the suggestions, then other nearest
 * names.
 */
async function listChoices(
  checker: RowChecker,
  found: OpenDraftName["found"],
  { suggestions, choices }: Pick<OpenNameCount, "suggestions" | "choices">,
): Promise<readonly DraftNameChoice[]> {
  const [{ name, stored }] = found;
  const hasSeveral = stored.issues.some(({ code }) => SEVERAL.has(code));
  const several =
    name.field === "category" && hasSeveral
      ? await listCategoryChoices(checker, name.value, readBrands(checker, found))
      : [];
  const suggested = suggestions.map((suggestion): DraftNameChoice => ({
    target: suggestion.target,
    label: suggestion.target,
    hint: describeSuggestion(suggestion),
    reason: suggestion.why.kind,
  }));
  const others = choices.map((target) => ({ target, label: target }));
  const isDecided = several.some(({ hint }) => hint !== undefined);
  const all = isDecided
    ? [...several, ...suggested, ...others]
    : [...suggested, ...several, ...others];
  const first = new Map(all.toReversed().map((choice) => [choice.target, choice]));
  return [...new Set(all.map(({ target }) => target))]
    .slice(0, MAX_CHOICES)
    .flatMap((target) => first.get(target) ?? []);
}

/** What a row is told whose category names several. */
const SEVERAL: ReadonlySet<string> = new Set(["E_CATEGORY_AMBIGUOUS", "E_CATEGORY_NOT_LEAF"]);

const columnsByHeader = ({ mapping }: RowChecker): ReadonlyMap<string, number> =>
  new Map(mapping.columns.map(({ header, index }) => [header, index]));

function readProduct(
  { mapping, codes, fold }: RowChecker,
  source: SourceRow,
): DraftName["product"] {
  const row = fold(source);
  const column = mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "title",
  );
  const title = column === undefined ? "" : cellToText(row.cells[column.index] ?? null).trim();
  return { code: codes.read(row)?.code ?? null, title: title === "" ? null : title };
}

/** Finds what the open categories below one of the file mean within a category of the store. */
export async function findNamesBelow(
  connection: Parameters<typeof answerBelow>[0],
  { names }: DraftNames,
  below: { readonly from: string; readonly to: string },
): Promise<DraftNamesBelow> {
  const open = names.filter(({ field, answer }) => field === "category" && answer === null);
  const { answers, open: others } = await answerBelow(connection, open.map(toCount), below);
  const near = others.flatMap(({ field, value, suggestions: [first] }) =>
    first === undefined ? [] : [{ field, value, target: first.target }],
  );
  const exact = answers.map(({ field, value, target }) => ({ field, value, target }));
  return { exact, near, left: others.length - near.length };
}

/** Of the suggestions, only the order counts there. */
const toCount = ({ field, value, rows, titles, choices }: DraftName): OpenNameCount => {
  const targets = choices.map(({ target }) => target);
  const why = { kind: "words" } as const;
  const suggestions = targets.map((target) => ({ target, targetId: null, why }));
  return { field, column: "", value, rows, titles, choices: targets, suggestions };
};

/**
 * Reads the answers to names that are open; others are left out. What is remembered is remembered
 * for the files of this platform.
 */
export async function readAnswers(
  context: NamesContext,
  /** The rules of the store, beside whose meanings an answer stands. */
  stored: readonly Rule[],
  inputs: readonly NameAnswerInput[],
): Promise<AnswerStep> {
  const { drafts, sheet, checker } = context;
  const answers: GivenAnswer[] = [];
  const rules: Rule[] = [];
  const known = new Map(stored.map((rule) => [rule.key, rule]));
  const edits: CellEdit[] = [];
  const ruled = new Set<number>();
  for (const { isRemembered, isCategory = false, ...input } of inputs) {
    const { field, value, target } = input;
    const rows = await drafts.rowsWithName(sheet.draft, valueRules.key(field, value));
    const [row] = rows;
    if (row === undefined) continue;
    if (isCategory) {
      edits.push(...toCategoryEdits(checker, rows, target));
      continue;
    }
    answers.push({ field, value, target, isRemembered, row, rows: rows.length });
    if (isRemembered) {
      const scoped = valueRules.scopeField(field, checker.mapping.platform?.name);
      const rule = toRule({ field: scoped, value, target });
      rules.push(addMeaning(known.get(rule.key), rule));
      for (const each of rows) ruled.add(each);
    } else {
      edits.push(...(await toNameEdits(context, input, rows)));
    }
  }
  return { answers, rules, edits, rows: [...ruled].toSorted((a, b) => a - b) };
}

/** Another category for the rows of a name; the name itself stays open. */
function toCategoryEdits(
  checker: RowChecker,
  rows: readonly number[],
  target: string,
): readonly CellEdit[] {
  const column = columnOf(checker, "category");
  return column === null ? [] : rows.map((row) => ({ row, column, value: target }));
}

/** The edits that write the answer into every cell that holds the text. */
async function toNameEdits(
  { drafts, sheet, checker }: NamesContext,
  { field, value, target }: Pick<NameAnswerInput, "field" | "value" | "target">,
  numbers: readonly number[],
): Promise<readonly CellEdit[]> {
  const columns = columnsByHeader(checker);
  const key = valueRules.key(field, value);
  const edits: CellEdit[] = [];
  for (const row of await drafts.readRowsAt(sheet.draft, numbers)) {
    const open = await checker.mapper.findOpenNames(checker.toSource(row));
    const name = open.find((each) => valueRules.key(each.field, each.value) === key);
    const column = name && columns.get(name.column);
    if (column !== undefined) edits.push({ row: row.row, column, value: target });
  }
  return edits;
}

/** A row that has the name, as it is stored and as it is read. */
interface NamedRow {
  readonly stored: DraftRow;
  readonly source: SourceRow;
}

type Checker = Pick<RowChecker, "mapping" | "readAs" | "lists" | "fold">;

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
  const row = checker.fold(source);
  const rule = checker.readAs(row).find((each) => each.column === column)?.first;
  const cell = column === null ? "" : cellToText(row.cells[column] ?? null).trim();
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
  const { path } = resolution.item;
  const { stored, source } = row;
  const common = columnOf(checker, "category");
  // The cell that was read may be that of the store's own column.
  const column = common === null ? null : (checker.fold(source).folded?.places[common] ?? common);
  const isRule = checker.readAs(source).some((each) => each.column === column);
  const isAnswered = column !== null && (isRule || stored.edits[column] !== undefined);
  const text = isAnswered ? cellToText(stored.cells[column] ?? null).trim() : "";
  const choices = isAnswered
    ? await listCategoryChoices(checker, text, readBrands(checker, [row]))
    : [];
  return { path, column, isAnswered, choices: choices.filter(({ target }) => target !== path) };
}
