import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const PACKAGES = readdirSync(join(root, "packages"));

/** Names that an index file exports, types included. */
function exportsOf(name: string): string[] {
  const text = readFileSync(join(root, "packages", name, "src/index.ts"), "utf8");
  return [...text.matchAll(/export \{([^}]*)\}/gu)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((each) => each.trim().replace(/^type /u, ""))
    .filter((each) => each !== "")
    .toSorted();
}

/** Every text that imports from packages: apps, tests, and the packages themselves. */
const TEXTS = globSync("{packages,apps,test}/**/*.{ts,md}", {
  cwd: root,
  exclude: ["**/node_modules"],
}).map((path) => ({ path: join(root, path), text: readFileSync(join(root, path), "utf8") }));

describe("the exports of packages", () => {
  it.each(PACKAGES)("@catalog/%s names each export in export lines only", (name) => {
    const text = readFileSync(join(root, "packages", name, "src/index.ts"), "utf8");
    const rest = text
      .replaceAll(/export \{[^}]*\} from "[^"]+";/gu, "")
      .replaceAll(/\/\*\*[\s\S]*?\*\//gu, "");

    expect(rest.trim()).toBe("");
  });

  it.each(PACKAGES)("@catalog/%s exports the recorded names", (name) => {
    expect(exportsOf(name)).toMatchSnapshot();
  });

  // The contract is complete, whether or not a command uses all of it.
  const used = PACKAGES.filter((name) => name !== "contract");

  it.each(used)("@catalog/%s exports only values that are used outside its sources", (name) => {
    const index = readFileSync(join(root, "packages", name, "src/index.ts"), "utf8");
    const values = exportsOf(name).filter((each) => !index.includes(`type ${each}`));
    const outside = TEXTS.filter(
      ({ path }) => !path.startsWith(join(root, "packages", name, "src")),
    ).map(({ text }) => text);

    const unused = values.filter((each) => !outside.some((text) => text.includes(each)));

    expect(unused).toEqual([]);
  });
});
