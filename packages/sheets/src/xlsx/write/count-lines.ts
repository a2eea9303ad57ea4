/** Estimates the lines that a text takes in a column, breaking it between words as Excel does. */

/**
 * Characters by their widths, in those of a digit; each width is that in Calibri, the font of the
 * sheets, or in the font that LibreOffice takes where Calibri is missing, whichever is larger.
 */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  [" iıljİI!'.,:;|‘’", 0.5],
  ['frtJ()[]{}-/\\"“”', 0.8],
  ["csçşzxvyk", 0.93],
  ["mwMW@%&…", 1.7],
  ["ABCÇDEFGĞHKLNOÖPQRSŞTUÜVXYZ—→", 1.25],
];
const [SPACE_WIDTH, USUAL_WIDTH, FULL_WIDTH, MAX_WIDTH] = [0.5, 1.05, 2, 2];
/** Where the signs of East Asia begin, which are twice as wide as a digit. */
const FULL_WIDTH_START = 0x2e80;

/** Widths by character code, up to the signs of East Asia. */
const WIDTH_OF: Readonly<Float64Array> = toTable();

function toTable(): Float64Array {
  const table = new Float64Array(FULL_WIDTH_START).fill(USUAL_WIDTH);
  for (const [characters, width] of WIDTHS) {
    for (const character of characters) table[character.charCodeAt(0)] = width;
  }
  return table;
}

/** The edges of a cell, in digits, and the part of the rest that programs fill before they break. */
const [EDGES, FILL] = [0.75, 0.96];

/** Estimates the lines of a text in a column of this width in characters, and not too few. */
export function countLines(text: string, width: number): number {
  const room = Math.max(MAX_WIDTH, (width - EDGES) * FILL);
  if (text.length * MAX_WIDTH <= room && !text.includes("\n")) return 1;
  return text.split("\n").reduce((sum, line) => sum + countWrapped(line, room), 0);
}

function countWrapped(line: string, room: number): number {
  let [lines, used] = [1, 0];
  for (const word of line.split(" ")) {
    const width = measure(word);
    if (used > 0 && used + SPACE_WIDTH + width > room) {
      lines += 1;
      used = 0;
    }
    used += width + (used > 0 ? SPACE_WIDTH : 0);
    if (used <= room) continue;
    // A word longer than a line is broken between letters, of which the last may not fit.
    const whole = Math.max(1, room - USUAL_WIDTH);
    const more = Math.ceil(used / whole) - 1;
    lines += more;
    used -= more * whole;
  }
  return lines;
}

function measure(word: string): number {
  let width = 0;
  for (let at = 0; at < word.length; at += 1) {
    const code = word.codePointAt(at) ?? 0;
    width += WIDTH_OF[code] ?? FULL_WIDTH;
    if (code > LAST_OF_ONE_UNIT) at += 1;
  }
  return width;
}

/** Characters behind this one take two units of a text. */
const LAST_OF_ONE_UNIT = 0xff_ff;
