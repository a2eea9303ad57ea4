/** Finds control characters in output that the program did not write itself. */

/** Characters that a text must not contain; the line feed is the program's own. */
const OBEYED =
  /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]--\n]/gv;

const ESCAPE = "\u001b";

/** Control codes with which questions and redrawn lines move the cursor and color text. */
const OWN: readonly string[] = [
  ...["?25l", "?25h", "2K", "J", "G", "999D"].map((end) => `${ESCAPE}[${end}`),
  ...[2, 7, 8, 9, 22, 27, 28, 29, 31, 32, 33, 36, 39, 90].map((color) => `${ESCAPE}[${color}m`),
  "\r",
];

/** Cursor movements by a number of columns or lines. */
const MOVES = /\[\d{1,2}[ABCD]/gu;

/** Control characters in text written to a pipe or file, each with the text around it. */
export function findControlCharacters(text: string): readonly string[] {
  return [...text.matchAll(OBEYED)].map(({ index }) =>
    JSON.stringify(text.slice(Math.max(0, index - 20), index + 20)),
  );
}

/** Control characters on a terminal's screen that are not the program's own. */
export function findUnexpectedControlCharacters(screen: string): readonly string[] {
  const moved = screen.replaceAll(MOVES, (move, at) => (screen[at - 1] === ESCAPE ? "[J" : move));
  return findControlCharacters(OWN.reduce((text, own) => text.replaceAll(own, ""), moved));
}

/** Whether a file is written to standard output, unchanged. */
const isFile = (args: readonly string[]): boolean =>
  args[0] === "export" && args[args.indexOf("--out") + 1] === "-" && args.includes("--out");

/** Throws where the program wrote a control character to a pipe. */
export function assertHarmless(
  args: readonly string[],
  { out, err }: { readonly out: string; readonly err: string },
): void {
  const found = [
    ...(isFile(args) ? [] : findControlCharacters(out)),
    ...findControlCharacters(err),
  ];
  if (found.length === 0) return;
  throw new Error(`catalog ${args.join(" ")} printed control characters: ${found.join(", ")}`);
}
