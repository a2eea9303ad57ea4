/** Makes a workbook with the lists of the marketplace; each label resolves to one id. */

import { type Connection, createNameLists } from "@catalog/connection";
import type { Id } from "@catalog/contract";
import { InputError, type Lang } from "@catalog/i18n";
import { createNameIndexes, labelNames, type NameIndexes } from "@catalog/mapping";
import { writeTemplate } from "@catalog/sheets";

import { createScope } from "../lookup/look-up.ts";
import { createProductWorkbook, type WorkbookKind } from "./product-workbook.ts";

/** The workbook to write, and its path. */
interface MakeTemplateOptions {
  /** Absolute path; an existing file is replaced. */
  readonly path: string;
  readonly lang: Lang;
  readonly kind: WorkbookKind;
  /** Names, paths or ids of the workbook's categories. @default all categories */
  readonly categories?: readonly string[] | undefined;
  /** The store whose lists are used. @default only the closed lists */
  readonly connection?:
    | Pick<Connection, "client" | "memory" | "baseUrl" | "storeId" | "clock">
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The lists of the written workbook. */
interface MadeTemplate {
  readonly path: string;
  /** Number of choices of each column, by field or property. */
  readonly lists: readonly { readonly column: string; readonly count: number }[];
  /** Models were left out because of too many brands. */
  readonly lacksModels: boolean;
}

/** Writes the workbook. Throws `InputError` where a category is unknown, or where they are too many. */
export async function makeTemplate(options: MakeTemplateOptions): Promise<MadeTemplate> {
  const { path, lang, kind, categories, connection, signal } = options;
  const market = connection && (await readChoiceLists(connection, { categories, signal }));
  const stamp = connection && { storeId: connection.storeId, madeAtMs: connection.clock.now() };
  const workbook = createProductWorkbook({ path, lang, kind, market, stamp });
  await writeTemplate(workbook);
  const counts = new Map(workbook.lists.map(({ name, values }) => [name, values.length]));
  const lists = workbook.columns.flatMap(({ header, list }) =>
    list === undefined ? [] : [{ column: header, count: counts.get(list.name) ?? 0 }],
  );
  return { path, lists, lacksModels: market?.lacksModels ?? false };
}

/** An entry of a list. */
export type Choice = Parameters<typeof writeTemplate>[0]["lists"][number]["values"][number];

/** A property of the workbook's category. */
export interface PropertyChoices {
  readonly name: string;
  readonly options: readonly Choice[];
}

/** Lists of a workbook; without a category it has no brands, models and properties. */
export interface ChoiceLists {
  readonly category: readonly Choice[];
  readonly brand: readonly Choice[];
  /** Of several categories: the brands of each, those of one category together. */
  readonly category_brand: readonly Choice[];
  /** The category of each of these brands. */
  readonly brand_category: readonly Choice[];
  /** The models of one brand stand together. */
  readonly brand_model: readonly Choice[];
  /** The brand of each of these models. */
  readonly model_brand: readonly Choice[];
  readonly shipping_template: readonly Choice[];
  readonly properties: readonly PropertyChoices[];
  /** Models were left out because of too many brands. */
  readonly lacksModels: boolean;
}

/** Maximum number of brands, each of which takes one call; beyond it the models are left out. */
const MAX_BRANDS = 200;

/** Categories of one workbook: each takes calls, and properties that become columns. */
const MAX_CATEGORIES = 20;

interface ReadChoiceListsOptions {
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
  const shipping = (await indexes.templates()).labels();
  const paths = (await indexes.categories()).labels();
  if (wanted.length === 0) return { ...NO_LISTS, category: paths, shipping_template: shipping };
  const ids = new Set<Id<"category">>();
  for (const category of wanted) {
    const scope = createScope(indexes, { kind: "template", category, brand: undefined });
    for (const id of await scope.leaves()) ids.add(id);
  }
  if (ids.size > MAX_CATEGORIES) throw createTooMany(ids.size);
  const category = paths.filter(({ id }) => [...ids].some((each) => each === id));
  return {
    ...(await readBrandsAndModels(indexes, [...ids], category)),
    category,
    shipping_template: shipping,
    properties: await readProperties(indexes, [...ids]),
  };
}

const createTooMany = (count: number): InputError =>
  new InputError({
    tr: `Bir şablona en çok ${MAX_CATEGORIES} kategori sığar; seçtiğiniz üst kategorilerin altında ${count} kategori var. Daha alttakileri seçin; adları için: catalog lookup categories`,
    en: `A template takes at most ${MAX_CATEGORIES} categories; below those that you chose there are ${count}. Choose some further down; for their names: catalog lookup categories`,
  });

const NO_LISTS = {
  brand: [],
  category_brand: [],
  brand_category: [],
  brand_model: [],
  model_brand: [],
  properties: [],
  lacksModels: false,
};

async function readBrandsAndModels(
  indexes: NameIndexes,
  categories: readonly Id<"category">[],
  paths: readonly Choice[],
): Promise<Omit<ChoiceLists, "category" | "shipping_template" | "properties">> {
  const sold = await Promise.all(
    categories.map(async (category) => (await indexes.brands(category)).items),
  );
  const brand = labelNames([...new Map(sold.flat().map((each) => [each.id, each])).values()]);
  const offered = paths.length < 2 ? [] : pairWithCategories({ paths, categories, sold, brand });
  const brands = {
    brand,
    category_brand: offered.map((each) => each.brand),
    brand_category: offered.map(({ category }) => category),
  };
  if (sold.flat().length > MAX_BRANDS) return { ...NO_LISTS, ...brands, lacksModels: true };
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
    const models = labelNames([...new Map(own.map((model) => [model.id, model])).values()]);
    return models.map((model) => ({ model, brand: each }));
  });
  return {
    ...brands,
    brand_model: pairs.map(({ model }) => model),
    model_brand: pairs.map((pair) => pair.brand),
    lacksModels: false,
  };
}

function pairWithCategories({
  paths,
  categories,
  sold,
  brand: all,
}: {
  readonly paths: readonly Choice[];
  readonly categories: readonly Id<"category">[];
  readonly sold: readonly (readonly { readonly id: string }[])[];
  readonly brand: readonly Choice[];
}): readonly { readonly category: Choice; readonly brand: Choice }[] {
  return paths.flatMap((category) => {
    const own = sold[categories.findIndex((id) => id === category.id)] ?? [];
    const ids = new Set(own.map(({ id }) => id));
    return all.filter(({ id }) => ids.has(id)).map((brand) => ({ category, brand }));
  });
}

/** Properties of one name are one column, with the options of all categories. */
async function readProperties(
  indexes: NameIndexes,
  categories: readonly Id<"category">[],
): Promise<readonly PropertyChoices[]> {
  const all = await Promise.all(
    categories.map((category) => readCategoryProperties(indexes, category)),
  );
  const { compare } = new Intl.Collator("tr", { numeric: true });
  const byName = Map.groupBy(all.flat(), ({ name }) => name);
  return [...byName].map(([name, same]) => {
    const options = new Map(same.flatMap((each) => each.options.map((one) => [one.label, one])));
    return { name, options: [...options.values()].toSorted((a, b) => compare(a.label, b.label)) };
  });
}

async function readCategoryProperties(
  indexes: NameIndexes,
  category: Id<"category">,
): Promise<readonly PropertyChoices[]> {
  const properties = await indexes.properties(category);
  const labels = new Map(properties.labels().map(({ id, label }) => [id, label]));
  return properties.items.map(({ property: { id, name }, options }) => ({
    name: labels.get(id) ?? name,
    options: options.labels(),
  }));
}
