/**
 * Collects the words of a file that have bytes beyond ASCII, which are the only evidence of its
 * encoding.
 */

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
