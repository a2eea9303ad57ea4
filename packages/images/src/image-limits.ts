/** Limits on the resources that images may use; `docs/limits.md` lists them for people. */

export interface ImageLimits {
  /** Maximum size of an original in a folder or a zip, in MB. @default 40 */
  readonly imageMb: number;
  /** Maximum size of an image at an address, in MB. @default 15 */
  readonly imageDownloadMb: number;
  /** Maximum time of its download in seconds, redirects included. @default 20 */
  readonly imageDownloadSeconds: number;
  /** Maximum number of pixels that are decoded, in millions. @default 50 */
  readonly imageMegapixels: number;
  /** Maximum number of entries of a zip of images. @default 250000 */
  readonly imageZipEntries: number;
  /** Maximum compression ratio of an image in a zip; images hardly compress further. @default 200 */
  readonly imageZipRatio: number;
  /** Maximum heap of a process that decodes images, in MB. @default 256 */
  readonly decoderHeapMb: number;
  /** Maximum time to decode one image, in seconds. @default 30 */
  readonly decoderSeconds: number;
}

/** The limits that apply unless settings change them. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  imageMb: 40,
  imageDownloadMb: 15,
  imageDownloadSeconds: 20,
  imageMegapixels: 50,
  imageZipEntries: 250_000,
  imageZipRatio: 200,
  decoderHeapMb: 256,
  decoderSeconds: 30,
};

/** Bytes of a megabyte, the unit of these limits. */
export const MB: number = 1024 * 1024;
