/** An export of Shopify whose import is killed, and what the store must show afterwards. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Sandbox } from "@catalog/sandbox";

import { exportProduct, SHOPIFY_HEADERS } from "../../helpers/shopify-export.ts";
import { formatRows, MISSING_FLAGS } from "../../helpers/variant-file.ts";
import type { KillFile } from "./kill-scenario.ts";

export interface VariantExport {
  /** Rows of the file: variants, and images that stand alone. */
  readonly rows: number;
  readonly write: (folder: string) => Promise<KillFile>;
  /** Products that are not as the shop shows them, in words. */
  readonly compare: (sandbox: Sandbox) => readonly string[];
}

/** Products without an image cannot be added; every fifth one has none. */
export function createVariantExport(products: number): VariantExport {
  const numbers = Array.from({ length: products }, (_, at) => at + 1 + Math.floor(at / 4));
  const all = numbers.map((n) => exportProduct(n));
  const rows = all.flatMap((product) => product.rows);
  const expected = new Map(
    all.flatMap((product) => product.expected.map((one) => [one.code, one])),
  );
  return {
    rows: rows.length,
    async write(folder) {
      const path = join(folder, "urunler.csv");
      writeFileSync(path, formatRows(SHOPIFY_HEADERS, rows));
      return { path, flags: [...MISSING_FLAGS, "--images", "off"] };
    },
    compare: (sandbox) =>
      sandbox.products().flatMap(({ product_code: code, ...product }) => {
        const { title, description, price, stock_count: stock, images, brand_id: brand } = product;
        const found = { code, title, description, price, stock, images, brand };
        const wanted = expected.get(code);
        return JSON.stringify(found) === JSON.stringify(wanted)
          ? []
          : [`${code} is not as the shop shows it`];
      }),
  };
}
