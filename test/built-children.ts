/**
 * Lets packages under test start their child programs from the bundle, which takes half as long as
 * from sources. Where a source has changed since the bundle was made, they are started from sources.
 */

import { basename } from "node:path";

import { readCurrentFiles } from "@catalog/cli/bundle";
import type { Plugin } from "vitest/config";

const BUNDLE = new URL("../out/catalog/", import.meta.url);

const REFERENCE = /new URL\(\s*"\.\/([^"]+-process)\.ts",\s*import\.meta\.url,?\s*\)/gu;

export function builtChildren(): Plugin {
  const files = readCurrentFiles(BUNDLE);
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
