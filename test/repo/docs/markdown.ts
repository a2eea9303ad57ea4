/** Reads the documents of the repository: everything in `docs`, and the README of each part. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));

/** One document, with its path from the root of the repository. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** Reads one document by its path from the root. */
export function readDocument(path: string): Document {
  return { path, text: readFileSync(join(ROOT, path), "utf8") };
}

/** Names files and commands as they were. */
const HISTORY = "docs/history.md";

/** The root README and all documents in `docs` that say how it is now. */
export function readDocuments(): Document[] {
  const folder = join(ROOT, "docs");
  const inDocs = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => path !== HISTORY);
  return ["README.md", ...inDocs.toSorted()].map(readDocument);
}

/** The READMEs of packages, apps and tests. */
export function readPartReadmes(): Document[] {
  const parts = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
  );
  return [...parts, "test", "test/bench"].map((part) => readDocument(`${part}/README.md`));
}

/** The code blocks of one language. */
export function codeBlocks(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "gu"));
  return [...blocks].map(([, code = ""]) => code);
}

/** Links to files of the repository that do not exist. Links to other sites are not checked. */
export function brokenLinks({ path, text }: Document): string[] {
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/gu)].map(
    ([, target = ""]) => target,
  );
  return targets
    .filter((target) => !/^[a-z]+:/u.test(target))
    .filter((target) => !existsSync(join(ROOT, dirname(path), target)));
}

/** Source paths in backticks, as from the root of the repository or from the document's own folder. */
export function sourcePaths({ text }: Document): string[] {
  const paths = text.matchAll(/`((?:packages|apps|templates|test|docs|src)\/[^`\s*<{]*)`/gu);
  return [...paths].map(([, path = ""]) => path);
}

/** Source paths that do not exist. */
export function missingPaths(document: Document): string[] {
  const folders = [ROOT, join(ROOT, dirname(document.path))];
  return sourcePaths(document).filter(
    (path) => !folders.some((folder) => existsSync(join(folder, path))),
  );
}

/** The command of each `catalog …` in code blocks and running text, without its comment. */
export function catalogCommands({ text }: Document): string[] {
  const commands = text.matchAll(/(?:^ *(?:[A-Z_]+=\S+ )*|`)catalog ([a-z][^\n`]*)/gmu);
  return [...commands].map(([, line = ""]) => line.replace(/\s+#.*$/u, "").trim());
}

/** All sources of packages and apps, as one text. */
export function readSources(): string {
  const rooms = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name, "src")),
  );
  return rooms
    .flatMap((room) => readdirSync(room, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}
