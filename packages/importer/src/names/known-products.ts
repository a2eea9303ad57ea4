/** The store's own products by their titles: what an earlier listing and our adds say of names. */

import type { Connection } from "@catalog/connection";
import {
  createTitleIndex,
  fold,
  type KnownProduct,
  type NameIndexes,
  type TitleIndex,
} from "@catalog/mapping";

/** Products read of the listing, and of the adds; a title takes about a kilobyte in the index. */
const MAX_LISTED = 30_000;
const MAX_ADDED = 10_000;

/**
 * Indexes the products of the last listing and of our adds. It makes no call and stores nothing. A
 * category that the listing names by the name of several counts for none.
 */
export async function indexKnownProducts(
  { journal }: Pick<Connection, "journal">,
  lists: Pick<NameIndexes, "categories">,
): Promise<TitleIndex> {
  const added = await journal.readAddedTitles(MAX_ADDED);
  const listed = await journal.readSeenTitles(MAX_LISTED);
  const categories = await lists.categories();
  const byName = new Map<string, string | undefined>();
  const findCategory = (name: string): string | undefined => {
    if (byName.has(name)) return byName.get(name);
    const found = categories.resolve(name);
    const id = found.kind === "found" ? found.item.category.id : undefined;
    byName.set(name, id);
    return id;
  };
  // Our adds say more than the listing does of the same products.
  const titles = new Set(added.map(({ title }) => fold(title)));
  const products = [...added, ...listed.filter(({ title }) => !titles.has(fold(title)))].map(
    ({ title, categoryId, categoryName, brandId, model }): KnownProduct => ({
      title,
      category: categoryId ?? (categoryName === null ? undefined : findCategory(categoryName)),
      brand: brandId ?? undefined,
      model: model ?? undefined,
    }),
  );
  return createTitleIndex(products.filter(({ title }) => title !== ""));
}
