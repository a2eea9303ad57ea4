/** An export of Shopify, after its documented format, and the products that the shop shows. */

import type { Category } from "@catalog/contract";
import { createSandboxCatalog } from "@catalog/sandbox";

export type Row = Readonly<Record<string, string>>;

const catalog = createSandboxCatalog();
/** A category without others below it. */
export const LEAF: Category | undefined = catalog.categories.find(({ id }) => catalog.isLeaf(id));
const category = LEAF?.category_path ?? "";
const brands = LEAF === undefined ? [] : catalog.brands(LEAF.id);

/** Headers of the export of Shopify, in its order. */
export const SHOPIFY_HEADERS: readonly string[] = [
  "Handle|Title|Body (HTML)|Vendor|Product Category|Type|Tags|Published|",
  "Option1 Name|Option1 Value|Option2 Name|Option2 Value|Option3 Name|Option3 Value|",
  "Variant SKU|Variant Grams|Variant Inventory Tracker|Variant Inventory Qty|",
  "Variant Inventory Policy|Variant Fulfillment Service|Variant Price|",
  "Variant Compare At Price|Variant Requires Shipping|Variant Taxable|",
  "Variant Barcode|Image Src|Image Position|Image Alt Text|Gift Card|SEO Title|",
  "SEO Description|Variant Image|Variant Weight Unit|Variant Tax Code|Cost per item|",
  "Status",
]
  .join("")
  .split("|");

const COLOURS = ["Kırmızı", "Mavi", "Yeşil"];
const SIZES = ["S", "M", "L"];

/** The address of an image. */
export const imageOf = (n: number, position: number): string =>
  `https://cdn.ornek.example/${n}-${position}.jpg`;

/** A product as its shop shows it. */
export interface Shown {
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly price: number;
  readonly stock: number;
  readonly images: readonly string[];
  readonly brand: unknown;
}

/** The rows of a product, and the products that they become. */
export interface Export {
  readonly rows: readonly Row[];
  readonly expected: readonly Shown[];
}

interface Variant {
  readonly colour: string;
  readonly size: string;
}

const VARIANTS = COLOURS.flatMap((colour) => SIZES.map((size): Variant => ({ colour, size })));

/** What the first row of a product says of all its rows. */
const firstCells = (n: number, hasOptions: boolean): Row => ({
  Title: `Ürün ${n}`,
  "Body (HTML)": descriptionOf(n),
  Vendor: brands[n % 6]?.name ?? "",
  "Product Category": category,
  Tags: "yaz, yeni",
  Published: "true",
  "Option1 Name": hasOptions ? "Renk" : "Title",
  "Option2 Name": hasOptions ? "Beden" : "",
  "Gift Card": "false",
  Status: "active",
});

const descriptionOf = (n: number): string => `<p>Ürün ${n}: <strong>pamuk</strong> &amp; keten</p>`;

const variantCells = (n: number, index: number, variant: Variant | undefined): Row => ({
  "Option1 Value": variant?.colour ?? "Default Title",
  "Option2 Value": variant?.size ?? "",
  "Variant SKU": `SH-${n}-${index}`,
  "Variant Grams": "250",
  "Variant Inventory Tracker": "shopify",
  "Variant Inventory Qty": String(n + index),
  "Variant Inventory Policy": "deny",
  "Variant Fulfillment Service": "manual",
  "Variant Price": `${100 + n}.${index}0`,
  "Variant Requires Shipping": "true",
  "Variant Taxable": "true",
  "Variant Weight Unit": "kg",
  "Variant Image": variant?.colour === "Mavi" ? imageOf(n, 2) : "",
});

/** A product as the export writes it: variants and images side by side, from its first row on. */
export function exportProduct(n: number): Export {
  const variants = n % 4 === 0 ? [undefined] : VARIANTS.slice(0, 1 + (n % 7));
  const images = Array.from({ length: n % 5 }, (_, index) => imageOf(n, index + 1));
  const rows = Array.from({ length: Math.max(variants.length, images.length) }, (_, at): Row => {
    const image = images[at];
    return {
      Handle: `urun-${n}`,
      ...(at === 0 && firstCells(n, variants[0] !== undefined)),
      ...(at < variants.length && variantCells(n, at, variants[at])),
      ...(image !== undefined && { "Image Src": image, "Image Position": String(at + 1) }),
    };
  });
  const expected = variants.map((variant, index): Shown => ({
    code: `SH-${n}-${index}`,
    title: variant === undefined ? `Ürün ${n}` : `Ürün ${n} ${variant.colour} ${variant.size}`,
    description: descriptionOf(n),
    price: (100 + n) * 100 + index * 10,
    stock: n + index,
    images: [...new Set([...(variant?.colour === "Mavi" ? [imageOf(n, 2)] : []), ...images])],
    brand: brands[n % 6]?.id,
  }));
  return { rows, expected };
}
