import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  createXmlBytes,
  createXmlScanner,
  decodeXml,
  XmlError,
  type XmlHandler,
} from "../../../../src/xlsx/read/xml-scanner.ts";
import { writeInPieces } from "../../../helpers/xml.ts";

const TAKEN = Buffer.from("<c>1</c>");

/** Records the events; texts in several pieces are joined. */
function createNotes(): { readonly handler: XmlHandler; readonly notes: string[] } {
  const notes: string[] = [];
  const handler = {
    open: (name: string, attributes: string) => void notes.push(`open ${name}${attributes}`),
    text(text: string) {
      const last = notes.at(-1);
      if (last?.startsWith("text ") === true) notes[notes.length - 1] = last + text;
      else notes.push(`text ${text}`);
    },
    close: (name: string) => void notes.push(`close ${name}`),
  };
  return { handler, notes };
}

/**
 * The events of a document, where the handler reads every `<c>1</c>` as bytes and reports it as
 * events.
 */
function tellBytes(document: Buffer, pieceBytes: number): readonly string[] {
  const { handler, notes } = createNotes();
  const xml = createXmlBytes({
    ...handler,
    take(bytes, start) {
      if (!bytes.subarray(start, start + TAKEN.length).equals(TAKEN)) return -1;
      handler.open("c", "");
      handler.text("1");
      handler.close("c");
      return start + TAKEN.length;
    },
  });
  try {
    writeInPieces(xml, document, pieceBytes);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return ["refused"];
  }
  return notes;
}

function tellText(document: string): readonly string[] {
  const { handler, notes } = createNotes();
  const scanner = createXmlScanner(handler);
  try {
    scanner.write(document);
    scanner.end();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return ["refused"];
  }
  return notes;
}

const part = fc.constantFrom(
  "<c>1</c>",
  "<c>1</c><c>1</c>",
  "<c>2</c>",
  "<c >1</c>",
  "<x:c>1</x:c>",
  "<c/>",
  "\n  ",
  "ş😀",
  "<row r='<c>1</c>'>",
  "<row>",
  "</row>",
  "<!-- <c>1</c> -->",
  "<![CDATA[<c>1</c>]]>",
  "&amp;",
  "&#x131;",
  "&",
  "<?pi <c>1</c>?>",
  ">",
  "<",
  "<!DOCTYPE a>",
  "ğ".repeat(30),
);
const document = fc
  .tuple(fc.array(part, { maxLength: 12 }), fc.constantFrom("<a>", ""))
  .map(([parts, opening]) => `${opening}${parts.join("")}${opening === "" ? "" : "</a>"}`);

describe("createXmlBytes", () => {
  it("reports the same events as the scanner alone, for every split of the bytes", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 60 }), (text, pieceBytes) => {
        const told = tellText(text);

        expect(tellBytes(Buffer.from(text), pieceBytes)).toEqual(told);
        expect(tellBytes(Buffer.from(text), 1_000_000)).toEqual(told);
      }),
      { numRuns: 400 },
    );
  });

  const TEXT = "<a><c>1</c>ş<b>ğ😀</b></a>";
  const encodings: readonly (readonly [string, Buffer])[] = [
    ["UTF-8 with its mark", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16, low byte first", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
    ["UTF-16, high byte first", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16()],
  ];
  for (const [what, bytes] of encodings) {
    it(`reads ${what}`, () => {
      for (const pieceBytes of [1, 2, 3, 5, 1_000]) {
        expect(tellBytes(bytes, pieceBytes)).toEqual(tellText(TEXT));
      }
      expect(decodeXml(bytes)).toBe(TEXT);
    });
  }

  const broken: readonly (readonly [string, Buffer])[] = [
    ["bytes that are not UTF-8", Buffer.from("<a><c>1</c>\xff</a>", "latin1")],
    ["an incomplete character before a tag", Buffer.from("<a>\xc5<c>1</c></a>", "latin1")],
    ["an incomplete character at the end", Buffer.from("<a></a>\xc5", "latin1")],
    ["an incomplete character in UTF-16", Buffer.from("\xff\xfe<\0a\0/\0>\0 ", "latin1")],
  ];
  for (const [what, bytes] of broken) {
    it(`refuses ${what}`, () => {
      for (const pieceBytes of [1, 4, 1_000])
        expect(tellBytes(bytes, pieceBytes)).toEqual(["refused"]);
      expect(() => decodeXml(bytes)).toThrow(XmlError);
    });
  }

  it("does not wait for the end of a text over the limit", () => {
    const { handler, notes } = createNotes();
    const xml = createXmlBytes(handler);

    xml.write(Buffer.from(`<a>${"ş".repeat(100_000)}`));

    expect(notes).toEqual(["open a", `text ${"ş".repeat(100_000)}`]);
  });

  it("reads a comment full of tags in linear time", () => {
    const { handler, notes } = createNotes();
    const xml = createXmlBytes({ ...handler, take: () => -1 });

    writeInPieces(xml, `<a><!--${"<".repeat(250_000)}--></a>`, 64 * 1024);

    expect(notes).toEqual(["open a", "close a"]);
  });
});
