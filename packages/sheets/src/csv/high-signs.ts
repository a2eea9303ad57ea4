import iconv from "iconv-lite";

const HIGH_BYTES = Uint8Array.from({ length: 128 }, (_, at) => at + 128);

/**
 * What the bytes from 80 to FF are in a one-byte encoding. Where it has no sign, a control character
 * stands, which is what programs leave there.
 */
export function highSigns(encoding: string): readonly string[] {
  const text = encoding.startsWith("windows-")
    ? new TextDecoder(encoding).decode(HIGH_BYTES)
    : iconv.decode(Buffer.from(HIGH_BYTES), encoding);
  return Array.from(text, (sign, at) => (sign === "\ufffd" ? String.fromCharCode(at + 128) : sign));
}
