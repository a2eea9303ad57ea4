/** Names of the store that a cell of a draft may take. */

import type { Connection } from "@catalog/connection";
import { InputError, type Lang } from "@catalog/i18n";
import {
  type DraftColumnsView,
  type DraftRowView,
  findByName,
  type LiveDraft,
  type LookupResult,
} from "@catalog/importer";
import { findField } from "@catalog/mapping";

import type { LookupView } from "../../api/drafts.ts";

const MAX_VALUES = 20;

/** The list of names behind each field that has one. */
const KINDS = {
  category: "categories",
  brand: "brands",
  brand_model: "models",
  shipping_template: "templates",
} as const;

/** A place in the table, or a field that has no column, and what was typed there. */
interface LookupQuery {
  readonly column?: number | undefined;
  readonly row?: number | undefined;
  readonly field?: string | undefined;
  readonly text: string;
}

type NameField = keyof typeof KINDS;

const isNameField = (field: string): field is NameField => Object.hasOwn(KINDS, field);

/** The categories that match a text, with their full paths. */
export async function findCategories(
  connection: Connection,
  text: string,
): Promise<readonly LookupView[]> {
  const sought = text.trim() === "" ? undefined : text;
  const query = { kind: "categories", text: sought, limit: MAX_VALUES } as const;
  return toValues((await findByName(connection, query)).results);
}

/** A name that several entries have is told apart by the end of its id, which cells may have. */
function toValues(results: readonly LookupResult[]): readonly LookupView[] {
  const twins = Map.groupBy(results, nameOf);
  return results.map((result) => {
    const name = nameOf(result);
    const isUnique = twins.get(name)?.length === 1;
    const value = isUnique ? name : `${result.name} [${result.id.slice(-4)}]`;
    return { value, label: isUnique ? name : `${name} [${result.id.slice(-4)}]` };
  });
}

const nameOf = ({ name, path }: LookupResult): string => path ?? name;

const nameBrand = (
  found: readonly LookupView[],
  brand: string | undefined,
): readonly LookupView[] =>
  found.map(({ value, label }) => ({ value, label: `${brand ?? ""} › ${label}` }));

/** The words of a closed list; all of them where none has the text, so that one can be chosen. */
function findKeywords(
  words: readonly { readonly tr: string; readonly en: string; readonly also: readonly string[] }[],
  text: string,
  lang: Lang,
): readonly LookupView[] {
  const sought = foldText(text);
  const near = words.filter(({ tr, en, also }) =>
    [tr, en, ...also].some((word) => foldText(word).includes(sought)),
  );
  return (near.length === 0 ? words : near).map((word) => ({
    value: word[lang],
    label: word[lang],
  }));
}

const PROPERTY = "property:";

/**
 * Finds names by the text, or the first ones where it is empty; none where the column takes other
 * values, or where the row lacks the category or brand that the names belong to.
 */
export async function findValues(
  connection: Connection,
  live: LiveDraft,
  { column, row, field: asked, text, lang }: LookupQuery & { readonly lang: Lang },
): Promise<readonly LookupView[]> {
  const { columns: view } = await live.details();
  const field = asked ?? view?.columns.find(({ index }) => index === column)?.field ?? "";
  const words = findField(field)?.keywords;
  if (words !== undefined) return findKeywords(words, text, lang);
  try {
    const scope = await readScope(live, view, row);
    return await findNames(connection, field, { ...scope, text });
  } catch (error) {
    // The category or brand of the row is missing or unknown, which the row says itself.
    if (error instanceof InputError) return [];
    throw error;
  }
}

async function findNames(
  connection: Connection,
  field: string,
  { text, ...scope }: Scope & { readonly text: string },
): Promise<readonly LookupView[]> {
  const asked = { ...scope, text: text.trim() === "" ? undefined : text, limit: MAX_VALUES };
  if (field.startsWith(PROPERTY)) {
    return await findOptions(connection, { ...asked, name: field.slice(PROPERTY.length) });
  }
  if (!isNameField(field)) return [];
  const { results } = await findByName(connection, {
    ...asked,
    kind: KINDS[field],
    areLeaves: true,
  });
  const found = toValues(results);
  return field === "brand_model" ? nameBrand(found, scope.brand) : found;
}

interface Scope {
  readonly category: string | undefined;
  readonly brand: string | undefined;
}

/** What the cells of a row are read as, by column; a remembered answer comes first. */
const readTexts = ({ cells, readAs }: DraftRowView): ReadonlyMap<number, string> =>
  new Map([
    ...cells.map((cell, column) => [column, cell.trim()] as const),
    ...readAs.map(({ column, text }) => [column, text] as const),
  ]);

/** The category and brand of a row; where its cell is empty, those of all rows. */
async function readScope(
  live: LiveDraft,
  view: DraftColumnsView | null,
  row: number | undefined,
): Promise<Scope> {
  const [found] = row === undefined ? [] : await live.rows([row]);
  const texts = found === undefined ? new Map<number, string>() : readTexts(found);
  const read = (field: NameField): string | undefined => {
    const at = view?.columns.find((each) => each.field === field)?.index;
    return texts.get(at ?? -1) || view?.constants[field];
  };
  return { category: read("category"), brand: read("brand") };
}

async function findOptions(
  connection: Connection,
  {
    name,
    text = "",
    limit,
    ...scope
  }: Scope & {
    readonly name: string;
    readonly text: string | undefined;
    readonly limit: number;
  },
): Promise<readonly LookupView[]> {
  const query = { ...scope, kind: "properties" as const, text: name, limit: 1 };
  const { results } = await findByName(connection, query);
  const property = results.find(({ match }) => match === "exact");
  const sought = foldText(text);
  return (property?.options ?? [])
    .filter((option) => foldText(option.name).includes(sought))
    .slice(0, limit)
    .map((option) => ({ value: option.name, label: option.name }));
}

const LANG: Lang = "tr";
const foldText = (text: string): string => text.trim().toLocaleLowerCase(LANG);
