import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import {
  brokenLinks,
  catalogCommands,
  missingPaths,
  readDocument,
  readDocuments,
  readPartReadmes,
  readSources,
  ROOT,
  sourcePaths,
} from "./markdown.ts";

const DOCUMENTS = readDocuments();
const ALL_DOCUMENTS = [...DOCUMENTS, ...readPartReadmes()];

/** Flags of a command in its help; empty where there is no such command. */
async function readFlags(command: string): Promise<Set<string>> {
  const words = command.split(" ");
  const { out } = await callCatalog([...words, "--help", "--lang", "en"], { cwd: ROOT, env: {} });
  if (!out.startsWith(`Usage: catalog ${words[0]}`)) return new Set();
  return new Set([...out.matchAll(/^ +(--[a-z-]+)/gmu)].map(([, flag = ""]) => flag));
}

/**
 * The files that are neither in `src` of the room in bold type above them nor beside it. A line may name folders as well:
 * `folder`: … Whole paths are checked elsewhere.
 */
function missingInRooms(rooms: string): string[] {
  let folders: string[] = [];
  return rooms.split(/\n(?=- |\n|\*\*)/u).flatMap((line) => {
    const within = ["", ...[...line.matchAll(/`([a-z-]+)`:/gu)].map(([, folder = ""]) => folder)];
    return [...line.matchAll(/\*\*([^*]+)\*\*|`([^`<]+)`/gu)].flatMap(([, room, path = ""]) => {
      if (room !== undefined) {
        folders = [...room.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) =>
          name.startsWith("apps/") ? name : `packages/${name}`,
        );
        return [];
      }
      if (!/\.tsx?$/u.test(path)) return [];
      if (/^(?:(?:apps|packages|test)\/|(?:index|run|texts)\.ts)/u.test(path)) return [];
      const isThere = folders
        .flatMap((folder) => [join(folder, "src"), folder])
        .some((folder) => within.some((part) => existsSync(join(ROOT, folder, part, path))));
      return isThere ? [] : [`${folders.join(" ")}: ${path}`];
    });
  });
}

/** The flags that the documents show, by command. */
function flagsByCommand(): Map<string, Set<string>> {
  const shown = new Map<string, Set<string>>();
  for (const line of DOCUMENTS.flatMap(catalogCommands)) {
    const [name = "", ...words] = line.split(" ");
    const command = toHelped(name, words[0]);
    const flags = shown.get(command) ?? new Set();
    for (const word of words.filter((each) => /^--[a-z]/u.test(each))) flags.add(word);
    shown.set(command, flags);
  }
  return shown;
}

/** The words whose help lists the flags of a command. */
function toHelped(name: string, first = ""): string {
  if (name === "help") return first;
  // Each kind of export and each action of a schedule has flags of its own.
  const isSplit = name === "export" || (name === "schedule" && /^[a-z]+$/u.test(first));
  return isSplit ? `${name} ${first}` : name;
}

/** Files, texts, names of stores and ids in a command differ between the languages, and so does the order in a sentence. */
const withoutNames = (commands: readonly string[]): string[] =>
  commands
    .map((command) => command.replaceAll(/[^\s"]+\.(?:csv|xlsx|xml|json|zip)\b/gu, "FILE"))
    .map((command) => command.replaceAll(/(--(?:store|rename) )\S+/gu, "$1NAME"))
    .map((command) => command.replaceAll(/"[^"]+"/gu, "TEXT").replace(/draft:\S+/u, "draft:ID"))
    .toSorted();

describe("documents", () => {
  it.each(ALL_DOCUMENTS)("$path links only to files that exist", (document) => {
    expect(brokenLinks(document)).toEqual([]);
  });

  it.each(ALL_DOCUMENTS)("$path names only source paths that exist", (document) => {
    expect(missingPaths(document)).toEqual([]);
  });

  const sources = readSources();

  it.each([readDocument("docs/ARCHITECTURE.md"), ...readPartReadmes()])(
    "$path names only functions that the sources have",
    ({ text }) => {
      const named = [...text.matchAll(/`(?:\w+\.)*([a-z]+[A-Z]\w*)`/gu)].map(
        ([, name = ""]) => name,
      );

      expect(named.filter((name) => !new RegExp(`\\b${name}\\b`, "u").test(sources))).toEqual([]);
    },
  );

  it("ARCHITECTURE.md names only files that its rooms have", () => {
    const { text } = readDocument("docs/ARCHITECTURE.md");
    const rooms = text.slice(text.indexOf("## Rooms"), text.indexOf("## Invariants"));

    expect(missingInRooms(rooms)).toEqual([]);
  });

  it("ARCHITECTURE.md names at least 15 functions", () => {
    const { text } = readDocument("docs/ARCHITECTURE.md");

    expect([...text.matchAll(/`(?:\w+\.)*[a-z]+[A-Z]\w*`/gu)].length).toBeGreaterThan(15);
  });

  it("the documents name at least 40 source paths", () => {
    expect(DOCUMENTS.flatMap(sourcePaths).length).toBeGreaterThanOrEqual(40);
  });

  it.each(ALL_DOCUMENTS)(
    "$path tells nobody to type `npx catalog`, which could start another package",
    ({ text }) => {
      const lines = text.split("\n").filter((line) => /npx catalog(?!-toolkit)/u.test(line));

      expect(lines).toEqual([]);
    },
  );

  it("the documents install the version that this is, and the changelog has it", () => {
    const { name, version } = JSON.parse(readDocument("package.json").text);
    const text = DOCUMENTS.map((document) => document.text).join("\n");
    const files = [...text.matchAll(/catalog-toolkit-(\d.*?)\.tgz/gu)].map(([file]) => file);

    expect(new Set(files)).toEqual(new Set([`${name}-${version}.tgz`]));
    expect(readDocument("docs/CHANGELOG.md").text).toContain(`\n## ${version}\n`);
  });

  it("the documents name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readDocument("package.json").text);
    const text = ALL_DOCUMENTS.map((document) => document.text).join("\n");
    const named = [...text.matchAll(/npm run ([a-z:]+)/gu)].map(([, name = ""]) => name);

    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it("test/README.md names only tests that exist", () => {
    const { text } = readDocument("test/README.md");
    const paths = [...text.matchAll(/npm run test:one ([^`\n]+)/gu)].flatMap(([, args = ""]) =>
      args.split(" "),
    );

    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each([...flagsByCommand()])(
    "the documents show only flags of catalog %s that its help lists",
    async (name, flags) => {
      const known = await readFlags(name);

      expect(known.size).toBeGreaterThan(0);
      expect([...flags].filter((flag) => !known.has(flag))).toEqual([]);
    },
  );

  it("the user manual shows the same commands in both languages, each with its own file names", () => {
    const turkish = catalogCommands(readDocument("docs/usage.tr.md"));
    const english = catalogCommands(readDocument("docs/usage.en.md"));

    expect(withoutNames(english)).toEqual(withoutNames(turkish));
    const turkishFiles = /\b(?:urunler|stok|yorumlar|sorular|odemeler|kurallar|durum)\./u;
    expect(english.filter((command) => turkishFiles.test(command))).toEqual([]);
  });
});

describe("glossary", () => {
  const rows = tableRows(readDocument("docs/glossary.md").text);

  it("the glossary has at least 40 terms", () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
  });

  it("the glossary gives each term in both languages, with a meaning", () => {
    expect(rows.filter((cells) => cells.length !== 3 || cells.includes(""))).toEqual([]);
  });

  it("the glossary has each term once", () => {
    const terms = rows.map(([term = ""]) => term);

    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
  });
});

/** Cells of all tables, without headings. */
function tableRows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[\s:|-]+\|$/u.test(line))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([first]) => first !== "term");
}
