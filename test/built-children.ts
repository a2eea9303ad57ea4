/**
 * Lets packages under test start their child programs from the bundle, which takes half as long as
 * from sources. Where a source has changed since the bundle was made, they are started from sources.
 */

import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";

import type { Plugin } from "vitest/config";

const BUNDLE = new URL("../out/catalog/", import.meta.url);

interface Manifest {
  /** Path from the bundle, size and time of each source. */
  readonly sources: readonly (readonly [string, number, number])[];
  readonly files: readonly string[];
}

/** The files of the bundle; none where it is missing or not current. */
function readFiles(): readonly string[] {
  try {
    const text = readFileSync(new URL("manifest.json", BUNDLE), "utf8");
    const { sources, files }: Manifest = JSON.parse(text);
    const isCurrent = sources.every(([path, sizeBytes, modifiedMs]) => {
      const { size, mtimeMs } = statSync(new URL(path, BUNDLE));
      return size === sizeBytes && mtimeMs === modifiedMs;
    });
    return isCurrent ? files : [];
  } catch {
    return [];
  }
}

const REFERENCE = /new URL\(\s*"\.\/([^"]+-process)\.ts",\s*import\.meta\.url,?\s*\)/gu;

export function builtChildren(): Plugin {
  const files = readFiles();
  return {
    name: "built-children",
    enforce: "pre",
    transform(code, id) {
      if (files.length === 0 || !id.endsWith(".ts") || !code.includes("-process.ts")) return null;
      return code.replaceAll(REFERENCE, (text, name: string) => {
        const built = files.find((file) => file.startsWith(`${basename(name)}-`));
        return built === undefined
          ? text
          : `new URL(${JSON.stringify(new URL(built, BUNDLE).href)})`;
      });
    },
  };
}
