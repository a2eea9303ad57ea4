/** Decodes bytes strictly: an invalid byte is an error and never a replacement character. */

import iconv from "iconv-lite";

import { createTwiceRepair, TWICE } from "./twice-encoded.ts";

/** Decodes the bytes of one text in order, split at any byte; a call without bytes ends it. */
export interface TextDecoding {
  /** Throws a `TypeError` at the first invalid byte. */
  decode(bytes?: Uint8Array): string;
}

/** Encodings that Node does not decode. */
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
 * The canonical name of an encoding; `undefined` for an unknown label. `utf-8-twice` is UTF-8 that
 * was read as an old encoding and saved as UTF-8 again.
 */
export function encodingName(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (name.endsWith(TWICE)) {
    const inner = encodingName(name.slice(0, -TWICE.length));
    return inner?.startsWith("utf-") === true ? `${inner}${TWICE}` : undefined;
  }
  const other = OTHER_ENCODINGS.get(name);
  if (other !== undefined) return other;
  // Node decodes it as windows-1254, which has letters at codes that the standard leaves undefined.
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

/**
 * Refuses control characters, which Node returns for codes that a Windows encoding does not define.
 */
function withoutControls(text: string, encoding: string): string {
  if (/[\u0080-\u009f]/u.test(text)) throw new TypeError(`A byte means nothing in ${encoding}.`);
  return text;
}

/** Repairs letters as far as they are certainly complete; the rest waits for the next bytes. */
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

/** Position of the last run of letters beyond ASCII, which the next bytes may continue. */
function endOfAscii(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) > 0x7f) end -= 1;
  return end;
}

/** Every byte is one letter in these encodings, so nothing is carried over. */
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

/** Decodes all bytes; `undefined` if one is invalid in this encoding. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = createDecoder(encoding);
    return decoder.decode(bytes) + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
