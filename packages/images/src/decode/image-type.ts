/** The types of images that are opened, detected by their first bytes and never by their name. */

export type ImageType = "jpeg" | "png" | "webp";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
const WEBP_OFFSET = 8;

/** The type that the first bytes claim; only decoding proves it. */
export function detectType(bytes: Uint8Array): ImageType | undefined {
  const has = (signature: readonly number[], offset = 0): boolean =>
    signature.every((byte, index) => bytes[offset + index] === byte);
  if (has(JPEG)) return "jpeg";
  if (has(PNG)) return "png";
  return has(RIFF) && has(WEBP, WEBP_OFFSET) ? "webp" : undefined;
}
