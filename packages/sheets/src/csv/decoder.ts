/** Bytes to text, strictly: a byte that means nothing is an error and never a replacement letter. */

import iconv from "iconv-lite";

import { createTwiceRepair, TWICE } from "./twice-encoded.ts";

/** Takes the bytes of one text in order, cut anywhere; without bytes it ends. */
export interface TextDecoding {
  /** Throws a `TypeError` at the first wrong byte. */
  decode(bytes?: Uint8Array): string;
}

/** What Node itself does not know. */
const OTHER_ENCODINGS: ReadonlyMap<string, string> = new Map([
  ["cp857", "cp857"],
  ["ibm857", "cp857"],
  ["857", "cp857"],
  ["dos-857", "cp857"],
  ["macturkish", "macturkish"],
  ["x-mac-turkish", "macturkish"],
  ["mac-turkish", "macturkish"],
]);

const TABLE_ENCODINGS: ReadonlySet<string> = new Set(OTHER_ENCODINGS.values());

/**
 * The one name of an encoding, whatever it was called; undefined if nobody knows it. `utf-8-twice` is
 * UTF-8 that was taken for an old encoding and saved as UTF-8 once more.
 */
export function encodingName(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (name.endsWith(TWICE)) {
    const inner = encodingName(name.slice(0, -TWICE.length));
    return inner?.startsWith("utf-") === true ? `${inner}${TWICE}` : undefined;
  }
  const other = OTHER_ENCODINGS.get(name);
  if (other !== undefined) return other;
  // Node reads it as windows-1254, which has letters in places that the standard leaves empty.
  if (/^(?:iso-?8859-?9|latin5)$/i.test(label.trim())) return "iso-8859-9";
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `encoding` as `encodingName` gives it. A byte order mark is left out. */
export function createDecoder(encoding: string): TextDecoding {
  if (encoding.endsWith(TWICE)) return createTwiceDecoder(encoding.slice(0, -TWICE.length));
  if (TABLE_ENCODINGS.has(encoding)) return createTableDecoder(encoding);
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode: TextDecoding["decode"] = (bytes) =>
    decoder.decode(bytes, { stream: bytes !== undefined });
  if (!encoding.startsWith("windows-")) return { decode };
  return { decode: (bytes) => withoutControls(decode(bytes), encoding) };
}

/** What an encoding of Windows does not define, Node gives as a control character. */
function withoutControls(text: string, encoding: string): string {
  if (/[\u0080-\u009f]/u.test(text)) throw new TypeError(`A byte means nothing in ${encoding}.`);
  return text;
}

/** Letters are repaired as far as they are certainly whole; the rest waits for the next bytes. */
function createTwiceDecoder(inner: string): TextDecoding {
  const decoder = createDecoder(inner);
  const { repair } = createTwiceRepair();
  let pending = "";
  return {
    decode(bytes) {
      const text = pending + decoder.decode(bytes);
      const end = bytes === undefined ? text.length : endOfAscii(text);
      pending = text.slice(end);
      return repair(text.slice(0, end));
    },
  };
}

/** Where the last run of letters beyond ASCII begins, which the next bytes may go on with. */
function endOfAscii(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) > 0x7f) end -= 1;
  return end;
}

/** Every byte is a letter by itself here, so nothing is carried over. */
function createTableDecoder(encoding: string): TextDecoding {
  return {
    decode(bytes) {
      if (bytes === undefined) return "";
      const text = iconv.decode(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        encoding,
      );
      if (text.includes("\ufffd")) throw new TypeError(`A byte means nothing in ${encoding}.`);
      return text;
    },
  };
}

/** Undefined if a byte means nothing in this encoding. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = createDecoder(encoding);
    return decoder.decode(bytes) + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
