/**
 * XML as bytes, in pieces of any size, to a handler. An element of the shape that nearly all of the
 * document has is taken as the bytes it is; everything else is decoded and goes through the scanner.
 */

import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

import { createXmlScanner, XmlError, type XmlHandler, type XmlScanner } from "./xml-scanner.ts";

/** A handler that may take elements as bytes. */
export interface XmlBytesHandler extends XmlHandler {
  /**
   * Asked at each tag inside the document whether it takes the whole element by itself. It returns
   * where the element ends, or -1; what it takes is not told otherwise. Not asked in UTF-16.
   */
  take?(bytes: Buffer, start: number): number;
}

export interface XmlBytes {
  write(piece: Buffer): void;
  /** To be called once, after the last piece. */
  end(): void;
}

const LESS = 60;
/** An element that is longer than this is not waited for; the scanner has limits of its own. */
const MAX_WAITING_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = "efbbbf";
const NOTHING = Buffer.alloc(0);

/** Throws an `XmlError` from `write` or `end` at what it refuses. */
export const createXmlBytes = (handler: XmlBytesHandler): XmlBytes => new Pieces(handler);

/** A whole document as text. XML is UTF-8 unless it begins with the mark of UTF-16. */
export function decodeXml(bytes: Buffer): string {
  const encoding = wideEncoding(bytes) ?? "utf-8";
  return decodeStrictly(new TextDecoder(encoding, { fatal: true }), bytes);
}

class Pieces implements XmlBytes {
  readonly #handler: XmlBytesHandler;
  readonly #scanner: XmlScanner;
  /** What came last, after what waits for its end; one for all pieces, which are many. */
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
    // The mark of the encoding may come in pieces as well.
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

  /** What waits and the piece as one, valid until the next piece. */
  #join(piece: Buffer): Buffer {
    const waiting = this.#waiting.length;
    const length = waiting + piece.length;
    const room = this.#room.length < length ? Buffer.allocUnsafeSlow(2 * length) : this.#room;
    this.#waiting.copy(room);
    piece.copy(room, waiting);
    this.#room = room;
    return room.subarray(0, length);
  }

  /** Returns where the document begins. */
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
    // What the scanner holds on to, and what has no end in sight, is left to it.
    if (!this.#scanner.isAtRest() || bytes.length - done > MAX_WAITING_BYTES) {
      const end = endOfLetters(bytes);
      this.#decode(bytes, done, end);
      done = end;
    }
    assertUtf8(bytes.subarray(0, done));
    this.#waiting = done === bytes.length ? NOTHING : bytes.subarray(done);
  }

  /** Up to the last tag or text of which the end is there, or to where the scanner has to wait. */
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

/** Where the last letter ends that is whole. */
function endOfLetters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > 0) return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
