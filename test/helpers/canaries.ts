/**
 * Finds secrets of the sandbox where they have no business. Its tokens and secrets begin with what
 * they are, so every one that a test ever met is found, as it is and as it stands in an address.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SECRET = "sandbox-secret:";
const TOKEN = "sandbox-token:";

/** A beginning alone is a word of the sandbox's code, which Node keeps compiled in a cache. */
const patternOf = (canary: string): RegExp =>
  new RegExp(`(?:${canary}|${encodeURIComponent(canary)})[0-9a-f]{8}`, "u");

const PATTERNS = [SECRET, TOKEN].map((canary) => [canary, patternOf(canary)] as const);

/** The secrets that occur in a text or in bytes, plain or encoded for an address, by beginning. */
export function findCanaries(content: string | Buffer): readonly string[] {
  const text = typeof content === "string" ? content : content.toString("latin1");
  return PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([canary]) => canary);
}

/** The file of a stored login is made to hold the secret, and nothing else may. */
const LOGIN_FILE = "login.json";

/** The token is kept in the table of this name, and in no other place of the database. */
const TOKEN_TABLE = "token";

const DATABASE = "catalog.db";

/** Every file below a folder. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Says which files below a folder hold a secret although they must not; empty when all is well. */
export function findLeaks(folder: string): readonly string[] {
  return filesIn(folder).flatMap((path) =>
    leaksOf(path)
      .filter((canary) => !isAllowed(path, canary))
      .map((canary) => `${canary} in ${path}`),
  );
}

/** The beginnings that occur in a file. */
export const findInFile = (path: string): readonly string[] => findCanaries(readFileSync(path));

function leaksOf(path: string): readonly string[] {
  const inBytes = findInFile(path);
  const isDatabase = basename(path) === DATABASE && inBytes.includes(TOKEN);
  const elsewhere = isDatabase ? findInTables(path) : [];
  return [...inBytes, ...elsewhere];
}

/** A database and its log have the bytes of the token table; its other tables are looked at. */
function isAllowed(path: string, canary: string): boolean {
  const name = basename(path);
  if (canary === SECRET) return name === LOGIN_FILE;
  return canary === TOKEN && name.startsWith(DATABASE);
}

function findInTables(path: string): readonly string[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> ?")
    .all(TOKEN_TABLE);
  return tables.flatMap(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${String(name)}"`).all();
    const found = rows.flatMap((row) => Object.values(row).flatMap((value) => findIn(value)));
    return [...new Set(found)].map((canary) => `${canary} of table ${String(name)}`);
  });
}

const findIn = (value: unknown): readonly string[] =>
  findCanaries(value instanceof Uint8Array ? Buffer.from(value) : String(value));
