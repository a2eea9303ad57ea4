/**
 * Finds and parses the configuration file of a working folder. Whether it may be used is decided in
 * `config-trust.ts`.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";

import { UsageError } from "@catalog/console";

import type { Config } from "./config-schema.ts";

/** A configuration file, read once, so that its digest belongs to the parsed content. */
export interface ConfigFile {
  /**
   * Path of the file. Links on the way to its folder are resolved, but a file that is itself a link
   * keeps the link's path, so that a link to another project's file is another file.
   */
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
  readonly config: Config;
  /** Whether it belongs to another user or every user can change it. Always `false` on Windows. */
  readonly isForeign: boolean;
}

export interface FindConfigOptions {
  /** Highest folder of the search. */
  readonly homeFolder: string;
  /** Id of the user who runs the program; `undefined` where the system has no such ids. */
  readonly userId: number | undefined;
}

const CONFIG_FILES = ["catalog.config.json", "catalog.config.yaml", "catalog.config.yml"];

/** Entries that mark the folder of a project; the nearest folder above counts, in this order. */
const PROJECT_MARKS = [".git", "package.json"];

/** Maximum size of the file, far above what settings need. */
const MAX_BYTES = 65_536;

/**
 * Reads the file of `cwd`, or of the nearest folder above it up to the project's. Files of other
 * users above `cwd` are ignored. Throws {@link UsageError} for an invalid file.
 */
export async function findConfigFile(
  cwd: string,
  options: FindConfigOptions,
): Promise<ConfigFile | undefined> {
  for (const folder of listFolders(cwd, options.homeFolder)) {
    const path = findConfigPath(folder);
    if (path === undefined) continue;
    if (folder === cwd || !(await isForeignFile(path, options.userId))) {
      return await readConfigFile(path, options);
    }
  }
  return undefined;
}

/** Reads the file itself, or the one in a folder; `undefined` where there is none. */
export async function readConfigAt(
  path: string,
  options: FindConfigOptions,
): Promise<ConfigFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    return found === undefined ? undefined : await readConfigFile(path, options);
  }
  const inside = findConfigPath(path);
  return inside === undefined ? undefined : await readConfigFile(inside, options);
}

/** The path by which a configuration file is identified, whether it exists or not. */
export async function toConfigPath(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

const findConfigPath = (folder: string): string | undefined =>
  CONFIG_FILES.map((name) => join(folder, name)).find((path) => existsSync(path));

/** Folders from `cwd` up to the project's, or up to the root outside a project. */
function listFolders(cwd: string, homeFolder: string): readonly string[] {
  const upwards = [cwd];
  for (let folder = cwd; folder !== homeFolder && folder !== dirname(folder);) {
    folder = dirname(folder);
    upwards.push(folder);
  }
  for (const mark of PROJECT_MARKS) {
    const at = upwards.findIndex((folder) => existsSync(join(folder, mark)));
    if (at !== -1) return upwards.slice(0, at + 1);
  }
  return upwards;
}

async function readConfigFile(
  found: string,
  { userId }: Pick<FindConfigOptions, "userId">,
): Promise<ConfigFile> {
  const path = await toConfigPath(found);
  const isForeign = await isForeignFile(path, userId);
  const bytes = await readBytes(path);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path, sha256, isForeign, config: await parseConfig(path, bytes.toString("utf8")) };
}

const ROOT = 0;
const EVERYBODY_WRITES = 0o002;

/** Root can change every file anyway. A file that cannot be inspected fails when it is read. */
async function isForeignFile(path: string, userId: number | undefined): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (userId === undefined || found === undefined) return false;
  const isOwn = found.uid === userId || found.uid === ROOT;
  return !isOwn || (found.mode & EVERYBODY_WRITES) !== 0;
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error("no file");
    if (found.size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function parseConfig(path: string, text: string): Promise<Config> {
  const document = await parseDocument(path, text);
  const { configSchema, describeIssues } = await import("./config-schema.ts");
  const parsed = configSchema.safeParse(document ?? {});
  if (parsed.success) return withFolders(parsed.data, dirname(path));
  const { tr, en } = describeIssues(parsed.error.issues);
  throw new UsageError({
    tr: `${path} dosyası anlaşılamadı: ${tr}`,
    en: `${path} is not understood: ${en}`,
  });
}

/** Invalid JSON or YAML is a usage error. */
async function parseDocument(path: string, text: string): Promise<unknown> {
  if (text.trim() === "") return undefined;
  try {
    // Only the library's parsers are used: its search would run a `.config/config.js` of the
    // working folder.
    const { defaultLoadersSync } = await import("cosmiconfig");
    const parse = defaultLoadersSync[extname(path) === ".json" ? ".json" : ".yaml"];
    return parse(path, text);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UsageError(
    {
      tr: `Yapılandırma dosyası okunamadı: ${path}: ${reason}`,
      en: `The configuration file cannot be read: ${path}: ${reason}`,
    },
    { cause: error },
  );
}

/** Resolves relative paths, so that they do not depend on the working folder. */
function withFolders(config: Config, folder: string): Config {
  const { home, images } = config;
  const dir = images?.dir === undefined ? undefined : resolve(folder, images.dir);
  return {
    ...config,
    ...(home !== undefined && { home: resolve(folder, home) }),
    ...(dir !== undefined && { images: { ...images, dir } }),
  };
}
