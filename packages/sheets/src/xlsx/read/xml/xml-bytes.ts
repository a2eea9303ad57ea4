/**
 * Passes XML bytes, in pieces of any size, to a handler. Elements of the most common shape are
 * handled as bytes; everything else is decoded and passed through the scanner.
 */

import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

import { createXmlScanner, XmlError, type XmlHandler, type XmlScanner } from "./xml-scanner.ts";

/** A handler that can read elements as bytes. */
export interface XmlBytesHandler extends XmlHandler {
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
