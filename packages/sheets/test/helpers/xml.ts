import { collectSharedStrings, type SharedStrings } from "../../src/xlsx/read/cell-value.ts";
import type { XmlBytes } from "../../src/xlsx/read/xml-scanner.ts";

/** Writes a document in pieces that may end anywhere, even inside a character. */
export function writeInPieces(xml: XmlBytes, document: string | Buffer, pieceBytes: number): void {
  const bytes = Buffer.from(document);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    xml.write(bytes.subarray(at, at + pieceBytes));
  }
  xml.end();
}

/** The shared texts of a workbook, which are given as XML. */
export function sharedStrings(texts: readonly string[]): SharedStrings {
  const { xml, strings } = collectSharedStrings({ maxChars: 5_000 });
  const items = texts.map((text) => `<si><t>${text}</t></si>`);
  writeInPieces(xml, `<sst>${items.join("")}</sst>`, 1_000_000);
  return strings;
}
