/** Images of a listed product as the cells that an import reads them from. */

import { type OutCell } from "@catalog/sheets";

export interface ImageCells {
  /** At most eight. */
  readonly numbered: readonly string[];
  /** The others in one cell, a line each. */
  readonly rest: OutCell;
}

const NUMBERED = 8;

/** An address that a cell for several addresses would not cut in two. */
const ADDRESS = /^https:\/\/[^\s;|]+$/iu;

/**
 * All of them or none: an import would take what is left out for images to be removed, and one that
 * comes twice for one too many.
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
