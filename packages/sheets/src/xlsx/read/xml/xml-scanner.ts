/**
 * Parses XML as a stream, in pieces of any size. It supports what workbooks need: elements by their
 * local names, text and entities. It has no document types, so nothing can expand.
 */

/** Receives the parts of a document in order. A text may come in several pieces. */
export interface XmlHandler {
  /** `attributes` is the source text of the attributes; see `parseAttributes`. */
  open(name: string, attributes: string): void;
  text(text: string): void;
  close(name: string): void;
}

export interface XmlScanner {
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
