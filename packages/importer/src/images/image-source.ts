/** Where the pictures of a file lie: a folder or zip that is named, or a zip beside the file. */

import { stat } from "node:fs/promises";

import { type OpenPicturesOptions } from "./row-images.ts";

/** The file, and what is asked of its pictures. */
export type SourceOptions = Pick<OpenPicturesOptions, "path"> & Partial<OpenPicturesOptions>;

/** The folder or zip, whether it is there or not; `undefined` where none is asked for. */
export async function findSource({ pictures, path }: SourceOptions): Promise<string | undefined> {
  if (pictures?.mode === "off") return undefined;
  return pictures?.source ?? (await zipBeside(path));
}

/** A zip of the same name beside the sheet holds its pictures. */
async function zipBeside(path: string): Promise<string | undefined> {
  const zip = path.replace(/\.[^./\\]+$/u, ".zip");
  const stats = zip === path ? undefined : await stat(zip).catch(() => undefined);
  return stats?.isFile() === true ? zip : undefined;
}

/** Whether a folder or zip can be looked into. */
export async function isThere(source: string): Promise<boolean> {
  return (await stat(source).catch(() => undefined)) !== undefined;
}
