/** What the cells of a file that is corrected offer in a list; other values may be typed. */

import { type Connection, createStoredNameLists } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { createNameIndexes, formatPath, type NameIndexes, VALUE_KEYWORDS } from "@catalog/mapping";
import type { RowRecord, RunRecord } from "@catalog/runs";
import type { XlsxColumn } from "@catalog/sheets";

import { fieldsOf } from "./sheet-layout.ts";

type CategoryId = Parameters<NameIndexes["brands"]>[0];
type Suggestions = Pick<XlsxColumn, "suggestions">;

export interface CellSuggestions {
  /** The list of a column of the input. */
  ofColumn(index: number): Suggestions;
  /** Reads the category of a row, whose brands are offered. */
  note(record: Pick<RowRecord, "cells" | "payload">): void;
}

/** Words of a field that accepts no others. */
const WORDS: Readonly<Record<string, readonly { readonly tr: string; readonly en: string }[]>> = {
  action: VALUE_KEYWORDS.action,
  currency: VALUE_KEYWORDS.currency,
  warranty_type: VALUE_KEYWORDS.warranty_type,
  warranty_period: VALUE_KEYWORDS.warranty_period,
  discount_type: VALUE_KEYWORDS.discount_type,
  condition: VALUE_KEYWORDS.condition,
  custom_order: VALUE_KEYWORDS.yes_no,
};

/** The list of a field that accepts only certain words; none for any other. */
export function suggestWords(field: string, lang: Lang): Suggestions {
  const words = WORDS[field]?.map((word) => word[lang]);
  return words === undefined ? {} : { suggestions: async () => words };
}

/** Creates the lists of a run; names are those of the lists that were fetched last. */
export function createCellSuggestions(
  { memory, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  run: RunRecord,
): CellSuggestions {
  const indexes = createNameIndexes(createStoredNameLists({ cache: memory.names, baseUrl }));
  const fields = fieldsOf(run);
  const categoryAt = fields.indexOf("category");
  const ids = new Set<CategoryId>();
  const texts = new Set<string>();
  const names: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    category: async () => await listCategories(indexes),
    brand: async () => await listBrands(indexes, { ids, texts }),
    shipping_template: async () =>
      toLabels(
        (await indexes.templates()).items.map(({ id, template_name: name }) => ({ id, name })),
      ),
  };
  return {
    ofColumn(index) {
      const field = fields[index] ?? "";
      const suggestions = names[field];
      return suggestions === undefined ? suggestWords(field, run.lang) : { suggestions };
    },
    note({ cells, payload }) {
      const text = String(cells[categoryAt] ?? "").trim();
      if (payload?.category_id !== undefined) ids.add(payload.category_id);
      else if (text !== "") texts.add(text);
    },
  };
}

async function listCategories(indexes: NameIndexes): Promise<readonly string[]> {
  const leaves = (await indexes.categories()).items.filter(({ children }) => children.length === 0);
  const paths = Map.groupBy(leaves, ({ parts }) => formatPath(parts));
  const labels = [...paths].flatMap(([path, same]) =>
    // The end of a path with an id would be ambiguous.
    same.length === 1 ? [path] : same.map(({ category: { id, name } }) => suffixed(name, id)),
  );
  return labels.toSorted(BY_LABEL.compare);
}

interface RowCategories {
  readonly ids: ReadonlySet<CategoryId>;
  /** Texts of the file. */
  readonly texts: ReadonlySet<string>;
}

async function listBrands(
  indexes: NameIndexes,
  { ids, texts }: RowCategories,
): Promise<readonly string[]> {
  const categories = await indexes.categories();
  const named = [...texts].flatMap((text) => {
    const found = categories.resolve(text);
    return found.kind === "found" ? [found.item.category.id] : [];
  });
  const sold = await Promise.all(
    [...new Set([...ids, ...named])].map(async (id) => (await indexes.brands(id)).items),
  );
  return toLabels([...new Map(sold.flat().map((brand) => [brand.id, brand])).values()]);
}

const BY_LABEL = new Intl.Collator("tr", { numeric: true });

/** A name that is not unique has the end of its id appended, which an import removes. */
function toLabels(
  items: readonly { readonly id: string; readonly name: string }[],
): readonly string[] {
  const labels = [...Map.groupBy(items, ({ name }) => name)].flatMap(([name, same]) =>
    same.length === 1 ? [name] : same.map(({ id }) => suffixed(name, id)),
  );
  return labels.toSorted(BY_LABEL.compare);
}

const suffixed = (name: string, id: string): string => `${name} [${id.slice(-4)}]`;
