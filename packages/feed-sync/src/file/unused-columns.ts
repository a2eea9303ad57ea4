/** Names the columns of a feed that a sync does not use. */

import { formatNumber, type Localized } from "@catalog/i18n";
import { isOwnResultHeader, type ColumnMapping } from "@catalog/mapping";

const MAX_NAMED = 20;

/** Headers of the columns that are neither sent nor tell the product, in the order of the feed. */
export const listUnused = ({
  columns,
  variantHeaders,
}: Pick<ColumnMapping, "columns" | "variantHeaders">): readonly string[] =>
  columns
    .filter(({ header, target }) => target.kind !== "field" && !variantHeaders.has(header))
    .filter(({ header }) => header !== "" && !isOwnResultHeader(header))
    .map(({ header }) => header);

/** One line about these columns; empty where there are none. */
export function describeUnused(headers: readonly string[]): readonly Localized[] {
  if (headers.length === 0) return [];
  const more = headers.length > MAX_NAMED ? ", …" : "";
  const list =
    headers
      .slice(0, MAX_NAMED)
      .map((header) => `“${header}”`)
      .join(", ") + more;
  return [
    {
      tr: `Eşitleme yalnız stok ve fiyat gönderir; kullanılmayan ${formatNumber(headers.length, "tr")} sütun: ${list}.`,
      en: `A sync sends stock and price only; ${headers.length === 1 ? "1 column is" : `${formatNumber(headers.length, "en")} columns are`} not used: ${list}.`,
    },
  ];
}
