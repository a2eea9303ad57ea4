/**
 * Rows that are left out because their first cell begins with `#`, reported so that no product is
 * lost unseen.
 */

import { cellAddress, type ColumnMapping, type SourceRow } from "@catalog/mapping";
import type { RunWarning } from "@catalog/runs";

/** Collects the rows that are left out. */
export interface CommentedOutRows {
  note(row: SourceRow): void;
  /** The warning; `undefined` where no row was left out. */
  toWarning(): RunWarning | undefined;
}

const MAX_NAMED = 10;

/** Fields that the first column of products holds; a `#` in such a row is rarely a remark. */
const FIRST_FIELDS: ReadonlySet<string> = new Set(["product_code", "title"]);

export function createCommentedOutRows({
  columns,
}: Pick<ColumnMapping, "columns">): CommentedOutRows {
  const rows: number[] = [];
  const products: string[] = [];
  let [count, productCount] = [0, 0];
  const [first, ...others] = columns;
  const isFirstField = first?.target.kind === "field" && FIRST_FIELDS.has(first.target.field);
  const values = others.filter(({ target }) => target.kind === "field").map(({ index }) => index);

  return {
    note({ row, cells }) {
      const text = toText(cells[0]);
      if (!text.startsWith("#")) return;
      count += 1;
      if (rows.length < MAX_NAMED) rows.push(row);
      if (!isFirstField || values.every((index) => toText(cells[index]) === "")) return;
      productCount += 1;
      if (products.length < MAX_NAMED) products.push(`${cellAddress(0, row)} “${text}”`);
    },
    toWarning() {
      if (count === 0) return undefined;
      const named = list(rows, count);
      const tr = `# ile başlayan ${count} satır açıklama sayıldı ve atlandı (satır ${named}).`;
      const en = `Rows that start with # are remarks and were left out: ${count} (row ${named}).`;
      if (productCount === 0) return { code: "W_REMARKS", message: { tr, en } };
      const like = list(products, productCount);
      const message = {
        tr: `${tr} Ürüne benzeyenler: ${like}. Ürünse, # ile başlayan sütun dosyanın ilk sütunu olmasın.`,
        en: `${en} These look like products: ${like}. If they are, let another column be the first one of the file.`,
      };
      return { code: "W_REMARKS", message };
    },
  };
}

const toText = (cell: SourceRow["cells"][number] | undefined): string => String(cell ?? "").trim();

const list = (named: readonly (number | string)[], count: number): string =>
  named.join(", ") + (count > named.length ? ", …" : "");
