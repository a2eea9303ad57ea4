import type { MappedRow } from "@catalog/mapping";

import type { SentImages } from "./row-images.ts";

/**
 * Gives a row that names files the images that were sent for it before, or none where the update
 * did not change them. `undefined` where the row names no file, and where the number of images
 * differs, as they can then not be matched.
 */
export async function reuseSentImages(
  mapped: MappedRow,
  sentImages: SentImages | undefined,
): Promise<MappedRow | undefined> {
  if (!mapped.imageFiles.some(({ kind }) => kind === "file")) return undefined;
  const sent = await sentImages?.(mapped.row);
  if (sent === undefined) return undefined;
  const { images: _named, ...others } = mapped.changes;
  if (sent.images === undefined) {
    // If the row becomes an add after all, the missing images are reported at their cell.
    const given = mapped.given.filter((field) => !field.startsWith("image"));
    return { ...mapped, changes: others, given, imageFiles: [] };
  }
  if (sent.images.length !== mapped.imageFiles.length) return undefined;
  return { ...mapped, changes: { ...others, images: sent.images } };
}
