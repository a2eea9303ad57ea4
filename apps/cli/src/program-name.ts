/** The words with which a person starts this program from the shell and the folder at hand. */

import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { quoteWord } from "@catalog/i18n";

export interface ProgramNameOptions {
  /** Value of `PATH`, to which npm and npx add their own folders. */
  readonly path: string | undefined;
  readonly cwd: string;
  /** File that Node was started with. */
  readonly entry: string;
  readonly platform: NodeJS.Platform;
}

/** A folder that npm or npx has put in front of `PATH`; it is not on that of the shell. */
const ADDED_FOLDER = /[/\\]node_modules[/\\]\.bin[/\\]?$/u;

/**
 * `catalog` where it is installed, `npx catalog` in a checkout, else `node` with the file of the
 * program.
 */
export function findProgramName({ path, cwd, entry, platform }: ProgramNameOptions): string {
  const file = platform === "win32" ? "catalog.cmd" : "catalog";
  const folders = (path ?? "").split(delimiter).filter((each) => !ADDED_FOLDER.test(each));
  if (folders.some((folder) => folder !== "" && existsSync(join(folder, file)))) return "catalog";
  const isCheckout = parentsOf(cwd).some((folder) =>
    existsSync(join(folder, "node_modules", ".bin", file)),
  );
  return isCheckout ? "npx catalog" : `node ${quoteWord(entry)}`;
}

function parentsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}
