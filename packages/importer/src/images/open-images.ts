/**
 * Opens the checks of a file's images; the code of the checks is loaded only where they are asked
 * for.
 */

import { basename } from "node:path";

import { type Connection, CatalogError } from "@catalog/connection";

import { findSource, isThere, type SourceOptions } from "./image-source.ts";
import type { OpenImagesOptions, RowImages } from "./row-images.ts";

/** Without image options no request is made and rows stay as they are. */
const UNTOUCHED: RowImages = {
  settings: { mode: "off" },
  takesFiles: false,
  resolve: (mapped) => ({ mapped, imageIssues: [] }),
  finish: () => Promise.resolve([]),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Opens what the options ask for, and starts checking the images. */
export async function openImages(
  connection: Connection,
  options: OpenImagesOptions,
): Promise<RowImages> {
  const source = await findSource(options);
  const mode = options.images?.mode ?? (source === undefined ? "off" : "strict");
  if (mode === "off") return UNTOUCHED;
  const { startImages } = await import("./start-images.ts");
  return await startImages({ connection, options, source, mode });
}

/**
 * Throws {@link CatalogError} where the named image source is missing or cannot be opened, before
 * anything is stored.
 */
export async function checkImageSource(options: SourceOptions): Promise<void> {
  const source = await findSource(options);
  if (source === undefined) return;
  if (!(await isThere(source))) {
    if (options.images?.maySourceBeGone === true) return;
    throw new CatalogError("E_IMAGES_SOURCE", basename(source));
  }
  const { openSource } = await import("./start-images.ts");
  const imageSource = await openSource(source, options.images?.limits);
  await imageSource[Symbol.asyncDispose]();
}
