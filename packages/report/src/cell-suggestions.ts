/** What the cells of a file that is corrected offer in a list; other values may be typed. */

import { type Connection, createStoredNameLists } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import {
  createNameIndexes,
  findField,
  labelLeaves,
  labelNames,
  type NameChoice,
  type NameIndexes,
} from "@catalog/mapping";
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

/** The list of a field that accepts only certain words; none for any other. */
export function suggestWords(field: string, lang: Lang): Suggestions {
  const words = findField(field)?.keywords?.map((word) => word[lang]);
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
    category: async () => toLabels(labelLeaves((await indexes.categories()).items)),
    brand: async () => await listBrands(indexes, { ids, texts }),
    shipping_template: async () =>
      toLabels(
        labelNames(
          (await indexes.templates()).items.map(({ id, template_name: name }) => ({ id, name })),
        ),
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
  return toLabels(labelNames([...new Map(sold.flat().map((brand) => [brand.id, brand])).values()]));
}

const toLabels = (choices: readonly NameChoice[]): readonly string[] =>
  choices.map(({ label }) => label);
