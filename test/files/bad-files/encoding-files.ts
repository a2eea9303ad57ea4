/** Random files as sellers save them, in the encodings of old programs, from seeds. */

import type { Lang } from "@catalog/i18n";
import iconv from "iconv-lite";

import { BRANDS, FOREIGN, HEADERS, PLAIN, PRODUCTS, QUALITIES } from "./turkish-words.ts";

export const SAVED_AS = [
  "windows-1254",
  "windows-1252",
  "cp857",
  "macturkish",
  "utf-8-twice",
] as const;
export type SavedAs = (typeof SAVED_AS)[number];

/** A file, and the texts that a person reads in it. */
export interface EncodingFile {
  readonly savedAs: SavedAs;
  readonly bytes: Buffer;
  /** Cells of header and rows. */
  readonly cells: readonly (readonly string[])[];
  /** Parameters of the random file, for messages. */
  readonly drawn: string;
}

type Random = () => number;
type Casing = "title" | "upper" | "lower" | "mixed";

const CASINGS: readonly Casing[] = ["title", "upper", "lower", "mixed"];
const HEADER_KINDS = ["ascii", "turkish", "upper"] as const;
/** Numbers of rows; small files are the hard ones. */
const SIZES = [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 30, 100, 300, 1000] as const;
/** Share of cells that may hold letters beyond ASCII; 0 is one such cell in the whole file. */
const SHARES = [0, 0.05, 0.3, 0.7, 0.95] as const;

/** Share of Turkish lists that name foreign brands. */
const FOREIGN_SHARE = 0.2;

/** Mulberry32: the same sequence for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Creates the file of a seed. */
export function drawFile(seed: number, savedAs: SavedAs, maxRows = 1_000): EncodingFile {
  const random = createRandom(seed);
  const size = Math.min(maxRows, pick(random, SIZES));
  const casing = pick(random, CASINGS);
  const share = pick(random, SHARES);
  const headers = pick(random, HEADER_KINDS);
  const words = savedAs === "windows-1252" ? drawForeign(random) : drawTurkish(random, savedAs);
  const drawRow = createRowDrawer(random, { casing, share, words });
  const single = share === 0 ? Math.floor(random() * size) : -1;
  const rows = Array.from({ length: size }, (_, index) => drawRow(index, index === single));
  const cells = [drawHeader(savedAs === "windows-1252" ? "ascii" : headers), ...rows];
  const text = cells.map((row) => row.map(quoted).join(";")).join("\r\n");
  const drawn = [savedAs, `seed ${seed}`, `${size} rows`, casing, share, headers].join(", ");
  return { savedAs, bytes: encode(text, savedAs, random), cells, drawn };
}

interface Words {
  readonly titles: () => string;
  readonly brands: readonly string[];
  /** Words with exactly one letter beyond ASCII. */
  readonly single: readonly string[];
  /** Language of the program that changed their case. */
  readonly locale: Lang;
}

const LANGUAGES = ["french", "german", "nordic", "spanish"] as const;

function drawForeign(random: Random): Words {
  const brands = FOREIGN[pick(random, LANGUAGES)];
  const titles = (): string => `${pick(random, PLAIN)} ${pick(random, brands)}`;
  return { titles, brands, single: brands.filter(hasOneLetter), locale: "en" };
}

function drawTurkish(random: Random, savedAs: SavedAs): Words {
  // Other old programs of Turkey do not write foreign brands.
  const foreign = savedAs === "windows-1254" ? Object.values(FOREIGN).flat() : [];
  const titles = (): string => `${pick(random, QUALITIES)} ${pick(random, PRODUCTS)}`;
  const brands = random() < FOREIGN_SHARE ? [...BRANDS, ...foreign] : BRANDS;
  const single = [...PRODUCTS, ...QUALITIES, ...BRANDS].filter(hasOneLetter);
  return { titles, brands, single, locale: "tr" };
}

const hasOneLetter = (word: string): boolean => word.replaceAll(/[\0-\u007f]/gu, "").length === 1;

interface RowOptions {
  readonly casing: Casing;
  readonly share: number;
  readonly words: Words;
}

function createRowDrawer(
  random: Random,
  { casing, share, words }: RowOptions,
): (index: number, isSingle: boolean) => readonly string[] {
  const drawCased = (text: string): string => {
    const drawn = casing === "mixed" ? pick(random, CASINGS) : casing;
    return toCase(text, drawn, PLAIN_TEXTS.has(text) ? "en" : words.locale);
  };
  const drawTitle = (isSingle: boolean, hasLetters: boolean): string => {
    if (isSingle) return pick(random, words.single);
    return hasLetters ? words.titles() : pick(random, PLAIN);
  };
  return (index, isSingle) => {
    const hasLetters = random() < share;
    const brands = hasLetters && random() < 0.7 ? words.brands : PLAIN;
    const note = hasLetters && random() < 0.3 ? `${words.titles()}, ${words.titles()}` : "";
    return [
      `KOD-${index + 1}`,
      drawCased(drawTitle(isSingle, hasLetters)),
      `${Math.floor(random() * 900) + 10},90`,
      String(Math.floor(random() * 50)),
      drawCased(pick(random, brands)),
      drawCased(note),
    ];
  };
}

function toCase(text: string, casing: Casing, locale: Words["locale"]): string {
  if (casing === "upper") return text.toLocaleUpperCase(locale);
  return casing === "lower" ? text.toLocaleLowerCase(locale) : text;
}

/** Words that stay ASCII in every case. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set(PLAIN);

function drawHeader(kind: (typeof HEADER_KINDS)[number]): readonly string[] {
  if (kind !== "upper") return HEADERS[kind];
  return HEADERS.turkish.map((text) => toCase(text, "upper", "tr"));
}

const quoted = (cell: string): string => (/[;"]/u.test(cell) ? `"${cell}"` : cell);

/** Encodings that programs have mistaken UTF-8 for. */
const TAKEN_FOR = ["windows-1252", "windows-1254", "windows-1250"] as const;

function encode(text: string, savedAs: SavedAs, random: Random): Buffer {
  if (savedAs !== "utf-8-twice") {
    const bytes = iconv.encode(text, savedAs);
    if (iconv.decode(bytes, savedAs) !== text)
      throw new Error(`${savedAs} cannot hold all letters`);
    return bytes;
  }
  return Buffer.from(new TextDecoder(pick(random, TAKEN_FOR)).decode(Buffer.from(text)));
}
