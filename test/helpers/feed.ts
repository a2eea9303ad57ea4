/** Feeds of a sandbox's products. */

import { writeFileSync } from "node:fs";

import type { Sandbox } from "@catalog/sandbox";

import type { TestStore } from "./markets/test-store.ts";
import { writeText } from "./product-sheet.ts";

export interface FeedLine {
  readonly code: string;
  readonly stock: number;
  readonly priceMinor: number;
}

/** The store's products as lines of a feed. */
export const readStore = (sandbox: Pick<Sandbox, "products">): readonly FeedLine[] =>
  sandbox.products().map(({ product_code, stock_count, price }) => ({
    code: product_code,
    stock: stock_count,
    priceMinor: price,
  }));

export const formatFeed = (lines: readonly FeedLine[]): string =>
  [
    "Ürün Kodu;Stok;Fiyat",
    ...lines.map(({ code, stock, priceMinor }) => {
      const [lira, kurus] = (priceMinor / 100).toFixed(2).split(".");
      return `${code};${stock};${lira},${kurus}`;
    }),
    "",
  ].join("\r\n");

/** Writes a feed in the format of most systems. */
export function writeFeed(path: string, lines: readonly FeedLine[]): string {
  writeFileSync(path, formatFeed(lines));
  return path;
}

/** Writes new prices of the store's products, in their order, as a file of two columns. */
export function writePrices(
  { sandbox, folder }: Pick<TestStore, "sandbox" | "folder">,
  toMinor: (priceMinor: number, index: number) => number,
): string {
  const lines = sandbox.products().map(({ product_code: code, price }, index) => {
    const lira = (toMinor(price, index) / 100).toFixed(2).replace(".", ",");
    return `${code};${lira}`;
  });
  return writeText(folder, "fiyat.csv", ["Ürün Kodu;Fiyat", ...lines]);
}
