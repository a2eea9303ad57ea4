/** Finds the source of a file's images: a named folder or zip, or a zip beside the file. */

import { stat } from "node:fs/promises";

import type { OpenImagesOptions } from "./row-images.ts";

/** The path of the file, and the options for its images. */
export type SourceOptions = Pick<OpenImagesOptions, "path"> & Partial<OpenImagesOptions>;

/** The path of the folder or zip, which may not exist; `undefined` without one. */
export async function findSource({ images, path }: SourceOptions): Promise<string | undefined> {
  if (images?.mode === "off") return undefined;
  return images?.source ?? (await zipBeside(path));
}

/** A zip beside the sheet with the same name holds its images. */
async function zipBeside(path: string): Promise<string | undefined> {
  const zip = path.replace(/\.[^./\\]+$/u, ".zip");
  const stats = zip === path ? undefined : await stat(zip).catch(() => undefined);
  return stats?.isFile() === true ? zip : undefined;
}

/** Whether a folder or zip can be read. */
export async function isThere(source: string): Promise<boolean> {
  return (await stat(source).catch(() => undefined)) !== undefined;
}
