/**
 * Reads the text of a file in slices. One decoder reads them all, so that a character split between
 * two slices is whole; an invalid byte is an error, never a replacement character.
 */

import { type FileHandle, open } from "node:fs/promises";

import { SheetError } from "../sheet-error.ts";
import {
  collectWords,
  createDecoder,
  createUtf8Doubt,
  decodeBytes,
  encodingName,
  type EncodingReading,
  isDamagedUtf8,
  judgeLegacyEncoding,
  TWICE,
} from "./encoding.ts";

const READ_BYTES = 512 * 1024;
/** V8 allocates larger strings slowly. */
const SLICE_BYTES = 48 * 1024;
/** Number of bytes examined to detect UTF-16. */
const HEAD_BYTES = 4 * 1024;

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
async function* readSlices(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  await using handle = await open(path);
  const buffer = Buffer.allocUnsafe(await bufferBytes(handle));
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer);
    if (bytesRead === 0) return;
    for (let at = 0; at < bytesRead; at += SLICE_BYTES) {
      yield buffer.subarray(at, Math.min(at + SLICE_BYTES, bytesRead));
    }
  }
}

/** A small file, which is read several times, needs a small buffer; a pipe has no size. */
async function bufferBytes(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  return size === 0 ? READ_BYTES : Math.min(size, READ_BYTES);
}

/** Decodes strictly, without the byte order mark; throws a `TypeError` at the first wrong byte. */
export async function* decodeSlices(
  slices: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  for await (const slice of slices) {
    const text = decoder.decode(slice);
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** The text of a file whose encoding is known. */
export const readText = (file: TextFile, signal?: AbortSignal): AsyncGenerator<string> =>
  decodeSlices(readSlices(file.path, signal), file.encoding);

interface EncodingQuestion {
  /** The base name, for messages. */
  readonly file: string;
  readonly wanted?: string;
  /** Examines the text before it is read to its end; may throw. */
  readonly onBeginning?: (file: TextFile) => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Finds an encoding in which every byte of the file is valid: that of its byte order mark, else
 * `wanted`, else UTF-16 if every other byte is a NUL, else UTF-8, else the old encoding in which
 * the words are most likely. Reads the whole file, so that no part of it contradicts the result.
 * Throws `E_ENCODING` if the mark or `wanted` does not fit or a UTF-8 file has a broken letter,
 * `E_ENCODING_UNSURE` if several encodings are likely and none is wanted, and `E_NUL` if there is a
 * NUL in the text.
 */
export async function detectEncoding(path: string, question: EncodingQuestion): Promise<string> {
  const { file, wanted } = question;
  const head = await readHead(path);
  const asked = wanted === undefined ? undefined : labelOf(wanted, file);
  const certain = certainOf(bomOf(head), asked) ?? utf16Of(head);
  const encoding = certain ?? "utf-8";
  const doubt = createUtf8Doubt();
  if (await isValidText({ path, encoding }, { ...question, onText: doubt.inspect })) {
    if (asked === undefined) assertOneReading(file, doubt.readings(encoding));
    return encoding;
  }
  if (certain !== undefined) throw new SheetError("E_ENCODING", { file, found: encoding });
  return await detectLegacyEncoding(path, question);
}

/**
 * The encoding of the byte order mark takes precedence, but does not say whether the text was
 * encoded twice.
 */
function certainOf(bom: string | undefined, asked: string | undefined): string | undefined {
  if (bom === undefined) return asked;
  return asked?.endsWith(TWICE) === true ? `${bom}${TWICE}` : bom;
}

async function detectLegacyEncoding(path: string, question: EncodingQuestion): Promise<string> {
  const { file } = question;
  const words = await collectWords(withoutNul(readSlices(path, question.signal), file));
  if (isDamagedUtf8(words)) throw new SheetError("E_ENCODING", { file, found: "utf-8" });
  const verdict = judgeLegacyEncoding(words);
  if (!verdict.isSure) assertOneReading(file, verdict.readings);
  const found = verdict.isSure ? verdict.encoding : "utf-8";
  if (verdict.isSure && (await isValidText({ path, encoding: found }, question))) return found;
  throw new SheetError("E_ENCODING", { file, found });
}

/** Refuses a NUL: a binary file is text in no encoding, so there is no choice to offer. */
async function* withoutNul(
  slices: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Uint8Array> {
  for await (const slice of slices) {
    if (slice.includes(0)) throw new SheetError("E_NUL", { file });
    yield slice;
  }
}

/** Number of words shown to a person to compare encodings. */
const SHOWN_WORDS = 5;

/** Throws `E_ENCODING_UNSURE`, with words that differ, where more than one reading is likely. */
function assertOneReading(file: string, readings: readonly EncodingReading[]): void {
  const [best, second] = readings;
  if (best === undefined) return;
  const differing = best.words.flatMap((word, at) => (word === second?.words[at] ? [] : [at]));
  const shown = differing.slice(0, SHOWN_WORDS);
  throw new SheetError("E_ENCODING_UNSURE", {
    file,
    readings: readings.map(({ encoding, words }) => ({
      encoding,
      words: shown.map((at) => words[at] ?? ""),
    })),
  });
}

async function readHead(path: string): Promise<Buffer> {
  await using handle: FileHandle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES);
  return buffer.subarray(0, bytesRead);
}

function bomOf(head: Buffer): string | undefined {
  const hex = head.toString("hex", 0, 3);
  return BOMS.find(([bom]) => hex.startsWith(bom))?.[1];
}

/** The byte order of UTF-16, which leaves one byte of nearly every Latin letter zero. */
function utf16Of(head: Buffer): string | undefined {
  const pairs = Math.floor(head.length / 2);
  const nuls = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) {
    if (head[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = nuls;
  if (pairs < 4 || Math.max(even, odd) < pairs * 0.5 || Math.min(even, odd) > pairs * 0.02)
    return undefined;
  return even > odd ? "utf-16be" : "utf-16le";
}

function labelOf(wanted: string, file: string): string {
  const name = encodingName(wanted);
  if (name === undefined) throw new SheetError("E_ENCODING", { file, found: wanted });
  return name;
}

/**
 * As `detectEncoding`, for a file that states its encoding. The bytes decide where it states UTF-8
 * or UTF-16, and a byte order mark does in any case. Throws `E_ENCODING_UNSURE` where its words in another encoding are certain to be
 * likelier than in the stated one, and read differently.
 */
export async function detectStatedEncoding(
  path: string,
  { stated, ...question }: EncodingQuestion & { readonly stated: string },
): Promise<string> {
  const { file, signal } = question;
  const name = labelOf(stated, file);
  const isMarked = bomOf(await readHead(path)) !== undefined;
  if (isMarked || name.startsWith("utf-")) return await detectEncoding(path, question);
  const found = await detectLikely(path, question);
  if (found !== undefined && found !== name) {
    const words = await collectWords(readSlices(path, signal));
    assertSameWords(file, words, [found, name]);
  }
  return await detectEncoding(path, { ...question, wanted: name });
}

async function detectLikely(path: string, question: EncodingQuestion): Promise<string | undefined> {
  try {
    return await detectEncoding(path, question);
  } catch (error) {
    if (!(error instanceof SheetError) || !error.code.startsWith("E_ENCODING")) throw error;
    return undefined;
  }
}

/** Throws `E_ENCODING_UNSURE` with the words that the two encodings read differently. */
function assertSameWords(
  file: string,
  words: readonly string[],
  encodings: readonly [string, string],
): void {
  const readings = encodings.flatMap((encoding) => {
    const text = decodeBytes(Buffer.from(words.join("\n"), "latin1"), encoding);
    return text === undefined ? [] : [{ encoding, words: text.split("\n") }];
  });
  const [first, second] = readings;
  if (first?.words.join("\n") === second?.words.join("\n")) return;
  assertOneReading(file, readings);
}

interface TextQuestion extends EncodingQuestion {
  readonly onText?: (slice: string) => void;
}

async function isValidText(text: TextFile, question: TextQuestion): Promise<boolean> {
  const { file, signal, onBeginning, onText } = question;
  try {
    await onBeginning?.(text);
    for await (const slice of readText(text, signal)) {
      if (slice.includes("\0")) throw new SheetError("E_NUL", { file });
      onText?.(slice);
    }
    return true;
  } catch (error) {
    // A `TypeError` is the strict decoder's; any other error is not about the encoding.
    if (error instanceof TypeError) return false;
    throw error;
  }
}
