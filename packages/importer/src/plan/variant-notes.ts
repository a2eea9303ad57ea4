/** Notes on products with variants: how many there are, and what was taken from parent rows. */

import type { Localized } from "@catalog/i18n";
import { type ColumnMapping, DEFAULT_TITLE_PATTERN, type RowMapper } from "@catalog/mapping";

import type { JoinedRows } from "../file/join-rows.ts";

export interface VariantNoteFacts {
  readonly joined: JoinedRows | undefined;
  readonly mapping: Pick<ColumnMapping, "columns">;
  /** Columns of unknown headers count as taken only where they are properties. */
  readonly mapper: Pick<RowMapper, "propertyColumns">;
  /** Pattern of the titles of variants. @default the pattern of the mapping package */
  readonly pattern: string | undefined;
}

/** No line for a file without variants and without rows that are no products. */
export function toVariantNotes({
  joined,
  mapping,
  mapper,
  pattern,
}: VariantNoteFacts): readonly Localized[] {
  if (joined === undefined) return [];
  const lines = [
    joined.variants === 0 ? undefined : noteVariants(joined, pattern ?? DEFAULT_TITLE_PATTERN),
    noteTaken(joined, mapping, mapper),
    noteOthers(joined),
  ];
  return lines.filter((line) => line !== undefined);
}

const noteVariants = (
  { products, variants, withVariants }: JoinedRows,
  pattern: string,
): Localized => ({
  tr: `${withVariants === 0 ? "" : `${withVariants} ürün, `}${variants} varyant satırı: her varyant ayrı bir ürün olur, başlığı “${pattern}” kalıbıyla kurulur (--variant-title).${
    products === 0 ? "" : ` Varyantsız: ${products} ürün.`
  }`,
  en: `${withVariants === 0 ? "" : `${count(withVariants, "product")}, `}${count(variants, "variant row")}: each variant becomes a product, its title made by “${pattern}” (--variant-title).${
    products === 0 ? "" : ` Without variants: ${count(products, "product")}.`
  }`,
});

function noteTaken(
  { takenColumns }: JoinedRows,
  { columns }: Pick<ColumnMapping, "columns">,
  { propertyColumns }: Pick<RowMapper, "propertyColumns">,
): Localized | undefined {
  const taken = columns.filter(
    ({ index, target }) =>
      takenColumns.has(index) && (target.kind !== "unknown" || propertyColumns.has(index)),
  );
  if (taken.length === 0) return undefined;
  const list = taken.map(({ header }) => header).join(", ");
  return {
    tr: `Varyant satırlarında boş olup ana satırdan alınan sütunlar: ${list}.`,
    en: `Columns that are empty in variant rows and were taken from the parent row: ${list}.`,
  };
}

function noteOthers({ parents, images }: JoinedRows): Localized | undefined {
  if (parents + images === 0) return undefined;
  const tr = [
    ...(parents === 0 ? [] : [`${parents} ana satır`]),
    ...(images === 0 ? [] : [`${images} görsel satırı`]),
  ];
  const en = [
    ...(parents === 0 ? [] : [count(parents, "parent row")]),
    ...(images === 0 ? [] : [count(images, "image row")]),
  ];
  return {
    tr: `Kendisi ürün olmayan satırlar (atlandı sayılır): ${tr.join(", ")}.`,
    en: `Rows that are no products themselves (counted as skipped): ${en.join(", ")}.`,
  };
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
