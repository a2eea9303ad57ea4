import { expect, it } from "vitest";

import { isTableFileName, isTableName } from "../src/table-names.ts";

/** By its name a table of a folder, and one of an archive. */
it.each([
  ["stok.csv", true, true],
  ["Stok Listesi.TXT", true, true],
  ["stok.xlsx", true, true],
  ["makrolu.xlsm", true, true],
  ["eski.xls", true, true],
  ["liste.ods", true, true],
  ["liste.fods", true, true],
  ["urunler.xml", true, true],
  ["urunler.ndjson", true, true],
  ["stok.csv.gz", true, false],
  ["eski.XLS.GZ", true, false],
  ["stok.zip", true, false],
  ["alt/stok.csv", true, true],
  [String.raw`alt\stok.csv`, true, true],
  ["stok.csv.part", false, false],
  ["stok.csv.tmp", false, false],
  [".stok.csv", false, false],
  ["~$stok.xlsx", false, false],
  ["readme.txt", false, false],
  ["beni oku.txt", false, false],
  ["OKU.txt.gz", false, false],
  ["README.zip", false, false],
  ["alt/LICENSE.txt", false, false],
  ["__MACOSX/stok.csv", false, false],
  ["okul.csv", true, true],
  ["resim.jpg", false, false],
  ["stok", false, false],
  ["stok.gz", false, false],
])("%s", (name, isFile, isEntry) => {
  expect([isTableFileName(name), isTableName(name)]).toEqual([isFile, isEntry]);
});
