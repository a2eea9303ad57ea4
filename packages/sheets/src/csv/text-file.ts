/**
 * The text of a file, in slices. A letter whose bytes lie in two slices comes out whole, because one
 * decoder sees them all; and a byte that does not belong is an error, never a replacement character.
 */

import { type FileHandle, open } from "node:fs/promises";

import { SheetError } from "../sheet-error.ts";

const READ_BYTES = 512 * 1024;
/** Larger strings land where V8 allocates slowly. */
const SLICE_BYTES = 48 * 1024;

/** What Turkish Excel writes when it is asked for plain CSV. */
const LEGACY_ENCODING = "windows-1254";

const BOMS: readonly (readonly [bom: string, encoding: string])[] = [
  ["efbbbf", "utf-8"],
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];

/** A text file to be read, and how. */
export interface TextFile {
  readonly path: string;
  readonly encoding: string;
}

/** The bytes of a file. Each slice is valid only until the next one is asked for. */
export async function* readSlices(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  await using handle = await open(path);
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES);
    if (bytesRead === 0) return;
    for (let at = 0; at < bytesRead; at += SLICE_BYTES) {
      yield buffer.subarray(at, Math.min(at + SLICE_BYTES, bytesRead));
    }
  }
}

/** Decodes strictly, without the byte order mark; throws a `TypeError` at the first wrong byte. */
export async function* decodeSlices(
  slices: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const slice of slices) {
    const text = decoder.decode(slice, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** The text of a file whose encoding is known. */
export const readText = (file: TextFile, signal?: AbortSignal): AsyncGenerator<string> =>
  decodeSlices(readSlices(file.path, signal), file.encoding);

/**
 * Finds an encoding in which every byte of the file makes sense: that of its byte order mark, else
 * `wanted`, else UTF-8, else windows-1254. Reads the file once, to its end.
 * Throws `E_ENCODING` if the mark or `wanted` does not fit, and `E_NUL` if there is a NUL in the text.
 */
export async function detectEncoding(
  path: string,
  options: { readonly file: string; readonly wanted?: string; readonly signal?: AbortSignal },
): Promise<string> {
  const { file, wanted, signal } = options;
  const certain =
    (await readBom(path)) ?? (wanted === undefined ? undefined : labelOf(wanted, file));
  const encoding = certain ?? "utf-8";
  if (await isValidText({ path, encoding }, file, signal)) return encoding;
  if (certain !== undefined) throw new SheetError("E_ENCODING", { file, found: encoding });
  if (await isValidText({ path, encoding: LEGACY_ENCODING }, file, signal)) return LEGACY_ENCODING;
  throw new SheetError("E_ENCODING", { file, found: LEGACY_ENCODING });
}

async function readBom(path: string): Promise<string | undefined> {
  await using handle: FileHandle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3);
  const hex = buffer.toString("hex", 0, bytesRead);
  return BOMS.find(([bom]) => hex.startsWith(bom))?.[1];
}

function labelOf(wanted: string, file: string): string {
  try {
    return new TextDecoder(wanted).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SheetError("E_ENCODING", { file, found: wanted }, { cause: error });
  }
}

async function isValidText(text: TextFile, file: string, signal?: AbortSignal): Promise<boolean> {
  try {
    for await (const slice of readText(text, signal)) {
      if (slice.includes("\0")) throw new SheetError("E_NUL", { file });
    }
    return true;
  } catch (error) {
    // The strict decoder's own complaint; what else goes wrong is not about the encoding.
    if (error instanceof TypeError) return false;
    throw error;
  }
}
