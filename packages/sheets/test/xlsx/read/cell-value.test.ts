import { openSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  collectSharedStrings,
  parseNumberFormat,
  parseStyles,
} from "../../../src/xlsx/read/cell-value.ts";
import type { StoredRange } from "../../../src/xlsx/read/row-frame.ts";
import { fileOf, readAll, temporaryFolder } from "../../helpers/files.ts";
import { textCell, workbookParts, zipOf } from "../../helpers/workbooks.ts";
import { sharedStrings, writeInPieces } from "../../helpers/xml.ts";

describe("parseNumberFormat", () => {
  it.each([
    ["dd.mm.yyyy", "date"],
    ["yyyy\\-mm\\-dd;@", "date"],
    ["[$-41F]d mmmm yyyy", "date"],
    ["h:mm:ss.00", "date"],
    ["[h]:mm", "plain"],
    ["[mm]:ss", "plain"],
    ["mm:ss.0", "date"],
    ["#,##0.00 USD", "plain"],
    ['0.00" dolar"', "plain"],
    ["00000", "padded"],
    ['"TR"0000', "plain"],
    ["000 000 000", "plain"],
    ['000"."000', "plain"],
    ['0"-A"', "plain"],
    ["0000-000", "plain"],
    ["00000;-00000", "plain"],
  ] as const)("reads %s as %s", (code, kind) => {
    expect(parseNumberFormat(code)).toMatchObject({ kind, code });
  });

  it.each(["", "General", "GENERAL", "general"])("gives the format “%s” no code", (code) => {
    expect(parseNumberFormat(code).code).toBeUndefined();
  });

  it.each([
    ['@" adet"', true],
    ['"TR-"@', true],
    [";;;", true],
    ['0;0;0;"gizli"', true],
    ["@", false],
    ["0.00", false],
    ['0" adet"', false],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', false],
    ['0;0;0;" "@', false],
    ['0";";0;0;@', false],
  ])("recognises whether %s displays more or less than a text", (code, isMore) => {
    expect(parseNumberFormat(code).textCode).toBe(isMore ? code : undefined);
  });
});

describe("parseStyles", () => {
  it("gives built-in formats, named by number only, their codes", () => {
    const ids = [0, 1, 2, 3, 4, 9, 10, 11, 12, 37, 39, 43, 44, 48, 49, 164, 999];
    const styles = ids.map((id) => `<xf numFmtId="${id}"/>`).join("");
    const custom = '<numFmt numFmtId="164" formatCode="&quot;TR&quot;0000"/>';

    const formats = parseStyles(
      `<styleSheet><numFmts>${custom}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`,
    );

    expect(formats.map(({ code }) => code)).toEqual([
      undefined,
      "0",
      "0.00",
      "#,##0",
      "#,##0.00",
      "0%",
      "0.00%",
      "0.00E+00",
      "# ?/?",
      "#,##0_);\\(#,##0\\)",
      "#,##0.00_);\\(#,##0.00\\)",
      '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
      '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
      "##0.0E+0",
      "@",
      '"TR"0000',
      undefined,
    ]);
  });

  it("recognises East Asian date formats, which have no code", () => {
    const formats = parseStyles('<s><cellXfs><xf numFmtId="14"/><xf numFmtId="31"/></cellXfs></s>');

    expect(formats.map(({ kind }) => kind)).toEqual(["date", "date"]);
  });
});

const cell = (column: string, style: number, content: string): string =>
  `<c r="${column}2" s="${style}"${content}</c>`;

it("a workbook returns the formats of its cells, except for dates, padded codes and plain texts", async () => {
  const codes = ['"$"0.00', "dd.mm.yyyy", "00000", '@" adet"'];
  const styles =
    `<styleSheet><numFmts>${codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', "&quot;")}"/>`).join("")}</numFmts>` +
    `<cellXfs><xf numFmtId="0"/><xf numFmtId="2"/>${codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join("")}</cellXfs></styleSheet>`;
  const row = [
    cell("A", 1, "><v>1.5</v>"),
    cell("B", 2, "><v>12.5</v>"),
    cell("C", 3, "><v>45322</v>"),
    cell("D", 4, "><v>12</v>"),
    cell("E", 5, ' t="inlineStr"><is><t>3</t></is>'),
    cell("F", 1, ' t="inlineStr"><is><t>metin</t></is>'),
    cell("G", 2, "><f>A2*2</f><v>3</v>"),
    cell("H", 0, "><v>7</v>"),
    cell("I", 4, "><v>123456</v>"),
    cell("J", 2, ' t="str"><f>A2&amp;""</f><v>1,5</v>'),
  ];
  const rows = `<row r="1">${textCell("A1", "Kod")}${textCell("B1", "Ad")}</row><row r="2">${row.join("")}</row>`;
  const parts = workbookParts([{ name: "S", rows }]);
  const path = fileOf("a.xlsx", zipOf([...parts, { name: "xl/styles.xml", content: styles }]));

  expect((await readAll(path)).rows).toEqual([
    {
      row: 2,
      cells: [1.5, 12.5, "2024-01-31", "00012", "3", "metin", 3, 7, 123_456, "1,5"],
      traits: { 2: "date", 6: "formula", 9: "formula" },
      formats: { 0: "0.00", 1: '"$"0.00', 4: '@" adet"', 6: '"$"0.00', 8: "00000" },
    },
  ]);
});

const textAt = (index: number): string => `${index} ${"şığ".repeat(index % 900)}`;

it("keeps texts beyond its memory in the file, and finds each of them in any order", () => {
  const fd = openSync(join(temporaryFolder(), "strings"), "w+");
  const { xml, strings } = collectSharedStrings({ fd, maxChars: 32_767, memoryBytes: 1 });
  const count = 3_000;
  const texts = Array.from({ length: count }, (_, index) => `<si><t>${textAt(index)}</t></si>`);

  writeInPieces(xml, `<sst>${texts.join("")}</sst>`, 10_000);

  const range: StoredRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  let found = 0;
  for (let step = 0; step < count; step += 1) {
    const index = (step * 7_919) % count;
    expect(strings.get(index) === textAt(index)).toBe(true);
    if (!strings.find(index, range)) continue;
    found += 1;
    expect(
      Buffer.from(range.bytes).toString("utf8", range.start, range.end) === textAt(index),
    ).toBe(true);
  }
  // The other texts cross the border of two pages.
  expect(found).toBeGreaterThan(count - 30);
});

it("cuts a text that is too long one character beyond the limit", () => {
  const { xml, strings } = collectSharedStrings({ maxChars: 5 });

  writeInPieces(xml, `<sst><si><t>${"a".repeat(90)}</t></si></sst>`, 1_000);

  expect(strings.get(0)).toBe("aaaaaa");
});

it("does not return a text as bytes that contain a cell separator", () => {
  const strings = sharedStrings(["a&#31;b", "_x001F_", "ab"]);

  const range: StoredRange = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  expect([0, 1, 2, 3].map((index) => strings.find(index, range))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(strings.get(0)).toBe("a\u001fb");
});
