/**
 * Which files of a folder or an archive are tables, by their names: one list, so that no place takes
 * a file that another one passes over for an older one.
 */

/** What office programs, ERPs and shops write, and all of it can be read. */
const TABLE = /\.(?:csv|tsv|txt|xlsx|xlsm|xls|ods|fods|json|jsonl|ndjson|xml)$/iu;

/** What a Mac adds, hidden files and those of a running program, and what explains the others. */
const OTHER =
  /^__MACOSX\/|(?:^|\/)(?:[.~][^/]*|(?:read_?me|(?:beni)?[-_ ]?oku|licen[cs]e)\b[^/]*)$/iu;

/** Whether a file of an archive is a table by its path. */
export function isTableName(path: string): boolean {
  const name = path.replaceAll("\\", "/");
  return TABLE.test(name) && !OTHER.test(name);
}

/** Whether a file of a folder is a table by its name; it may be compressed. */
export const isTableFileName = (name: string): boolean =>
  /\.zip$/iu.test(name) ? !OTHER.test(name) : isTableName(name.replace(/\.gz$/iu, ""));
