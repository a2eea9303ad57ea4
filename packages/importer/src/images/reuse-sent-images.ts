import { type MappedRow } from "@catalog/mapping";

import { type SentImages } from "./open-images.ts";

/**
 * Gives a row that names files the images that were sent for it before, and none where the update
 * left them alone. Nothing where the row names no file, and where fewer or more were sent, because
 * then nobody can say which is which.
 */
export async function reuseSent(
  mapped: MappedRow,
  sentImages: SentImages | undefined,
): Promise<MappedRow | undefined> {
  if (!mapped.pictures.some(({ kind }) => kind === "file")) return undefined;
  const sent = await sentImages?.(mapped.row);
  if (sent === undefined) return undefined;
  const { images: _named, ...others } = mapped.changes;
  if (sent.images === undefined) {
    // Should it become an add after all, the images are missing at their cell.
    const given = mapped.given.filter((field) => !field.startsWith("image"));
    return { ...mapped, changes: others, given, pictures: [] };
  }
  if (sent.images.length !== mapped.pictures.length) return undefined;
  return { ...mapped, changes: { ...others, images: sent.images } };
}
