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

const INSTALLED = "catalog";
const IN_CHECKOUT = "npx catalog-toolkit";

/** Files of the two commands that the package installs, the short one first. */
const COMMANDS = ["catalog", "catalog-toolkit"] as const;
const WINDOWS_COMMANDS = ["catalog.cmd", "catalog-toolkit.cmd"] as const;

/** A folder that npm or npx has put in front of `PATH`; it is not on that of the shell. */
const ADDED_FOLDER = /[/\\]node_modules[/\\]\.bin[/\\]?$/u;

/**
 * `catalog` where it is installed, `npx catalog-toolkit` in a checkout. Never `npx catalog`: where
 * the program is not found, npx would fetch the package of that name, which is another one.
 * Elsewhere the path of the package's or checkout's own command, or else those of this Node and of
 * the program's file: the shell's `node` may be one that is too old for the program.
 */
export function findProgramName(options: ProgramNameOptions): string {
  const { path, cwd, node, entry, platform } = options;
  const [short, long] = platform === "win32" ? WINDOWS_COMMANDS : COMMANDS;
  const folders = (path ?? "").split(delimiter).filter((each) => !ADDED_FOLDER.test(each));
  const first = folders.find((folder) => folder !== "" && existsSync(join(folder, short)));
  // Another package has a command of the short name; the long one beside it is ours alone.
  if (first !== undefined && existsSync(join(first, long))) return INSTALLED;
  if (cwd !== undefined && findBin(cwd, [long]) !== undefined) return IN_CHECKOUT;
  // The command of a package chooses the Node that it needs.
  const packed = join(dirname(entry), "..", "bin", "catalog.js");
  if (existsSync(packed)) return quoteWord(packed);
  // Without the pinned Node beside it, the command would start the one of the shell.
  const bin = findBin(dirname(entry), [long, "node"]);
  return bin === undefined ? `${quoteWord(node)} ${quoteWord(entry)}` : quoteWord(join(bin, long));
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
  program !== INSTALLED && program !== IN_CHECKOUT;
