import fc from "fast-check";
import { expect, it } from "vitest";

import { openSheet } from "../../src/index.ts";
import { collect, fileOf } from "../helpers/files.ts";

/** A table as three programs write it: flat, with attributes, and deeply nested. */
type Table = readonly (readonly string[])[];

const NAMES = ["kod", "ad", "fiyat", "not"] as const;

const escapeText = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
/** A parser makes a blank of every break in an attribute that is not written as a reference. */
const escapeAttribute = (text: string): string =>
  escapeText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
/** A section ends at its first end, and its line breaks are those of the document. */
const toSection = (text: string): string =>
  text
    .split("\r")
    .map((part) => `<![CDATA[${part.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`)
    .join("&#13;");
const toReferences = (text: string): string =>
  Array.from(text, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`).join("");

const WRITERS: Readonly<
  Record<string, (table: Table) => readonly [text: string, headers: readonly string[]]>
> = {
  flat: (table) => [
    `<?xml version="1.0" encoding="UTF-8"?>\n<Urunler>\n${table
      .map((cells) => {
        const nodes = cells.map(
          (cell, at) => `    <${NAMES[at]}>${escapeText(cell)}</${NAMES[at]}>\n`,
        );
        return `  <Urun>\n${nodes.join("")}  </Urun>\n`;
      })
      .join("")}</Urunler>\n`,
    [...NAMES],
  ],
  attributes: (table) => [
    `<shop><offers>${table
      .map((cells) => {
        const given = cells.map((cell, at) => ` ${NAMES[at]}="${escapeAttribute(cell)}"`);
        return `<offer${given.join("")}/>`;
      })
      .join("\r\n")}</offers></shop>`,
    NAMES.map((name) => `@${name}`),
  ],
  nested: (table) => [
    `<?xml version='1.0'?><!-- <x> --><f xmlns:n="urn:n"><e>${table
      .map(([code = "", name = "", price = "", note = ""]) => {
        const inner = `<n:d><ad>${toSection(name)}</ad><n:p><fiyat>${toReferences(price)}</fiyat></n:p></n:d>`;
        return `<i kod='${escapeAttribute(code).replaceAll("'", "&apos;")}'>${inner}<not>${toSection(note)}</not></i>`;
      })
      .join("<!-- next -->")}</e></f>`,
    ["@kod", "n:d/ad", "n:d/n:p/fiyat", "not"],
  ],
};

/** What XML can hold in any form; blanks alone are an empty cell. */
const cell = fc
  .string({ unit: "binary", maxLength: 12 })
  .map((text) => text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ""))
  .filter((text) => text.trim() !== "" && text.isWellFormed());
const tables = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 6 });

const RECORDS: Readonly<Record<string, string>> = {
  flat: "Urunler/Urun",
  attributes: "shop/offers/offer",
  nested: "f/e/i",
};

it.each(Object.entries(WRITERS))("reads back a table that is written %s", async (form, write) => {
  await fc.assert(
    fc.asyncProperty(tables, async (table) => {
      const [text, headers] = write(table);
      await using sheet = await openSheet({
        path: fileOf("a.xml", text),
        encoding: "utf-8",
        sheet: RECORDS[form] ?? "",
      });
      const rows = await collect(sheet.rows());
      expect(sheet.header.cells).toEqual(headers);
      expect(rows.map(({ cells }) => cells)).toEqual(table);
    }),
    { numRuns: 100 },
  );
});

/** Longer numbers are kept as text. */
const isShort = (value: unknown): boolean => String(value).length <= 15;

it("reads back any JSON table, whole and one object a line, as JSON.parse does", async () => {
  const value = fc.oneof(
    cell,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  );
  const objects = fc.array(fc.record({ kod: cell, n: value, v: fc.record({ x: value }) }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(objects, fc.constantFrom(0, 1, 2), async (items, form) => {
      const texts = items.map((item) => JSON.stringify(item));
      const [text = "", record = ""] =
        [
          [`${texts.join("\n")}\n`, "."],
          [JSON.stringify(items, null, 2), "."],
          [JSON.stringify({ a: { b: items } }), "a.b"],
        ][form] ?? [];
      await using sheet = await openSheet({
        path: fileOf("a.json", text),
        encoding: "utf-8",
        sheet: record,
      });
      const rows = await collect(sheet.rows());
      fc.pre(items.every(({ n, v }) => isShort(n) && isShort(v.x)));
      const parsed: unknown = JSON.parse(`[${texts.join(",")}]`);
      const read = rows.map(({ cells: [kod, n, x] }) => ({ kod, n, v: { x } }));
      expect(read).toEqual(parsed);
    }),
    { numRuns: 100 },
  );
});
