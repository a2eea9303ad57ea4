/** Names of the store that a cell of a draft may take. */

import type { Connection } from "@catalog/connection";
import { InputError, type Lang } from "@catalog/i18n";
import { type DraftColumnsView, findByName, type LiveDraft } from "@catalog/importer";

import type { LookupView } from "../../api/drafts.ts";
import type { LookupQuery } from "./drafts.ts";

const MAX_VALUES = 20;

/** The list of names behind each field that has one. */
const KINDS = {
  category: "categories",
  brand: "brands",
  brand_model: "models",
  shipping_template: "templates",
} as const;

type NameField = keyof typeof KINDS;

const isNameField = (field: string): field is NameField => Object.hasOwn(KINDS, field);

const PROPERTY = "property:";

/**
 * Finds names by the text, or the first ones where it is empty; none where the column takes other
 * values, or where the row lacks the category or brand that the names belong to.
 */
export async function findValues(
  connection: Connection,
  live: LiveDraft,
  { column, row, text }: LookupQuery,
): Promise<readonly LookupView[]> {
  const columns = live.details().columns?.columns ?? [];
  const field = columns.find(({ index }) => index === column)?.field ?? "";
  const scope = readScope(live, columns, row);
  const asked = { ...scope, text: text.trim() === "" ? undefined : text, limit: MAX_VALUES };
  try {
    if (field.startsWith(PROPERTY)) {
      const name = field.slice(PROPERTY.length);
      return await findOptions(connection, { ...asked, name });
    }
    if (!isNameField(field)) return [];
    const { results } = await findByName(connection, { ...asked, kind: KINDS[field] });
    return results.map(({ name, path }) => ({ value: path ?? name, label: path ?? name }));
  } catch (error) {
    // The category or brand of the row is missing or unknown, which the row says itself.
    if (error instanceof InputError) return [];
    throw error;
  }
}

interface Scope {
  readonly category: string | undefined;
  readonly brand: string | undefined;
}

function readScope(live: LiveDraft, columns: DraftColumnsView["columns"], row: number): Scope {
  const [found] = live.rows([row]);
  const read = (field: NameField): string | undefined => {
    const at = columns.find((each) => each.field === field)?.index;
    const cell = at === undefined ? undefined : found?.cells[at]?.trim();
    return cell === "" ? undefined : cell;
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
