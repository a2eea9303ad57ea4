import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import exceljs from "exceljs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { wasSavedSince, writeXlsx } from "../../src/index.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "saved-since-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function writeOwn(): Promise<string> {
  const path = join(folder, "failed.xlsx");
  const columns = [{ header: "Kod" }, { header: "Onay", choices: ["Evet", "Hayır"] }];
  const rows = [{ cells: ["A-1", null], notes: { 0: "bak" }, fills: { 0: "error" } as const }];
  await writeXlsx({ path, sheets: [{ name: "Ürünler", columns, rows }] });
  return path;
}

describe("a workbook that a person may have edited", () => {
  it("is not saved since it was written", async () => {
    expect(wasSavedSince(await writeOwn())).toBe(false);
  });

  it("is recognised after another program has saved it", async () => {
    const path = await writeOwn();
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.readFile(path);
    await workbook.xlsx.writeFile(path);

    expect(wasSavedSince(path)).toBe(true);
  });

  it("is recognised where another file took its place", () => {
    const path = join(folder, "failed.xlsx");
    writeFileSync(path, "Kod;Onay\nA-1;Evet\n");

    expect(wasSavedSince(path)).toBe(true);
  });

  it("is not there", () => {
    expect(wasSavedSince(join(folder, "failed.xlsx"))).toBe(false);
  });
});
