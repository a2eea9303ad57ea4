/**
 * Opens the checks of a file's images; the code of the checks is loaded only where they are asked
 * for.
 */

import { basename } from "node:path";

import { type Toolkit, ToolkitError } from "@catalog/connection";

import { findSource, isThere, type SourceOptions } from "./image-source.ts";
import { type OpenPicturesOptions, type Pictures } from "./row-images.ts";

/** Without image options no request is made and rows stay as they are. */
const UNTOUCHED: Pictures = {
  settings: { mode: "off" },
  takesFiles: false,
  settle: (mapped) => Promise.resolve({ mapped, pictureIssues: [] }),
  finish: () => Promise.resolve([]),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Opens what the options ask for, and starts checking the images. */
export async function openPictures(
  toolkit: Toolkit,
  options: OpenPicturesOptions,
): Promise<Pictures> {
  const source = await findSource(options);
  const mode = options.pictures?.mode ?? (source === undefined ? "off" : "strict");
  if (mode === "off") return UNTOUCHED;
  const { startPictures } = await import("./start-images.ts");
  return await startPictures({ toolkit, options, source, mode });
}

/**
 * Throws {@link ToolkitError} where the named image source is missing or cannot be opened, before
 * anything is stored.
 */
export async function checkPictureSource(options: SourceOptions): Promise<void> {
  const source = await findSource(options);
  if (source === undefined) return;
  if (!(await isThere(source))) {
    if (options.pictures?.maySourceBeGone === true) return;
    throw new ToolkitError("E_IMAGES_SOURCE", basename(source));
  }
  const { openShelf } = await import("./start-images.ts");
  const shelf = await openShelf(source);
  await shelf[Symbol.asyncDispose]();
}
