import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";

import {
  createXmlScanner,
  parseAttributes,
  XmlError,
} from "../../../../src/xlsx/read/xml-scanner.ts";

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
  for (const [what, xml] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => scan(xml, 1_000_000)).toThrow(XmlError);
      if (xml.length < 1_000) expect(() => scan(xml, 1)).toThrow(XmlError);
    });
  }
});
