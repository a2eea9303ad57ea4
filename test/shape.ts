/**
 * The shape of the sources, in figures: how many files and lines, how many names they hand to each
 * other, and how many of those cross from one package into another. `npm run shape` prints them, and
 * `test/repo/architecture/shape.json` holds what they may not exceed.
 */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Shape {
  readonly files: number;
  readonly lines: number;
  /** Exported declarations for each 1,000 lines; the lines of an index are not counted. */
  readonly exportsPerThousand: number;
  /** Import statements for each 1,000 lines. */
  readonly importsPerThousand: number;
  /** Names that packages and apps import from each package, and of all packages together. */
  readonly crossing: Readonly<Record<string, number>>;
  /** Lines of all tests, their helpers and benchmarks. */
  readonly testLines: number;
}

const SOURCES = ["{packages,apps}/*/src/**/*.{ts,tsx}", "apps/web/client/**/*.{ts,tsx}"];
const TESTS = ["{packages,apps}/*/test/**/*.{ts,tsx}", "test/**/*.ts"];

const IMPORT = /^import (?:type )?\{([^}]*)\} from ["]@catalog\/([a-z0-9-]+)(?:\/[a-z-]+)?";/gmu;

/** Reads the sources below a folder. */
export function readShape(root: string): Shape {
  const sources = readTexts(root, SOURCES);
  const lines = countAll(sources, /\n/gu);
  const perThousand = (count: number): number => Number(((count / lines) * 1_000).toFixed(1));
  return {
    files: sources.length,
    lines,
    exportsPerThousand: perThousand(countAll(sources, /^export (?!\{|type \{)/gmu)),
    importsPerThousand: perThousand(countAll(sources, /^import /gmu)),
    crossing: countCrossing(sources),
    testLines: countAll(readTexts(root, TESTS), /\n/gu),
  };
}

interface Source {
  readonly path: string;
  readonly text: string;
}

function readTexts(root: string, patterns: readonly string[]): readonly Source[] {
  const exclude = ["**/node_modules"];
  return globSync([...patterns], { cwd: root, exclude }).map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
}

const countAll = (sources: readonly Source[], pattern: RegExp): number =>
  sources.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);

function countCrossing(sources: readonly Source[]): Readonly<Record<string, number>> {
  const names = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    const own = path.split("/")[1];
    for (const [, list = "", from = ""] of text.matchAll(IMPORT)) {
      if (from === own) continue;
      const known = names.get(from) ?? new Set();
      names.set(from, known);
      for (const each of list.split(",")) {
        const name = each
          .trim()
          .replace(/^type /u, "")
          .split(" as ")[0];
        if (name !== undefined && name !== "") known.add(name);
      }
    }
  }
  const counts = [...names].map(([name, set]) => [name, set.size] as const);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries([["all", all], ...counts.toSorted(([, a], [, b]) => b - a)]);
}

const print = (name: string, value: number): void =>
  console.log(`${value.toLocaleString("en").padStart(9)}  ${name}`);

if (import.meta.main) {
  const { crossing, ...figures } = readShape(fileURLToPath(new URL("..", import.meta.url)));
  print("source files", figures.files);
  print("lines", figures.lines);
  print("lines a file", Math.round(figures.lines / figures.files));
  print("exports per 1,000 lines", figures.exportsPerThousand);
  print("imports per 1,000 lines", figures.importsPerThousand);
  print("lines of tests", figures.testLines);
  for (const [name, count] of Object.entries(crossing)) {
    print(name === "all" ? "names across packages" : `  of ${name}`, count);
  }
}
