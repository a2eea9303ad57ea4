/** The address of the first of a product's images, in either of the two shapes; `null` without one. */
export function firstImage(images: unknown): string | null {
  const first: unknown = Array.isArray(images) ? images[0] : undefined;
  if (typeof first === "string") return first;
  return typeof first === "object" && first !== null && "url" in first ? String(first.url) : null;
}
