/**
 * Bundles the program, the programs that it starts and the files that they read into one folder.
 * File names carry a hash of the content: a new build adds its files and then replaces the entry, so
 * that a running program of an earlier build can go on loading its own.
 */

import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from "rolldown";

/** The root of the checkout. */
export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

/** Packages that bring binaries, which cannot be bundled. The root depends on them. */
export const EXTERNAL_PACKAGES: readonly string[] = [
  "@napi-rs/keyring",
  "@node-rs/argon2",
  "sharp",
];

/**
 * A reader of remote archives asks for the first; none is read here. The others make SSH faster where
 * they were compiled, which no install does.
 */
const UNUSED_PACKAGES = ["@aws-sdk/client-s3", "cpu-features", /sshcrypto\.node$/u];

/** Files besides the modules that decide what is built. */
const SETTINGS = ["pnpm-lock.yaml", "apps/cli/build/*.ts", "{apps,packages}/*/package.json"];

const ENTRY = "catalog.js";
const MANIFEST = "manifest.json";

/** Returns the text of a module that is bundled in place of its source. */
export type ChangeSource = (path: string, source: string) => string;

/**
 * Builds the program into `folder`, whose `catalog.js` starts it, and lists in `manifest.json` what
 * it was made of. Tests pass `change` to build one that is broken on purpose. Returns the paths of
 * all modules. Throws where a source cannot be bundled.
 */
export async function buildProgram(
  folder: string,
  change: ChangeSource = (_, source) => source,
): Promise<readonly string[]> {
  const sources = new Set(SETTINGS.flatMap((pattern) => globSync(join(ROOT, pattern))));
  const bundle = await rolldown({
    input: { catalog: join(ROOT, "apps/cli/src/main.ts") },
    platform: "node",
    external: [...EXTERNAL_PACKAGES, ...UNUSED_PACKAGES],
    plugins: [changeSources(change), emitReferencedFiles(folder, (path) => sources.add(path))],
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: ({ name }) => (name === "catalog" ? ENTRY : "[name]-[hash].js"),
    chunkFileNames: "[name]-[hash].js",
    // People see the name of the sample.
    assetFileNames: "[hash]/[name][extname]",
  });
  await bundle.close();
  const before = readFiles(folder);
  writeFiles(folder, output);
  const now = [MANIFEST, ...output.map(({ fileName }) => fileName)];
  const stamps = [...sources].map((path) => stampOf(folder, path));
  writeWhole(join(folder, MANIFEST), JSON.stringify({ sources: stamps, files: now }));
  removeReplaced(folder, { before, now });
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

const SOURCES = { id: { include: [/\.ts$/u], exclude: [/node_modules/u] } };

const changeSources = (change: ChangeSource): Plugin => ({
  name: "change-sources",
  transform: { filter: SOURCES, handler: (code, id) => change(id, code) },
});

const REFERENCE = /new URL\(\s*"(\.[^"]+)",\s*import\.meta\.url,?\s*\)/gu;

/**
 * Keeps `new URL("./file", import.meta.url)` true in the bundle: a module becomes a program of its
 * own beside it, another file is copied, and a folder of the checkout is named by its way from the
 * bundle. What does not exist here stays as it is.
 */
function emitReferencedFiles(folder: string, addSource: (path: string) => void): Plugin {
  return {
    name: "emit-referenced-files",
    transform: {
      filter: SOURCES,
      handler(code, id) {
        addSource(id);
        if (!code.includes("import.meta.url")) return null;
        return code.replaceAll(REFERENCE, (text, path: string) => {
          const target = join(dirname(id), path);
          const found = statSync(target, { throwIfNoEntry: false });
          if (found === undefined) return text;
          if (found.isDirectory()) {
            const way = relative(folder, target).split(sep).join("/");
            return `new URL("./${way}/", import.meta.url)`;
          }
          addSource(target);
          const reference = target.endsWith(".ts")
            ? this.emitFile({ type: "chunk", id: target })
            : this.emitFile({
                type: "asset",
                name: basename(target),
                source: readFileSync(target),
              });
          return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
        });
      },
    },
  };
}

type Output = readonly (OutputAsset | OutputChunk)[];

/** Writes the files that are not there yet, and then the entry. */
function writeFiles(folder: string, output: Output): void {
  const isEntry = (file: Output[number]): boolean => file.fileName === ENTRY;
  for (const file of output.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))) {
    const path = join(folder, file.fileName);
    if (!isEntry(file) && existsSync(path)) continue;
    writeWhole(path, file.type === "chunk" ? file.code : file.source);
  }
}

/** Two processes may build at the same time. */
function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.part`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}

/** By which a start sees whether a source has changed: its path from the bundle, size and time. */
function stampOf(folder: string, path: string): readonly [string, number, number] {
  const { size, mtimeMs } = statSync(path);
  return [relative(folder, path).split(sep).join("/"), size, mtimeMs];
}

/** How long a program may go on once its bundle was replaced; an update restarts it. */
const REPLACED_FOR_MS = 2 * 24 * 60 * 60_000;

/** Removes files of bundles that were replaced long ago. The age of a file is that of its last use. */
function removeReplaced(
  folder: string,
  files: { readonly before: Files; readonly now: Files },
): void {
  const present = new Date();
  for (const name of files.before) {
    const path = join(folder, topOf(name));
    if (existsSync(path)) utimesSync(path, present, present);
  }
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    const isUsed = files.now.some((file) => topOf(file) === name);
    const isOld = found !== undefined && present.getTime() - found.mtimeMs > REPLACED_FOR_MS;
    if (isOld && !isUsed) rmSync(path, { recursive: true, force: true });
  }
}

type Files = readonly string[];

/** The file, or the folder in which it is. */
const topOf = (file: string): string => file.split("/")[0] ?? file;

/** The files of the bundle that is there; none where its list cannot be read. */
function readFiles(folder: string): Files {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")).files;
  } catch {
    return [];
  }
}
