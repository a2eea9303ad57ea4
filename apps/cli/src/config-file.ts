/**
 * The configuration file of a working folder: which one it is, and what it says. Whether it may be
 * used is decided in `config-trust.ts`.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";

import { UsageError } from "@catalog/toolkit/command";

import { type Config } from "./settings.ts";

/** A configuration file, read once: what was hashed is what was understood. */
export interface ConfigFile {
  /**
   * Where it lies. Links on the way to its folder are resolved; a file that is a link itself stands
   * where the link does, so that a link to a file of another project is another file.
   */
  readonly path: string;
  /** Of the content, in hexadecimal. */
  readonly sha256: string;
  readonly config: Config;
  /** It belongs to another user, or every user can change it. Always `false` on Windows. */
  readonly isForeign: boolean;
}

export interface FindConfigOptions {
  /** The search does not go above it. */
  readonly homeFolder: string;
  /** Who runs the program; `undefined` where the system has no such ids. */
  readonly userId: number | undefined;
}

const CONFIG_FILES = ["catalog.config.json", "catalog.config.yaml", "catalog.config.yml"];

/** What the folder of a project holds; the first one found upwards counts, in this order. */
const PROJECT_MARKS = [".git", "package.json"];

/** More than any such file needs, and a person can still read it. */
const MAX_BYTES = 65_536;

/**
 * Reads the file of `cwd`, or of the nearest folder above it up to the one that holds the project.
 * Outside a project only `cwd` counts. Throws {@link UsageError} where the file makes no sense.
 */
export async function findConfigFile(
  cwd: string,
  options: FindConfigOptions,
): Promise<ConfigFile | undefined> {
  const path = findConfigPath(listFolders(cwd, options.homeFolder));
  return path === undefined ? undefined : await readConfigFile(path, options);
}

/** The file itself, or the one in a folder; `undefined` where there is none. */
export async function readConfigAt(
  path: string,
  options: FindConfigOptions,
): Promise<ConfigFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    return found === undefined ? undefined : await readConfigFile(path, options);
  }
  const inside = findConfigPath([path]);
  return inside === undefined ? undefined : await readConfigFile(inside, options);
}

/** The place by which a configuration file is known, whether it is there or not. */
export async function toConfigPath(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

const findConfigPath = (folders: readonly string[]): string | undefined =>
  folders
    .flatMap((folder) => CONFIG_FILES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** From `cwd` up to the folder of the project. */
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
  return [cwd];
}

async function readConfigFile(
  found: string,
  { userId }: Pick<FindConfigOptions, "userId">,
): Promise<ConfigFile> {
  const path = await toConfigPath(found);
  const { bytes, isForeign } = await readBytes(path, userId);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path, sha256, isForeign, config: await parseConfig(path, bytes.toString("utf8")) };
}

const ROOT = 0;
const EVERYBODY_WRITES = 0o002;

async function readBytes(
  path: string,
  userId: number | undefined,
): Promise<{ readonly bytes: Buffer; readonly isForeign: boolean }> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error("no file");
    if (found.size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    // Another's program could change it between two readings; root could do so anyway.
    const isOwn = userId === undefined || found.uid === userId || found.uid === ROOT;
    const isOpen = userId !== undefined && (found.mode & EVERYBODY_WRITES) !== 0;
    return { bytes: await readFile(path), isForeign: !isOwn || isOpen };
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function parseConfig(path: string, text: string): Promise<Config> {
  const document = await parseDocument(path, text);
  const { configSchema } = await import("./config-schema.ts");
  const parsed = configSchema.safeParse(document ?? {});
  if (parsed.success) return withFolders(parsed.data, dirname(path));
  const details = parsed.error.issues
    .map((issue) => `${issue.path.join(".")} ${issue.message}`.trim())
    .join("; ");
  throw new UsageError({
    tr: `${path} dosyası anlaşılamadı: ${details}`,
    en: `${path} is not understood: ${details}`,
  });
}

/** A file that is no JSON or YAML is a mistake of the person who wrote it. */
async function parseDocument(path: string, text: string): Promise<unknown> {
  if (text.trim() === "") return undefined;
  try {
    // Only the parsers of that library: its search runs a `.config/config.js` of the working folder.
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

/** A relative path is the same folder wherever the command is called from. */
function withFolders(config: Config, folder: string): Config {
  const { home, images } = config;
  const dir = images?.dir === undefined ? undefined : resolve(folder, images.dir);
  return {
    ...config,
    ...(home !== undefined && { home: resolve(folder, home) }),
    ...(dir !== undefined && { images: { ...images, dir } }),
  };
}
