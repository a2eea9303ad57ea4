/** The product that a person names by its code or its id. */

import type { Connection } from "@catalog/connection";
import { UsageError } from "@catalog/console";
import { createProductHistory } from "@catalog/importer";

type ProductId = Awaited<ReturnType<ReturnType<typeof createProductHistory>["find"]>>[number];

/** Throws `UsageError` where no product is known by the text, or several share the code. */
export async function findProduct(connection: Connection, text: string): Promise<ProductId> {
  const [id, ...others] = await createProductHistory(connection).find(text);
  if (id === undefined) throw unknownProduct(text);
  if (others.length > 0) throw severalProducts(text, [id, ...others]);
  return id;
}

const severalProducts = (text: string, ids: readonly string[]): UsageError =>
  new UsageError({
    tr: `"${text}" kodunu taşıyan birkaç ürün var; ID'siyle seçin: ${ids.join(", ")}`,
    en: `Several products have the code "${text}"; choose one by its id: ${ids.join(", ")}`,
  });

/** No run of ours has changed it. */
export const unknownProduct = (text: string): UsageError =>
  new UsageError({
    tr: `"${text}" ürününü değiştiren bir çalıştırma yok; çok eskiyse kaydı silinmiş olabilir.`,
    en: `No run has changed the product "${text}"; the records of very old runs may be deleted.`,
  });
