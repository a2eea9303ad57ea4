/** Lines break between words, and wide letters take more than a digit, which the width counts. */
const FILL = 0.95;

/** Estimates the lines that a text takes in a column of this width in characters. */
export function countLines(text: string, width: number): number {
  const perLine = Math.max(1, Math.floor(width * FILL));
  const lines = text.split("\n").map((line) => Math.max(1, Math.ceil(line.length / perLine)));
  return lines.reduce((sum, count) => sum + count, 0);
}
