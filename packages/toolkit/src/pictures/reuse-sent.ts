import { type MappedRow } from "@catalog/mapping";

import { type SentImages } from "./open-pictures.ts";

/**
 * Gives a row that names files the images that were sent for it before. Nothing where it names none,
 * or where fewer or more were sent, because then nobody can say which is which.
 */
export async function reuseSent(
  mapped: MappedRow,
  sentImages: SentImages | undefined,
): Promise<MappedRow | undefined> {
  if (!mapped.pictures.some(({ kind }) => kind === "file")) return undefined;
  const images = await sentImages?.(mapped.row);
  if (images === undefined || images.length !== mapped.pictures.length) return undefined;
  return { ...mapped, changes: { ...mapped.changes, images } };
}
