/** The category and brand in which to search, by the rules for cells of a sheet. */

import type { BrandId, CategoryId } from "@catalog/contract";
import { InputError, type Localized } from "@catalog/i18n";
import type { CategoryNode, NameIndexes, NameIndex } from "@catalog/mapping";

/** Each method throws `InputError` when its part is missing or does not name one entry. */
export interface Scope {
  category(): Promise<CategoryId>;
  /** The category, or all leaves below it. */
  leaves(): Promise<readonly CategoryId[]>;
  brand(): Promise<BrandId>;
}

export interface ScopeOptions {
  /** The kind that is searched, for error messages. */
  readonly kind: string;
  readonly category: string | undefined;
  readonly brand: string | undefined;
}

export function createScope(indexes: NameIndexes, options: ScopeOptions): Scope {
  const { kind } = options;
  const category = async (): Promise<CategoryId> => {
    const text = needFlag("category", kind, options.category);
    const resolution = (await indexes.categories()).resolve(text);
    if (resolution.kind === "not-leaf") {
      const below = resolution.node.children.map((node) => toLine(node.category.id, node.path));
      throw notLeaf(text, below);
    }
    const label = CATEGORY_LABEL;
    return resolveScope({ flag: "category", text, resolution, label }).category.id;
  };
  return {
    category,
    async leaves() {
      const text = needFlag("category", kind, options.category);
      const resolution = (await indexes.categories()).resolve(text);
      return resolution.kind === "not-leaf" ? listLeaves(resolution.node) : [await category()];
    },
    async brand() {
      const text = needFlag("brand", kind, options.brand);
      const resolution = (await indexes.brands(await category())).resolve(text);
      return resolveScope({ flag: "brand", text, resolution, label: BRAND_LABEL }).id;
    },
  };
}

const listLeaves = ({ category, children }: CategoryNode): readonly CategoryId[] =>
  children.length === 0 ? [category.id] : children.flatMap(listLeaves);

const toLine = (id: string, path: string): string => `${id}  ${path}`;

const CATEGORY_LABEL = (node: {
  readonly category: { readonly id: string };
  readonly path: string;
}): string => toLine(node.category.id, node.path);

const BRAND_LABEL = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  toLine(id, name);

type Flag = "category" | "brand";

const FLAG_TEXTS = {
  category: { tr: "kategori", en: "category" },
  brand: { tr: "marka", en: "brand" },
} as const;

/** The Turkish words for "by" and "in" a category or brand. */
const CASES_TR = {
  category: { by: "kategoriye", in: "kategoride" },
  brand: { by: "markaya", in: "markada" },
} as const;

/** What is listed by category or brand, as the beginning of a sentence. */
const LISTED: Readonly<Record<string, Localized>> = {
  brands: { tr: "Markalar", en: "Brands" },
  models: { tr: "Modeller", en: "Models" },
  properties: { tr: "Özellikler", en: "Properties" },
};

const SEARCHES = {
  category: {
    tr: "catalog lookup categories bardak",
    en: "catalog lookup categories bardak",
  },
  brand: {
    tr: 'catalog lookup brands --category "…"',
    en: 'catalog lookup brands --category "…"',
  },
} as const;

function needFlag(flag: Flag, kind: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const { en } = FLAG_TEXTS[flag];
  const turkish = CASES_TR[flag];
  const listed = LISTED[kind] ?? { tr: kind, en: kind };
  const search = SEARCHES[flag];
  throw new InputError({
    tr: `${listed.tr} ${turkish.by} göre listelenir. Hangi ${turkish.in} aranacağını adıyla ya da kimliğiyle yazın: --${flag} "…"\nAramak için: ${search.tr}`,
    en: `${listed.en} are listed by ${en}. Give the name or id of the ${en} to search in: --${flag} "…"\nTo find it: ${search.en}`,
  });
}

interface Question<T> {
  readonly flag: Flag;
  readonly text: string;
  readonly resolution: ReturnType<NameIndex<T>["resolve"]>;
  readonly label: (item: T) => string;
}

function resolveScope<T>({ flag, text, resolution, label }: Question<T>): T {
  if (resolution.kind === "found") return resolution.item;
  const { tr, en } = FLAG_TEXTS[flag];
  if (resolution.kind === "ambiguous") {
    const lines = toLines(resolution.candidates.map((item) => label(item)));
    throw new InputError({
      tr: `--${flag} "${text}" birden çok ${tr} olabilir. Kimliğini verin:${lines}`,
      en: `--${flag} "${text}" may be more than one ${en}. Give its id:${lines}`,
    });
  }
  const lines = toLines(resolution.suggestions.map((item) => label(item)));
  const search = SEARCHES[flag];
  throw new InputError({
    tr: `--${flag} "${text}" adında bir ${tr} yok.${lines === "" ? " " : ` Benzerleri:${lines}\n`}Aramak için: ${search.tr}`,
    en: `There is no ${en} called "${text}" (--${flag}).${lines === "" ? " " : ` Similar ones:${lines}\n`}To search: ${search.en}`,
  });
}

function notLeaf(text: string, below: readonly string[]): InputError {
  const lines = toLines(below);
  return new InputError({
    tr: `--category "${text}" bir üst kategori. Altındakilerden birini verin:${lines}`,
    en: `--category "${text}" has other categories below it. Give one of those:${lines}`,
  });
}

const MAX_LINES = 20;

function toLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LINES).map((line) => `\n  ${line}`);
  return shown.join("") + (lines.length > MAX_LINES ? "\n  …" : "");
}
