/** The words with which a person starts this program from the shell and the folder at hand. */

import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { quoteWord } from "@catalog/i18n";

export interface ProgramNameOptions {
  /** Value of `PATH`, to which npm and npx add their own folders. */
  readonly path: string | undefined;
  /** @default any folder: the words must start the program from each */
  readonly cwd?: string | undefined;
  /** The Node that runs now. */
  readonly node: string;
  /** File that Node was started with. */
  readonly entry: string;
  readonly platform: NodeJS.Platform;
}

/** A folder that npm or npx has put in front of `PATH`; it is not on that of the shell. */
const ADDED_FOLDER = /[/\\]node_modules[/\\]\.bin[/\\]?$/u;

/**
 * `catalog` where it is installed, `npx catalog` in a checkout. Elsewhere the path of the checkout's
 * own command, or else those of this Node and of the program's file: the shell's `node` may be one
 * that is too old for the program.
 */
export function findProgramName(options: ProgramNameOptions): string {
  const { path, cwd, node, entry, platform } = options;
  const file = platform === "win32" ? "catalog.cmd" : "catalog";
  const folders = (path ?? "").split(delimiter).filter((each) => !ADDED_FOLDER.test(each));
  if (folders.some((folder) => folder !== "" && existsSync(join(folder, file)))) return "catalog";
  if (cwd !== undefined && findBin(cwd, [file]) !== undefined) return "npx catalog";
  // Without the pinned Node beside it, the command would start the one of the shell.
  const bin = findBin(dirname(entry), [file, "node"]);
  return bin === undefined ? `${quoteWord(node)} ${quoteWord(entry)}` : quoteWord(join(bin, file));
}

/** The nearest folder of commands, here or further up, that has the given ones. */
function findBin(folder: string, files: readonly string[]): string | undefined {
  return parentsOf(folder)
    .map((each) => join(each, "node_modules", ".bin"))
    .find((bin) => files.every((file) => existsSync(join(bin, file))));
}

function parentsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}

/** Whether the words are paths, which no person would type. */
export const isPathName = (program: string): boolean =>
  program !== "catalog" && program !== "npx catalog";
