/**
 * Parses XML as a stream, in pieces of any size. It supports what workbooks need: elements by their
 * local names, text and entities. It has no document types, so nothing can expand.
 */

import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

/** A handler that can read elements as bytes. */
interface XmlBytesHandler extends XmlHandler {
  /**
   * Called at each tag inside the document; reads a whole element itself and returns its end, or
   * returns -1. An element that it reads is not reported in another way. Not called for UTF-16.
   */
  take?(bytes: Buffer, start: number): number;
}

export interface XmlBytes {
  write(piece: Buffer): void;
  /** To be called once, after the last piece. */
  end(): void;
}

const LESS = 60;
/** A longer element is not waited for; the scanner has limits of its own. */
const MAX_WAITING_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = "efbbbf";
const NOTHING = Buffer.alloc(0);

/** Makes the reader. `write` and `end` throw an `XmlError` for XML that is refused. */
export const createXmlBytes = (handler: XmlBytesHandler): XmlBytes => new Pieces(handler);

/** Decodes a whole document. XML is UTF-8 unless it begins with the byte order mark of UTF-16. */
export function decodeXml(bytes: Buffer): string {
  const encoding = wideEncoding(bytes) ?? "utf-8";
  return decodeStrictly(new TextDecoder(encoding, { fatal: true }), bytes);
}

class Pieces implements XmlBytes {
  readonly #handler: XmlBytesHandler;
  readonly #scanner: XmlScanner;
  /**
   * Buffer for the bytes that wait for their end and the latest piece; reused, because there are
   * many pieces.
   */
  #room: Buffer = NOTHING;
  #waiting: Buffer = NOTHING;
  #wide: TextDecoder | undefined;
  #hasBegun = false;

  constructor(handler: XmlBytesHandler) {
    this.#handler = handler;
    this.#scanner = createXmlScanner(handler);
  }

  write(piece: Buffer): void {
    const bytes = this.#waiting.length === 0 ? piece : this.#join(piece);
    this.#waiting = bytes;
    // The byte order mark may be split between pieces as well.
    if (!this.#hasBegun && bytes.length < BYTE_ORDER_MARK.length / 2) return;
    const start = this.#hasBegun ? 0 : this.#begin(bytes);
    if (this.#wide !== undefined) this.#writeWide(this.#wide, bytes);
    else this.#writeNarrow(bytes, start);
  }

  end(): void {
    const start = this.#hasBegun ? 0 : this.#begin(this.#waiting);
    if (this.#wide === undefined) this.#decode(this.#waiting, start, this.#waiting.length);
    else this.#scanner.write(decodeStrictly(this.#wide));
    this.#scanner.end();
  }

  /** The waiting bytes and the piece together, valid until the next piece. */
  #join(piece: Buffer): Buffer {
    const waiting = this.#waiting.length;
    const length = waiting + piece.length;
    const room = this.#room.length < length ? Buffer.allocUnsafeSlow(2 * length) : this.#room;
    this.#waiting.copy(room);
    piece.copy(room, waiting);
    this.#room = room;
    return room.subarray(0, length);
  }

  /** Returns the position at which the document begins. */
  #begin(bytes: Buffer): number {
    this.#hasBegun = true;
    const encoding = wideEncoding(bytes);
    if (encoding !== undefined) this.#wide = new TextDecoder(encoding, { fatal: true });
    return bytes.toString("hex", 0, 3) === BYTE_ORDER_MARK ? 3 : 0;
  }

  #writeWide(decoder: TextDecoder, bytes: Buffer): void {
    this.#waiting = NOTHING;
    this.#scanner.write(decodeStrictly(decoder, bytes, { stream: true }));
  }

  #writeNarrow(bytes: Buffer, start: number): void {
    let done = this.#scan(bytes, start);
    // Elements that the scanner has begun, or that exceed the limit, are left to the scanner.
    if (!this.#scanner.isAtRest() || bytes.length - done > MAX_WAITING_BYTES) {
      const end = endOfLetters(bytes);
      this.#decode(bytes, done, end);
      done = end;
    }
    assertUtf8(bytes.subarray(0, done));
    this.#waiting = done === bytes.length ? NOTHING : bytes.subarray(done);
  }

  /**
   * Scans up to the end of the last complete tag or text, or to the position at which the scanner
   * must wait.
   */
  #scan(bytes: Buffer, start: number): number {
    let at = start;
    while (this.#scanner.isAtRest()) {
      const isAsked = bytes[at] === LESS && this.#scanner.isInside();
      const taken = isAsked ? (this.#handler.take?.(bytes, at) ?? -1) : -1;
      const end = taken === -1 ? bytes.indexOf(LESS, at + 1) : taken;
      if (end === -1) break;
      if (taken === -1) this.#scanner.write(bytes.toString("utf8", at, end));
      at = end;
    }
    return at;
  }

  #decode(bytes: Buffer, start: number, end: number): void {
    assertUtf8(bytes.subarray(start, end));
    this.#scanner.write(bytes.toString("utf8", start, end));
  }
}

function wideEncoding(start: Buffer): "utf-16le" | "utf-16be" | undefined {
  const mark = start.toString("hex", 0, 2);
  if (mark === "fffe") return "utf-16le";
  return mark === "feff" ? "utf-16be" : undefined;
}

function decodeStrictly(
  decoder: TextDecoder,
  bytes?: Buffer,
  options?: { readonly stream: boolean },
): string {
  try {
    return decoder.decode(bytes, options);
  } catch (error) {
    throw new XmlError(`The document is not ${decoder.encoding}.`, { cause: error });
  }
}

function assertUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new XmlError("The document is not utf-8.");
}

/** End of the last complete character. */
function endOfLetters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > 0) return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Receives the parts of a document in order. A text may come in several pieces. */
export interface XmlHandler {
  /** `attributes` is the source text of the attributes; see `parseAttributes`. */
  open(name: string, attributes: string): void;
  text(text: string): void;
  close(name: string): void;
}

interface XmlScanner {
  write(piece: string): void;
  /** Whether everything written has been reported, and nothing waits for its end. */
  isAtRest(): boolean;
  /** Whether an element is open. */
  isInside(): boolean;
  /** To be called once, after the last piece. */
  end(): void;
}

/** The document is not well formed, or has a construct that no workbook has. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

/** A longer tag, comment or section is refused, because it must be held whole. */
const MAX_HELD_CHARS = 256 * 1024;
const MAX_ENTITY_CHARS = 12;
const MAX_DEPTH = 256;

const SPACE = 32;
const EXCLAMATION = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const COLON = 58;
const GREATER = 62;
const QUESTION = 63;

const SECTIONS: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];
const MAX_START = 9;

/** Makes the scanner. `write` and `end` throw an `XmlError` for XML that is refused. */
export const createXmlScanner = (handler: XmlHandler): XmlScanner => new Scanner(handler);

class Scanner implements XmlScanner {
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #held = "";
  #hasRoot = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(piece: string): void {
    const source = this.#held === "" ? piece : this.#held + piece;
    let at = 0;
    for (;;) {
      const start = source.indexOf("<", at);
      const textEnd = start === -1 ? endOfWholeText(source, at) : start;
      if (textEnd > at) this.#text(source.slice(at, textEnd));
      at = textEnd;
      const end = start === -1 ? -1 : this.#scanMarkup(source, start);
      if (end === -1) break;
      at = end;
    }
    this.#held = source.slice(at);
    if (this.#held.length > MAX_HELD_CHARS) throw new XmlError("A tag has no end.");
  }

  isAtRest(): boolean {
    return this.#held === "";
  }

  isInside(): boolean {
    return this.#open.length > 0;
  }

  end(): void {
    if (this.#held.trim() !== "" || this.#open.length > 0 || !this.#hasRoot) {
      throw new XmlError("The document ends too early.");
    }
  }

  #text(raw: string): void {
    if (this.#open.length > 0) this.#handler.text(decodeEntities(raw));
    else if (raw.trim() !== "") throw new XmlError("There is text outside the document.");
  }

  /** End of the markup that begins at `start`; -1 if the end has not arrived yet. */
  #scanMarkup(source: string, start: number): number {
    switch (source.charCodeAt(start + 1)) {
      case EXCLAMATION:
      case QUESTION:
        return this.#scanSection(source, start);
      case SLASH:
        return this.#scanClose(source, start);
      default:
        return this.#scanOpen(source, start);
    }
  }

  #scanSection(source: string, start: number): number {
    const section = SECTIONS.find(([opening]) => source.startsWith(opening, start));
    if (section === undefined) {
      const begun = source.slice(start, start + MAX_START);
      if (SECTIONS.some(([opening]) => opening.startsWith(begun))) return -1;
      throw new XmlError("The document has a type.");
    }
    const [opening, ending] = section;
    const end = source.indexOf(ending, start + opening.length);
    if (end === -1) return -1;
    if (ending === "]]>" && this.#open.length > 0) {
      this.#handler.text(source.slice(start + opening.length, end));
    }
    return end + ending.length;
  }

  #scanClose(source: string, start: number): number {
    const end = source.indexOf(">", start);
    if (end === -1) return -1;
    const name = localName(source.slice(start + 2, end).trimEnd());
    if (this.#open.pop() !== name) {
      throw new XmlError(`The element ${name} is closed but not open.`);
    }
    this.#handler.close(name);
    return end + 1;
  }

  #scanOpen(source: string, start: number): number {
    const end = findTagEnd(source, start + 1);
    if (end === -1) return -1;
    const isClosed = source.charCodeAt(end - 1) === SLASH;
    const contentEnd = isClosed ? end - 1 : end;
    const nameEnd = findNameEnd(source, start + 1, contentEnd);
    const name = localName(source.slice(start + 1, nameEnd));
    this.#enter(name);
    this.#handler.open(name, source.slice(nameEnd, contentEnd));
    if (isClosed) {
      this.#open.pop();
      this.#handler.close(name);
    }
    return end + 1;
  }

  #enter(name: string): void {
    const isSecondRoot = this.#open.length === 0 && this.#hasRoot;
    if (name === "" || isSecondRoot || this.#open.length > MAX_DEPTH) {
      throw new XmlError("An element is where none may be.");
    }
    this.#hasRoot = true;
    this.#open.push(name);
  }
}

/** Passes a whole document to a handler. */
export function scanXml(document: string, handler: XmlHandler): void {
  const scanner = createXmlScanner(handler);
  scanner.write(document);
  scanner.end();
}

/** End of the text before an incomplete entity, which waits for the rest of it. */
function endOfWholeText(source: string, from: number): number {
  const ampersand = source.lastIndexOf("&");
  const isCut =
    ampersand >= from &&
    source.length - ampersand < MAX_ENTITY_CHARS &&
    !source.includes(";", ampersand);
  return isCut ? ampersand : source.length;
}

/** Position of the next `>` outside quotes. */
function findTagEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === GREATER) return at;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      at = source.indexOf(code === DOUBLE_QUOTE ? '"' : "'", at + 1);
      if (at === -1) return -1;
    }
  }
  return -1;
}

function findNameEnd(source: string, from: number, end: number): number {
  let at = from;
  while (at < end && source.charCodeAt(at) > SPACE) at += 1;
  return at;
}

function localName(name: string): string {
  for (let at = 0; at < name.length; at += 1) {
    if (name.charCodeAt(at) === COLON) return name.slice(at + 1);
  }
  return name;
}

const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Attributes by their local names; of two with the same name the later one is taken. */
export const parseAttributes = (source: string): ReadonlyMap<string, string> =>
  new Map(
    [...source.matchAll(ATTRIBUTE)].map(([, name = "", double, single]) => [
      localName(name),
      decodeEntities(double ?? single ?? ""),
    ]),
  );

const ENTITY = /&(?:#(\d{1,7}|x[0-9a-fA-F]{1,6});|(amp|lt|gt|quot|apos);|)/g;
const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Decodes XML's own entities; throws an `XmlError` for any other. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(ENTITY, (_, number: string | undefined, name: string | undefined) => {
    const decoded = number === undefined ? NAMED.get(name ?? "") : fromNumber(number);
    if (decoded === undefined) throw new XmlError("There is an unknown entity.");
    return decoded;
  });
}

function fromNumber(number: string): string | undefined {
  const code = Number(number.startsWith("x") ? `0${number}` : number);
  const isLetter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isLetter ? String.fromCodePoint(code) : undefined;
}
