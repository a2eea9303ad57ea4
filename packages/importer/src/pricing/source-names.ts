/**
 * The names by which price rules know where rows come from. Every command asks here, so that a rule
 * means the same in all of them.
 */

import { basename } from "node:path";

import { bareAddress, isAddress } from "@catalog/i18n";

/** Where rows come from. */
interface RowSource {
  /** Path of a file, or the address of a feed or table. */
  readonly file: string;
  /** Name of the column profile that is used. */
  readonly profile?: string | undefined;
}

/**
 * Names a source: its profile; for an address the whole one without its secrets, its host with and
 * without the port, and the last part of its path; for a file its name. Each name of a file comes
 * with and without its endings.
 */
export function nameSource({ file, profile }: RowSource): readonly string[] {
  const names = isAddress(file) ? nameLink(file) : nameFile(basename(file));
  return [...new Set([...(profile === undefined ? [] : [profile]), ...names])].filter(
    (name) => name !== "",
  );
}

function nameLink(address: string): readonly string[] {
  const { host = "", hostname = "", pathname = "" } = URL.parse(address) ?? {};
  const last = pathname.split("/").findLast((part) => part !== "") ?? "";
  return [bareAddress(address), host, hostname, ...nameFile(last), ...nameFile(decode(last))];
}

const ENDING = /\.[a-z0-9]{1,5}$/iu;

/** `stok.xml.gz`, `stok.xml` and `stok`. */
function nameFile(name: string): readonly string[] {
  const names = [name];
  for (
    let next = name.replace(ENDING, "");
    next !== names.at(-1);
    next = next.replace(ENDING, "")
  ) {
    names.push(next);
  }
  return names;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
