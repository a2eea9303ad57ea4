/** Decodes bytes strictly, and decides which encoding a text without a mark has. */

import iconv from "iconv-lite";

import { isBroken, readingCost } from "./reading-cost.ts";

const HIGH_BYTES = Uint8Array.from({ length: 128 }, (_, at) => at + 128);

/**
 * Characters of the bytes 80 to FF in a one-byte encoding; a control character where the encoding
 * defines none, as programs write it.
 */
function highSigns(encoding: string): readonly string[] {
  const text = encoding.startsWith("windows-")
    ? new TextDecoder(encoding).decode(HIGH_BYTES)
    : iconv.decode(Buffer.from(HIGH_BYTES), encoding);
  return Array.from(text, (sign, at) => (sign === "\ufffd" ? String.fromCharCode(at + 128) : sign));
}

/**
 * Maximum number of distinct words; so many determine an encoding, and later ones cannot change it.
 */
const MAX_WORDS = 20_000;
/** Text without blanks is split into pieces of this size. */
const MAX_WORD_BYTES = 60;

const WORD = /[0-9A-Za-z]{0,60}[\u0080-\u00ff][0-9A-Za-z\u0080-\u00ff]{0,60}/g;
const BEYOND_ASCII = /[\u0080-\u00ff]/;
const WORD_BYTE = /[0-9A-Za-z\u0080-\u00ff]/;

/** Each word once, in the order of the file, one character (U+0000 to U+00FF) for each byte. */
export async function collectWords(slices: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const words = new Set<string>();
  let pending = "";
  for await (const slice of slices) {
    const text = pending + Buffer.from(slice).toString("latin1");
    const end = lastWordStart(text);
    addWords(words, text.slice(0, end));
    pending = text.slice(end);
    if (words.size >= MAX_WORDS) break;
  }
  addWords(words, pending);
  return [...words];
}

function addWords(words: Set<string>, text: string): void {
  if (!BEYOND_ASCII.test(text)) return;
  for (const [word] of text.matchAll(WORD)) words.add(word);
}

/** Position of the last word's start, which the next slice may continue. */
function lastWordStart(text: string): number {
  let at = text.length;
  while (at > 0 && text.length - at < MAX_WORD_BYTES && WORD_BYTE.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

/*
 * Recognises UTF-8 that a program read as an old encoding and saved as UTF-8 again: `KaÅŸÄ±k` for
 * `Kaşık`. The proof is that the characters, converted back to bytes, are valid UTF-8.
 */

/** Suffix in the name of such an encoding. */
export const TWICE = "-twice";

/** Encodings that the bytes can have been read as. */
const TAKEN_FOR = [
  "windows-1252",
  "windows-1254",
  "windows-1250",
  "macturkish",
  "cp857",
  "iso-8859-1",
  "iso-8859-9",
] as const;

const HIGH_BYTE = 0x80;
/**
 * First UTF-8 bytes of all letters and marks that can be meant; only pictographs begin with others.
 */
const FIRST_BYTES = [0xc2, 0xc3, 0xc4, 0xc5, 0xe2] as const;
/** Number of continuation bytes in UTF-8, 80 to BF. */
const NEXT_BYTES = 0x40;

const RUN = /[^\0-\u007f]+/gu;
/**
 * Characters that can be meant: letters of European languages, marks, currencies, arrows and
 * pictographs.
 */
const MEANT =
  /^[\u00a0-\u014d\u0150-\u017f\u2010-\u205e\u20a0-\u20bf\u2122\u2190-\u27bf\u{1f000}-\u{1faff}]*$/u;

/** Detects and reverses the second encoding. */
interface TwiceRepair {
  /** Whether the text contains a possible trace; fast, but no proof. */
  readonly hasTrace: (text: string) => boolean;
  /** Repairs everything that was encoded twice; the rest of the text stays as it is. */
  readonly repair: (text: string) => string;
  /** Whether all characters beyond ASCII were encoded twice. */
  readonly isAllTwice: (text: string) => boolean;
}

export function createTwiceRepair(): TwiceRepair {
  const signs = TAKEN_FOR.map((encoding) => highSigns(encoding));
  const bytes = signs.map((all) => new Map(all.map((sign, at) => [sign, at + HIGH_BYTE])));
  const first = new RegExp(`[${signs.map(firstOf).join("")}]`);
  const pairs = signs.map((all) => `[${firstOf(all)}][${all.slice(0, NEXT_BYTES).join("")}]`);
  const trace = new RegExp(pairs.join("|"));

  const repairRun = (run: string): string => {
    for (const table of bytes) {
      const letters = decodeRun(run, table);
      if (letters !== undefined && MEANT.test(letters)) return letters;
    }
    return run;
  };

  return {
    // Most texts have none of the first characters, which is the faster test.
    hasTrace: (text) => first.test(text) && trace.test(text),
    repair: (text) => text.replaceAll(RUN, repairRun),
    isAllTwice: (text) => [...text.matchAll(RUN)].every(([run]) => repairRun(run) !== run),
  };
}

const firstOf = (all: readonly string[]): string =>
  FIRST_BYTES.map((byte) => all[byte - HIGH_BYTE] ?? "").join("");

/**
 * Decodes a run; `undefined` unless every character is a byte of the table and all bytes are
 * complete letters.
 */
function decodeRun(run: string, table: ReadonlyMap<string, number>): string | undefined {
  const bytes: number[] = [];
  for (const sign of run) {
    const byte = table.get(sign);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Decodes the bytes of one text in order, split at any byte; a call without bytes ends it. */
interface TextDecoding {
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

/*
 * Detects text that is valid UTF-8 but unlikely: it was encoded twice, or its bytes in an old
 * encoding happen to be valid UTF-8.
 */

/** Points by which another reading must be better than the text as it stands. */
const DOUBT_MARGIN = 8;
/** Points that are enough where the other reading is Turkish. */
const TURKISH_MARGIN = 4;
const TURKISH = /^[\0-\u007fçğıöşüÇĞİÖŞÜâîûÂÎÛ]*$/u;

/** Maximum number of suspicious words that are collected. */
const MAX_DOUBTED_WORDS = 1_000;

const DOUBTED_WORD = /[0-9A-Za-z]{0,60}[^\0-\u007f][0-9A-Za-z\u0080-\uffff]{0,60}/g;
const WORD_SIGN = /[0-9A-Za-z\u0080-\uffff]/;
const MAX_WORD_CHARS = 60;
const NOT_ASCII = /[^\0-\u007f]/u;
/** A letter that two bytes of an old encoding can form, alone among Latin letters. */
const MIXED =
  /(?<=[A-Za-z])[\u0180-\u024f\u0400-\u07ff](?![^\0-\u007f])|(?<![^\0-\u007f])[\u0180-\u024f\u0400-\u07ff](?=[A-Za-z])/u;

/** Examines a text slice by slice, and returns how else it can be read. */
interface Utf8Doubt {
  readonly inspect: (text: string) => void;
  /**
   * The possible readings, then the text as it stands, which is in `encoding`; empty without a
   * doubt.
   */
  readonly readings: (encoding: string) => readonly EncodingReading[];
}

export function createUtf8Doubt(): Utf8Doubt {
  const { hasTrace, repair, isAllTwice } = createTwiceRepair();
  const traced = new Set<string>();
  const mixed = new Set<string>();
  /** A letter that cannot come from an old encoding proves that the file is UTF-8. */
  let isProven = false;
  let pending = "";

  const inspect = (word: string): void => {
    if (hasTrace(word) && traced.size < MAX_DOUBTED_WORDS) traced.add(word);
    if (MIXED.test(word)) mixed.add(word);
    else isProven = true;
  };

  const isTwice = (word: string): boolean => {
    const repaired = repair(word);
    const margin = TURKISH.test(repaired) ? TURKISH_MARGIN : DOUBT_MARGIN;
    return isAllTwice(word) && readingCost(word) - readingCost(repaired) >= margin;
  };

  const inspectAll = (text: string): void => {
    if (isProven ? !hasTrace(text) : !NOT_ASCII.test(text)) return;
    for (const [word] of text.matchAll(DOUBTED_WORD)) inspect(word);
  };

  return {
    inspect(slice) {
      const text = pending + slice;
      const end = lastDoubtedStart(text);
      inspectAll(text.slice(0, end));
      pending = text.slice(end);
    },
    readings(encoding) {
      inspectAll(pending);
      const twice = [...traced].filter(isTwice);
      if (twice.length > 0) {
        const repaired = { encoding: `${encoding}${TWICE}`, words: twice.map(repair) };
        return [repaired, { encoding, words: twice }];
      }
      return isProven || encoding !== "utf-8" ? [] : legacyReadings([...mixed]);
    },
  };
}

/** Position of the last word's start, which the next slice may continue. */
function lastDoubtedStart(text: string): number {
  let at = text.length;
  const end = Math.max(0, at - MAX_WORD_CHARS);
  while (at > end && WORD_SIGN.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

function legacyReadings(words: readonly string[]): readonly EncodingReading[] {
  if (words.length === 0) return [];
  const bytes = words.map((word) => Buffer.from(word).toString("latin1"));
  const verdict = judgeLegacyEncoding(bytes);
  const encodings = verdict.isSure
    ? [verdict.encoding]
    : verdict.readings.map((reading) => reading.encoding);
  const limit = costOf(words) - DOUBT_MARGIN;
  const better = encodings.flatMap((encoding) => {
    const text = decodeBytes(Buffer.from(bytes.join("\n"), "latin1"), encoding);
    const read = text?.split("\n") ?? [];
    return text === undefined || costOf(read) > limit ? [] : [{ encoding, words: read }];
  });
  return better.length === 0 ? [] : [...better, { encoding: "utf-8", words }];
}

const costOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + readingCost(word), 0);

/*
 * Decides between the old one-byte encodings. Every byte is valid in each of them, so only the
 * decoded words give evidence. windows-1254 is what Turkish Excel writes: another encoding is taken
 * only if it explains letters that windows-1254 does not, and none is taken where two readings are
 * close. windows-1254 is not taken where it breaks a word and another reading breaks none.
 */

/** What Turkish Excel writes. */
const EXCEL = "windows-1254";

interface Candidate {
  readonly encoding: string;
  /** Cost in points of not being Excel's encoding; a rare encoding must fit much better. */
  readonly cost: number;
  /**
   * Cost in points of each sign that Turkish does not use: foreign brands are mostly written on
   * Windows.
   */
  readonly strangerCost: number;
}

/**
 * Icelandic (ð, ý, þ) in windows-1252 cannot be distinguished from Turkish and is read as Turkish.
 */
const CANDIDATES: readonly Candidate[] = [
  { encoding: EXCEL, cost: 0, strangerCost: 0 },
  { encoding: "windows-1252", cost: 6, strangerCost: 0 },
  { encoding: "cp857", cost: 5, strangerCost: 4 },
  { encoding: "macturkish", cost: 5, strangerCost: 4 },
];

/** Points by which a reading must beat every other one. */
const MARGIN = 6;
/** Readings worse than the best one by more points than this are not shown. */
const SHOWN_MARGIN = 12;
/** Points per letter from which no reading is text: the encoding of the file is not known here. */
const NONSENSE = 6;
const MIN_NONSENSE_LETTERS = 4;
/** One letter alone is no evidence against Excel's encoding. */
const MIN_LETTERS = 2;

/** The words of a file decoded in one encoding. */
export interface EncodingReading {
  readonly encoding: string;
  /** The same words in the same order in each reading. */
  readonly words: readonly string[];
}

/** One certain reading, or several for a person to choose from, best first. */
type EncodingVerdict =
  | { readonly isSure: true; readonly encoding: string }
  | { readonly isSure: false; readonly readings: readonly EncodingReading[] };

interface WeighedReading extends EncodingReading {
  readonly cost: number;
  readonly isNonsense: boolean;
}

/** Judges `words` of `collectWords`. Returns no reading if no encoding defines all bytes. */
export function judgeLegacyEncoding(words: readonly string[]): EncodingVerdict {
  const readings = CANDIDATES.flatMap((candidate) => weigh(words, candidate)).toSorted(
    (a, b) => a.cost - b.cost,
  );
  const different = readings.filter(
    (reading, at) => readings.findIndex((other) => isSameText(reading, other)) === at,
  );
  const [best, second] = different;
  if (best === undefined) return { isSure: false, readings: [] };
  const isClear = second === undefined || second.cost - best.cost >= MARGIN;
  const isAllowed =
    best.encoding === EXCEL
      ? !hasBroken(best) || different.every(hasBroken)
      : isExcelBroken(readings) && hasLetters(words);
  const central = readCentralEuropean(best, words);
  if (central !== undefined) return { isSure: false, readings: [central, best] };
  if (isClear && isAllowed && !best.isNonsense) return { isSure: true, encoding: best.encoding };
  const limit = best.isNonsense ? Number.POSITIVE_INFINITY : best.cost + SHOWN_MARGIN;
  return { isSure: false, readings: different.filter(({ cost }) => cost <= limit) };
}

/** The same bytes are Turkish letters on other systems. */
const isOfWindows = ({ encoding }: EncodingReading): boolean => encoding.startsWith("windows");

/**
 * What neither Turkish nor a western language has: š and ž at their place in windows-1250, and č or
 * ć before a vowel, which would be è or æ there.
 */
const SLAVIC = /[\u008a\u008e\u009a\u009e]|[èæÈÆ][aeiouAEIOU]/u;
/** Č, ć, ě, ř and others, which windows-1254 reads as è, æ, ì, ø: letters that Turkish has not. */
const CENTRAL = /[ÆÈÌØæèìïòøù]/u;

/**
 * The reading of a text with letters of both kinds in windows-1250, whose words cannot be weighed
 * by what is likely in a Turkish catalog; a person decides.
 */
function readCentralEuropean(
  best: WeighedReading,
  words: readonly string[],
): EncodingReading | undefined {
  if (!isOfWindows(best) && !hasBroken(best)) return undefined;
  if (!words.some((word) => SLAVIC.test(word)) || !words.some((word) => CENTRAL.test(word))) {
    return undefined;
  }
  const encoding = "windows-1250";
  const text = decodeBytes(Buffer.from(words.join("\n"), "latin1"), encoding);
  return text === undefined ? undefined : { encoding, words: text.split("\n") };
}

function weigh(words: readonly string[], candidate: Candidate): readonly WeighedReading[] {
  const { encoding } = candidate;
  const text = decodeBytes(Buffer.from(words.join("\n"), "latin1"), encoding);
  if (text === undefined) return [];
  const decoded = text.split("\n");
  const cost = decoded.reduce((sum, word) => sum + readingCost(word), 0);
  const { length } = text.replaceAll(/[\0-\u007f]/gu, "");
  const strangers = text.replaceAll(/[\0-\u007fçğıöşüÇĞİÖŞÜ]/gu, "").length;
  const isNonsense = length >= MIN_NONSENSE_LETTERS && cost > NONSENSE * length;
  const total = cost + candidate.cost + candidate.strangerCost * strangers;
  return [{ encoding, words: decoded, cost: total, isNonsense }];
}

const isSameText = (a: EncodingReading, b: EncodingReading): boolean =>
  a.words.every((word, at) => word === b.words[at]);

/**
 * Whether Excel's reading breaks a word; a reading that only looks less Turkish is no evidence
 * against it.
 */
function isExcelBroken(readings: readonly EncodingReading[]): boolean {
  const reading = readings.find(({ encoding }) => encoding === EXCEL);
  return reading === undefined || hasBroken(reading);
}

const hasBroken = ({ words }: EncodingReading): boolean => words.some(isBroken);

const hasLetters = (words: readonly string[]): boolean =>
  new Set(words.join("").replaceAll(/[\0-\u007f]/gu, "")).size >= MIN_LETTERS;

/** Whether the letters beyond ASCII are mostly valid UTF-8; then a few invalid bytes are damage. */
export function isDamagedUtf8(words: readonly string[]): boolean {
  let whole = 0;
  let broken = 0;
  const bytes = Buffer.from(words.join("\n"), "latin1");
  for (const letter of new TextDecoder("utf-8").decode(bytes)) {
    if (letter === "\ufffd") broken += 1;
    else if (letter >= "\u0080") whole += 1;
  }
  return whole > broken;
}
