/** Lists of the marketplace for a workbook; each label resolves to one id. */

import { createNameLists, type Connection } from "@catalog/connection";
import type { CategoryId } from "@catalog/contract";
import { InputError } from "@catalog/i18n";
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
  /** The models of one brand stand together. */
  readonly brand_model: readonly ListChoice[];
  /** The brand of each of these models. */
  readonly model_brand: readonly ListChoice[];
  readonly shipping_template: readonly ListChoice[];
  readonly properties: readonly PropertyChoices[];
  /** Models were left out because of too many brands. */
  readonly lacksModels: boolean;
}

/** Maximum number of brands, each of which takes one call; beyond it the models are left out. */
const MAX_BRANDS = 200;

/** Categories of one workbook: each takes calls, and properties that become columns. */
const MAX_CATEGORIES = 20;

export interface ReadChoiceListsOptions {
  /** Names, paths or ids; of a parent category all leaves below it are taken. @default none */
  readonly categories?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the lists. Throws `InputError` where a category is unknown, or where they are too many. */
export async function readChoiceLists(
  connection: Pick<Connection, "client" | "memory" | "baseUrl">,
  { categories: wanted = [], signal }: ReadChoiceListsOptions,
): Promise<ChoiceLists> {
  const {
    client,
    memory: { names: cache },
    baseUrl,
  } = connection;
  const source = createNameLists({ client, cache, baseUrl, signal });
  const indexes = createNameIndexes(source);
  const templates = (await indexes.templates()).items;
  const shipping = toChoices(templates.map(({ id, template_name: name }) => ({ id, name })));
  const paths = await readCategoryPaths(indexes);
  const general = { brand: [], brand_model: [], model_brand: [], properties: [] };
  if (wanted.length === 0) {
    return { ...general, lacksModels: false, category: paths, shipping_template: shipping };
  }
  const ids = new Set<CategoryId>();
  for (const category of wanted) {
    const scope = createScope(indexes, { kind: "template", category, brand: undefined });
    for (const id of await scope.leaves()) ids.add(id);
  }
  if (ids.size > MAX_CATEGORIES) throw createTooMany(ids.size);
  return {
    category: paths.filter(({ id }) => [...ids].some((each) => each === id)),
    shipping_template: shipping,
    ...(await readBrandsAndModels(indexes, [...ids])),
    properties: await readProperties(indexes, [...ids]),
  };
}

const createTooMany = (count: number): InputError =>
  new InputError({
    tr: `Bir şablona en çok ${MAX_CATEGORIES} kategori sığar; seçtiğiniz üst kategorilerin altında ${count} kategori var. Daha alttakileri seçin; adları için: catalog lookup categories`,
    en: `A template takes at most ${MAX_CATEGORIES} categories; below those that you chose there are ${count}. Choose some further down; for their names: catalog lookup categories`,
  });

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
  categories: readonly CategoryId[],
): Promise<Pick<ChoiceLists, "brand" | "brand_model" | "model_brand" | "lacksModels">> {
  const sold = await Promise.all(
    categories.map(async (category) => (await indexes.brands(category)).items),
  );
  const brand = toChoices([...new Map(sold.flat().map((each) => [each.id, each])).values()]);
  const none = { brand, brand_model: [], model_brand: [] };
  if (sold.flat().length > MAX_BRANDS) return { ...none, lacksModels: true };
  const listed = await Promise.all(
    categories.flatMap((category, at) =>
      (sold[at] ?? []).map(async ({ id }) => ({
        brand: id,
        models: (await indexes.models(category, id)).items,
      })),
    ),
  );
  const pairs = brand.flatMap((each) => {
    const own = listed.filter((one) => each.id === one.brand).flatMap(({ models }) => models);
    const models = toChoices([...new Map(own.map((model) => [model.id, model])).values()]);
    return models.map((model) => ({ model, brand: each }));
  });
  return {
    brand,
    brand_model: pairs.map(({ model }) => model),
    model_brand: pairs.map((pair) => pair.brand),
    lacksModels: false,
  };
}

/** Properties of one name are one column, with the options of all categories. */
async function readProperties(
  indexes: NameIndexes,
  categories: readonly CategoryId[],
): Promise<readonly PropertyChoices[]> {
  const all = await Promise.all(
    categories.map((category) => readCategoryProperties(indexes, category)),
  );
  const byName = Map.groupBy(all.flat(), ({ name }) => name);
  return [...byName].map(([name, same]) => {
    const options = new Map(same.flatMap((each) => each.options.map((one) => [one.label, one])));
    const sorted = [...options.values()].toSorted((a, b) => BY_LABEL.compare(a.label, b.label));
    return { name, options: sorted };
  });
}

async function readCategoryProperties(
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
