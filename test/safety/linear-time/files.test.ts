import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  escapeFormula,
  openSheet,
  resolveSheetLink,
  SheetError,
  unescapeFormula,
} from "@catalog/sheets";
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
