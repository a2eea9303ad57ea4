import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  escapeFormula,
  openSheet,
  resolveSheetLink,
  SheetError,
  unescapeFormula,
} from "@catalog/sheets";
import { RegExpParser } from "@eslint-community/regexpp";
import { analyse } from "scslre";
import { describe, expect, it, onTestFinished } from "vitest";

import { findSlow } from "./growth.ts";

/** Reads a CSV file of this text, as far as it is readable. */
async function readCsv(path: string, text: string): Promise<void> {
  writeFileSync(path, text);
  try {
    await using sheet = await openSheet({ path });
    for await (const row of sheet.rows()) if (row.cells.length === 0) return;
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
  }
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe("a file is read in linear time", () => {
  it("with any cells, lines and headers", async () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-growth-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "liste.csv");

    const slow = await findSlow([
      { name: "cell", run: (text) => readCsv(path, `Kod;Not;Fiyat\nA;${quoted(text)};1\n`) },
      { name: "line", run: (text) => readCsv(path, `Kod;Not;Fiyat\nA;${text};1\n`) },
      { name: "header", run: (text) => readCsv(path, `Kod;${quoted(text)};Fiyat\nA;B;1\n`) },
      { name: "file", run: (text) => readCsv(path, text) },
      { name: "formula", run: (text) => unescapeFormula(escapeFormula(`=${text}`)) },
      { name: "link", run: (text) => resolveSheetLink(`https://docs.google.com/${text}`) },
    ]);

    expect(slow).toEqual([]);
  });
});

const ROOT = join(import.meta.dirname, "../../..");
const SOURCES = ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"];

/** A literal stands where a value may begin; divisions and paths in imports do not. */
const LITERAL =
  /(?<=(?:^|[(,=:[!&|?{}>]|return)\s*)\/(?<source>(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/(?<flags>[dgimsuvy]*)(?![\w/])/gu;
const COMMENT = /^\s*(?:\*|\/[*/])/u;

interface Literal {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

function readLiterals(): readonly Literal[] {
  return globSync(SOURCES, { cwd: ROOT }).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        COMMENT.test(line)
          ? []
          : [...line.matchAll(LITERAL)].map(({ groups }) => ({
              at: `${file}:${index + 1}`,
              source: groups?.["source"] ?? "",
              flags: groups?.["flags"] ?? "",
            })),
      ),
  );
}

/** Parts of a pattern that may read the same text repeatedly. */
function findSlowParts({ source, flags }: Literal): readonly string[] {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  const modes = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  const pattern = parser.parsePattern(source, 0, source.length, modes);
  const { reports } = analyse({ pattern, flags: parser.parseFlags(flags) });
  return reports.map((report) =>
    report.type === "Trade"
      ? `${report.startQuant.raw} and ${report.endQuant.raw}`
      : report.quant.raw,
  );
}

describe("the patterns of the source", () => {
  it("take linear time on any text", () => {
    const literals = readLiterals();

    const slow = literals.flatMap((literal) =>
      findSlowParts(literal).map((part) => `${literal.at} /${literal.source}/: ${part}`),
    );

    expect(literals.length).toBeGreaterThan(300);
    expect(slow).toEqual([]);
  });

  it("are reported when they do not", () => {
    const slow = String.raw`^\s+|\s+$`;

    expect(findSlowParts({ at: "", source: slow, flags: "gu" })).toEqual([String.raw`\s+`]);
  });
});
