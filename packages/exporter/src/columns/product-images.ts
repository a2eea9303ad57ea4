/** Images of a listed product as the cells that an import reads them from. */

import type { OutCell } from "@catalog/sheets";

export interface ImageCells {
  /** At most eight image URLs, one a column. */
  readonly numbered: readonly string[];
  /** The other URLs in one cell, one a line. */
  readonly rest: OutCell;
}

const NUMBERED = 8;

/** A URL that a cell of several URLs does not split. */
const ADDRESS = /^https:\/\/[^\s;|]+$/iu;

/**
 * Writes all images or none: an import would remove images that are left out, and refuse a
 * duplicate as one too many.
 */
export function imageCells(images: readonly unknown[] | null | undefined): ImageCells {
  const addresses = (images ?? []).filter((image) => typeof image === "string");
  const isWhole =
    addresses.length === (images ?? []).length &&
    new Set(addresses).size === addresses.length &&
    addresses.every((address) => ADDRESS.test(address) && !/[,]https?:/iu.test(address));
  if (!isWhole) return { numbered: [], rest: null };
  const rest = addresses.slice(NUMBERED).join("\n");
  return { numbered: addresses.slice(0, NUMBERED), rest: rest === "" ? null : rest };
}
