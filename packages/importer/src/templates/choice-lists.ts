/** Lists of the marketplace for a workbook; each label resolves to one id. */

import { createNameLists, type Connection } from "@catalog/connection";
import type { CategoryId } from "@catalog/contract";
import { createNameIndexes, formatPath, type NameIndexes } from "@catalog/mapping";

import { createScope } from "../lookup/lookup-scope.ts";

/** An entry of a list. Labels of one list differ, and each resolves to its own id. */
export interface ListChoice {
  readonly label: string;
  readonly id: string;
}

/** A property of the workbook's category. */
export interface PropertyChoices {
  readonly name: string;
  readonly options: readonly ListChoice[];
}

/** Lists of a workbook; without a category it has no brands, models and properties. */
export interface ChoiceLists {
  readonly category: readonly ListChoice[];
  readonly brand: readonly ListChoice[];
  readonly brand_model: readonly ListChoice[];
  readonly shipping_template: readonly ListChoice[];
  readonly properties: readonly PropertyChoices[];
  /** Models were left out because of too many brands. */
  readonly lacksModels: boolean;
}

/** Maximum number of brands, each of which takes one call; beyond it the models are left out. */
const MAX_BRANDS = 200;

/** Reads the lists. Throws `InputError` where the category does not name one leaf. */
export async function readChoiceLists(
  connection: Pick<Connection, "client" | "memory" | "baseUrl">,
  options: { readonly category?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<ChoiceLists> {
  const {
    client,
    memory: { names: cache },
    baseUrl,
  } = connection;
  const source = createNameLists({ client, cache, baseUrl, signal: options.signal });
  const indexes = createNameIndexes(source);
  const templates = (await indexes.templates()).items;
  const shipping = toChoices(templates.map(({ id, template_name: name }) => ({ id, name })));
  const paths = await readCategoryPaths(indexes);
  const general = { brand: [], brand_model: [], properties: [], lacksModels: false };
  if (options.category === undefined) {
    return { ...general, category: paths, shipping_template: shipping };
  }
  const { category: wanted } = options;
  const scope = createScope(indexes, { kind: "template", category: wanted, brand: undefined });
  const category = await scope.category();
  return {
    category: paths.filter(({ id }) => id === category),
    shipping_template: shipping,
    ...(await readBrandsAndModels(indexes, category)),
    properties: await readProperties(indexes, category),
  };
}

async function readCategoryPaths(indexes: NameIndexes): Promise<readonly ListChoice[]> {
  const { items } = await indexes.categories();
  const leaves = items.filter(({ children }) => children.length === 0);
  const twins = countBy(leaves.map(({ parts }) => formatPath(parts)));
  return leaves
    .map(({ category: { id, name }, parts }) => {
      const path = formatPath(parts);
      // For a path that is not unique the bare name with the id is used, as the end of the path
      // would be ambiguous.
      return { id, label: (twins.get(path) ?? 0) > 1 ? suffixed(name, id) : path };
    })
    .toSorted((a, b) => BY_LABEL.compare(a.label, b.label));
}

async function readBrandsAndModels(
  indexes: NameIndexes,
  category: CategoryId,
): Promise<Pick<ChoiceLists, "brand" | "brand_model" | "lacksModels">> {
  const brands = (await indexes.brands(category)).items;
  const brand = toChoices(brands);
  if (brands.length > MAX_BRANDS) return { brand, brand_model: [], lacksModels: true };
  const models = await Promise.all(
    brands.map(async ({ id }) => await indexes.models(category, id)),
  );
  // Models of two brands may have equal names, since a row's brand tells them apart.
  const choices = models.flatMap(({ items }) => toChoices(items));
  const unique = new Map(choices.map((choice) => [choice.label, choice]));
  const model = [...unique.values()].toSorted((a, b) => BY_LABEL.compare(a.label, b.label));
  return { brand, brand_model: model, lacksModels: false };
}

async function readProperties(
  indexes: NameIndexes,
  category: CategoryId,
): Promise<readonly PropertyChoices[]> {
  const { items } = await indexes.properties(category);
  const twins = countBy(items.map(({ property: { name } }) => name));
  return items.map(({ property: { id, name }, options }) => ({
    name: (twins.get(name) ?? 0) > 1 ? suffixed(name, id) : name,
    options: toChoices(options.items.map((each) => ({ id: each.id, name: each.display_name }))),
  }));
}

const BY_LABEL = new Intl.Collator("tr", { numeric: true });

/** A name that is not unique has the end of its id appended, which the reader removes. */
function toChoices(
  items: readonly { readonly id: string; readonly name: string }[],
): readonly ListChoice[] {
  const twins = countBy(items.map(({ name }) => name));
  return items
    .map(({ id, name }) => ({ id, label: (twins.get(name) ?? 0) > 1 ? suffixed(name, id) : name }))
    .toSorted((a, b) => BY_LABEL.compare(a.label, b.label));
}

const suffixed = (name: string, id: string): string => `${name} [${id.slice(-4)}]`;

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
