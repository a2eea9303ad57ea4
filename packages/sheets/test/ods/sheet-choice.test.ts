import { expect, it } from "vitest";

import { listSheets, openSheet } from "../../src/index.ts";
import { fileOf } from "../helpers/files.ts";
import { zipOf } from "../helpers/workbooks.ts";

const SPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';

const rowOf = (text: string): string =>
  `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
const tableOf = (name: string, texts: readonly string[]): string =>
  `<table:table table:name="${name}">${texts.map((text) => rowOf(text)).join("")}</table:table>`;

const fileWith = (tables: readonly string[]): string => {
  const content = `<office:document-content ${SPACES}><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document-content>`;
  const parts = [
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" },
    { name: "META-INF/manifest.xml", content: "<manifest/>" },
    { name: "content.xml", content },
  ];
  return fileOf("a.ods", zipOf(parts));
};

it("lists the filled sheets of an OpenDocument file", async () => {
  const path = fileWith([
    tableOf("Boş", []),
    tableOf("Tabak", ["Kod"]),
    tableOf("Kaşık", ["Kod", "K2"]),
  ]);

  expect(await listSheets({ path })).toMatchObject([
    { name: "Tabak", rows: 1 },
    { name: "Kaşık", rows: 2 },
  ]);
});

it("begins with the first filled sheet where all sheets of an OpenDocument file are wanted", async () => {
  const tables = [
    tableOf("Boş", []),
    tableOf("Tabak", ["Kod", "K1"]),
    tableOf("Kaşık", ["Kod", "K2"]),
  ];

  await using sheet = await openSheet({ path: fileWith(tables), sheet: "hepsi" });

  const codes = await Array.fromAsync(sheet.rows(), ({ cells: [code] }) => code);
  expect(codes).toEqual(["K1"]);
});
