/**
 * Finds secrets of the sandbox where they must not be. Its tokens and secrets have known prefixes,
 * so every one is found, plain or encoded for an address.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SECRET = "sandbox-secret:";
const TOKEN = "sandbox-token:";

/** The prefix alone is part of the sandbox's code, which Node caches compiled. */
const patternOf = (canary: string): RegExp =>
  new RegExp(`(?:${canary}|${encodeURIComponent(canary)})[0-9a-f]{8}`, "u");

const PATTERNS = [SECRET, TOKEN].map((canary) => [canary, patternOf(canary)] as const);

/** The prefixes of secrets that occur in a text or in bytes, plain or encoded for an address. */
export function findCanaries(content: string | Buffer): readonly string[] {
  const text = typeof content === "string" ? content : content.toString("latin1");
  return PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([canary]) => canary);
}

/** The files of stored logins, which are the only ones that may hold a secret. */
const LOGIN_FILES: ReadonlySet<string> = new Set([
  "login.json",
  "feed-logins.json",
  "alert-secrets.json",
]);

/** The table of the token, which is the only place of the database that may hold it. */
const TOKEN_TABLE = "token";

const DATABASE = "catalog.db";

/** Every file below a folder. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Lists the files below a folder that hold a secret they must not hold. */
export function findLeaks(folder: string): readonly string[] {
  return filesIn(folder).flatMap((path) =>
    leaksOf(path)
      .filter((canary) => !isAllowed(path, canary))
      .map((canary) => `${canary} in ${path}`),
  );
}

/** The prefixes of secrets that occur in a file; none where a process has removed it meanwhile. */
export function findInFile(path: string): readonly string[] {
  try {
    return findCanaries(readFileSync(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function leaksOf(path: string): readonly string[] {
  const inBytes = findInFile(path);
  const isDatabase = basename(path) === DATABASE && inBytes.includes(TOKEN);
  const elsewhere = isDatabase ? findInTables(path) : [];
  return [...inBytes, ...elsewhere];
}

/**
 * The bytes of a database and its log include the token table, so the other tables are searched
 * instead.
 */
function isAllowed(path: string, canary: string): boolean {
  const name = basename(path);
  if (canary === SECRET) return LOGIN_FILES.has(name);
  return canary === TOKEN && name.startsWith(DATABASE);
}

function findInTables(path: string): readonly string[] {
  // A process that has just ended may still hold a lock.
  using database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
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
