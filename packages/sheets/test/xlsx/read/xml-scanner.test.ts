import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";

import {
  createXmlBytes,
  createXmlScanner,
  decodeXml,
  parseAttributes,
  XmlError,
  type XmlHandler,
} from "../../../src/xlsx/read/xml-scanner.ts";
import { writeInPieces } from "../../helpers/xml.ts";

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
  it.each<readonly [string, Buffer]>([
    ["UTF-8 with its mark", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16, low byte first", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
    ["UTF-16, high byte first", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16()],
  ])("reads %s", (what, bytes) => {
    for (const pieceBytes of [1, 2, 3, 5, 1_000]) {
      expect(tellBytes(bytes, pieceBytes)).toEqual(tellText(TEXT));
    }
    expect(decodeXml(bytes)).toBe(TEXT);
  });

  it.each<readonly [string, Buffer]>([
    ["bytes that are not UTF-8", Buffer.from("<a><c>1</c>\xff</a>", "latin1")],
    ["an incomplete character before a tag", Buffer.from("<a>\xc5<c>1</c></a>", "latin1")],
    ["an incomplete character at the end", Buffer.from("<a></a>\xc5", "latin1")],
    ["an incomplete character in UTF-16", Buffer.from("\xff\xfe<\0a\0/\0>\0 ", "latin1")],
  ])("refuses %s", (what, bytes) => {
    for (const pieceBytes of [1, 4, 1_000])
      expect(tellBytes(bytes, pieceBytes)).toEqual(["refused"]);
    expect(() => decodeXml(bytes)).toThrow(XmlError);
  });

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

/** The events of a document, one per line; adjacent texts are joined. */
function join(events: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.startsWith("text ") && last?.startsWith("text ") === true) {
      joined[joined.length - 1] = last + event.slice(5);
    } else joined.push(event);
  }
  return joined;
}

function scan(xml: string, pieceChars: number): readonly string[] {
  const events: string[] = [];
  const scanner = createXmlScanner({
    open: (name, source) =>
      events.push(`open ${name} ${JSON.stringify([...parseAttributes(source)])}`),
    text: (text) => events.push(`text ${text}`),
    close: (name) => events.push(`close ${name}`),
  });
  for (let at = 0; at < xml.length; at += pieceChars) scanner.write(xml.slice(at, at + pieceChars));
  scanner.end();
  return join(events);
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

/** The events from a complete XML parser. */
function parse(xml: string): readonly string[] {
  const events: string[] = [];
  let depth = 0;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const pairs = Object.entries(attributes).map(([key, value]) => [local(key), value]);
    events.push(`open ${local(name)} ${JSON.stringify(pairs)}`);
    depth += 1;
  });
  parser.on("text", (text) => depth > 0 && events.push(`text ${text}`));
  parser.on("cdata", (text) => events.push(`text ${text}`));
  parser.on("closetag", ({ name }) => {
    events.push(`close ${local(name)}`);
    depth -= 1;
  });
  parser.write(xml).close();
  return join(events).filter((event) => event !== "text ");
}

const name = fc.constantFrom("c", "row", "x:v", "si", "t", "worksheet");
const text = fc
  .array(
    fc.constantFrom(
      "ş",
      "ğı",
      "İ",
      "a b",
      "&amp;",
      "&lt;",
      "&#x131;",
      "&#304;",
      "&quot;",
      "😀",
      ">",
      "'",
      '"',
      "1,5",
    ),
  )
  .map((parts) => parts.join(""));
const attribute = fc
  .tuple(
    fc.constantFrom("r", "s", "x:t", "spans"),
    text,
    fc.constantFrom('"', "'"),
    fc.constantFrom("=", " = "),
  )
  .map(
    ([key, value, quote, sign]) => ` ${key}${sign}${quote}${value.replaceAll(quote, "")}${quote}`,
  );
const attributes = fc
  .uniqueArray(attribute, { maxLength: 3, selector: (source) => source.trim().split(/\W/)[0] })
  .map((sources) => sources.join(""));
const node = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(name, attributes, fc.array(tie("content"), { maxLength: 4 }), fc.constantFrom("", " "))
    .map(([tag, given, content, blank]) =>
      content.length === 0
        ? `<${tag}${given}${blank}/>`
        : `<${tag}${given}${blank}>${content.join("")}</${tag}${blank}>`,
    ),
  content: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom("<!-- <c> -->", "<![CDATA[<ı>&amp;]]>", "<?pi a?>", "\n  "),
    tie("element"),
  ),
})).element;

describe("createXmlScanner", () => {
  it("reports the same events as a complete XML parser, for every split", () => {
    fc.assert(
      fc.property(node, fc.integer({ min: 1, max: 80 }), (body, pieceChars) => {
        const xml = `<?xml version="1.0"?>\n${body}\n`;

        expect(scan(xml, pieceChars)).toEqual(parse(xml));
      }),
      { numRuns: 300 },
    );
  });

  const refused = [
    ["a document type", "<!DOCTYPE a><a/>"],
    ["an unknown entity", "<a>&b;</a>"],
    ["an incomplete entity", "<a>a & b</a>"],
    ["an end tag without its start tag", "<a></b></a>"],
    ["a missing end tag", "<a><b></b>"],
    ["nothing", " "],
    ["two roots", "<a/><b/>"],
    ["text outside the root", "<a/>x"],
    ["an unpaired surrogate", "<a>&#xd800;</a>"],
    ["a tag without end", `<a ${"x".repeat(300_000)}`],
    ["too many nested elements", "<a>".repeat(400)],
  ] as const;
  it.each(refused)("refuses %s", (_what, xml) => {
    expect(() => scan(xml, 1_000_000)).toThrow(XmlError);
    if (xml.length < 1_000) expect(() => scan(xml, 1)).toThrow(XmlError);
  });
});
