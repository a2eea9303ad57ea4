import iconv from "iconv-lite";

const HIGH_BYTES = Uint8Array.from({ length: 128 }, (_, at) => at + 128);

/**
 * Characters of the bytes 80 to FF in a one-byte encoding; a control character where the encoding
 * defines none, as programs write it.
 */
export function highSigns(encoding: string): readonly string[] {
  const text = encoding.startsWith("windows-")
    ? new TextDecoder(encoding).decode(HIGH_BYTES)
    : iconv.decode(Buffer.from(HIGH_BYTES), encoding);
  return Array.from(text, (sign, at) => (sign === "\ufffd" ? String.fromCharCode(at + 128) : sign));
}
