/** Writes commands and paths of a text as they are typed in the person's shell. */

import { sep } from "node:path";

import { nameProgram } from "@catalog/i18n";

/** What the person types, and where. */
export interface Shell {
  /** @default catalog */
  readonly program?: string | undefined;
  /** @default paths stay as they are */
  readonly cwd?: string | undefined;
}

/** Names the program in commands, and leaves the shell's folder out of paths. */
export function adaptToShell(text: string, { program = "catalog", cwd }: Shell): string {
  const named = nameProgram(text, program);
  if (cwd === undefined || cwd.endsWith(sep) || !named.includes(cwd)) return named;
  return named.replaceAll(insideOf(cwd), "");
}

/** The folder at the beginning of a path of a file in it; `file:///home/…` is no such path. */
const insideOf = (folder: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_./\\-])${escape(folder + sep)}(?=\S)`, "gu");

const escape = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
