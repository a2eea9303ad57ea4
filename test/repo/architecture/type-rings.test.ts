import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Maximum number of files that may import each other's types. */
const MAX_FILES = 2;

type Imports = ReadonlyMap<string, readonly string[]>;

/** Files of all packages and apps, and the imports of each from its own package, types included. */
function readImports(): Imports {
  const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root });
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/gu);
      const imported = [...found].map(([, path = ""]) => join(dirname(file), path));
      return [file, imported.filter((path) => known.has(path))];
    }),
  );
}

/** All files that the file imports, directly or through others. */
function reachFrom(file: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(file) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(imports.get(next) ?? []));
  }
  return reached;
}

/** Groups of files that all reach each other, with the files of each in order. */
function findRings(imports: Imports): readonly (readonly string[])[] {
  const reach = new Map([...imports.keys()].map((file) => [file, reachFrom(file, imports)]));
  const rings = new Map<string, readonly string[]>();
  for (const [file, reached] of reach) {
    if (!reached.has(file)) continue;
    const ring = [...reached].filter((other) => reach.get(other)?.has(file) === true).toSorted();
    rings.set(ring.join(), ring);
  }
  return [...rings.values()].toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
}

describe("files that import each other's types", () => {
  it(`are at most ${MAX_FILES} in a ring`, () => {
    const rings = findRings(readImports()).filter((ring) => ring.length > MAX_FILES);

    expect(rings).toEqual([]);
  });

  it("are found as a ring of any length", () => {
    const imports = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", ["e"]],
      ["e", []],
    ]);

    expect(findRings(imports)).toEqual([["a", "b", "c"]]);
  });
});
