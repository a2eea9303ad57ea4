import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { mapColumns } from "@catalog/mapping";
import { openSheet } from "@catalog/sheets";
import { describe, expect, it, onTestFinished } from "vitest";

import { makeTemplates, WORKBOOKS } from "./make-templates.ts";

const folder = fileURLToPath(new URL("../../../templates", import.meta.url));
const sample = join(folder, "ornek-katalog.csv");

describe("the workbooks in templates/", () => {
  it.each(WORKBOOKS)("%s is equal to a newly made one", async (name) => {
    const fresh = mkdtempSync(join(tmpdir(), "catalog-templates-"));
    onTestFinished(() => rmSync(fresh, { recursive: true, force: true }));

    await makeTemplates(fresh, sample);

    const isSame = readFileSync(join(fresh, name)).equals(readFileSync(join(folder, name)));
    expect(isSame, `run "pnpm --filter @catalog/test templates"`).toBe(true);
  });

  it.each(WORKBOOKS)("%s maps every column without a question", async (name) => {
    await using sheet = await openSheet({ path: join(folder, name) });
    const rows = sheet.rows()[Symbol.asyncIterator]();
    const first = await rows.next();
    await rows.return?.();

    const mapping = mapColumns({
      sheet: sheet.sheet,
      headerRow: sheet.header.row,
      header: sheet.header.cells,
      below: first.value?.cells,
    });

    expect(mapping).toMatchObject({ hasKeyRow: true, issues: [], warnings: [] });
    if (name !== "stok-fiyat.xlsx") expect(mapping.missingRequired).toEqual([]);
  });

  it("the sample profile maps every header that it names", () => {
    const file = JSON.parse(readFileSync(join(folder, "ornek-profil.json"), "utf8"));

    const mapping = mapColumns({
      sheet: "",
      headerRow: 1,
      header: file.headers,
      overrides: new Map(Object.entries(file.columns)),
      constants: new Map(Object.entries(file.constants)),
    });

    expect(mapping.issues).toEqual([]);
    expect(mapping.warnings).toEqual([]);
    expect(mapping.columns.every(({ target }) => target.kind === "field")).toBe(true);
    expect(mapping.constants.size).toBe(Object.keys(file.constants).length);
  });

  it("the sample has the same 60 products in both files", async () => {
    await using text = await openSheet({ path: sample });
    await using workbook = await openSheet({ path: join(folder, "ornek-katalog.xlsx") });

    const inText = await Array.fromAsync(text.rows());
    const inWorkbook = (await Array.fromAsync(workbook.rows())).slice(1);

    expect(inText).toHaveLength(60);
    expect(inWorkbook.map(({ cells }) => cells[0])).toEqual(inText.map(({ cells }) => cells[0]));
  });
});
