import { readFileSync } from "node:fs";

import { writeResultFiles } from "@catalog/report";
import { readXlsx } from "hucre/xlsx";
import { expect, it } from "vitest";

import { openConnectionHarness } from "../../helpers/markets/connection-harness.ts";
import { goodRow, writeWorkbook } from "../../helpers/product-sheet.ts";

it("failed.xlsx offers the words, categories, brands and shipping templates that its cells accept", async () => {
  const harness = await openConnectionHarness();
  const row = goodRow(1, { "Fiyat *": "on iki" });
  const { "Kategori *": category, "Marka *": brand, "Teslimat Şablonu *": template } = row;
  const path = await writeWorkbook(harness.folder, "urunler.xlsx", [row]);

  const run = await harness.importFile(path);
  const { failed } = await writeResultFiles(harness.connection, run);

  const [sheet, lists] = (await readXlsx(readFileSync(failed ?? ""))).sheets;
  const header = sheet?.rows[0] ?? [];
  const validations = sheet?.dataValidations ?? [];
  const offered = new Map(
    validations.map(({ range, formula1 = "" }) => {
      const letter = /^[A-Z]+/u.exec(range)?.[0] ?? "";
      const at = /\$([A-Z])\$2/u.exec(formula1)?.[1]?.charCodeAt(0) ?? 0;
      const words = (lists?.rows ?? []).slice(1).map((cells) => cells[at - 65]);
      return [String(header[letter.charCodeAt(0) - 65]), words.filter(Boolean)];
    }),
  );
  expect([...offered.keys()].toSorted()).toEqual([
    "Garanti Süresi *",
    "Garanti Tipi *",
    "Kategori *",
    "Marka *",
    "Teslimat Şablonu *",
  ]);
  expect(offered.get("Kategori *")).toContain(category);
  expect(offered.get("Marka *")).toContain(brand);
  expect(offered.get("Teslimat Şablonu *")).toContain(template);
  expect(offered.get("Garanti Süresi *")).toContain("24 Ay");
});
