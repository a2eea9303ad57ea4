/** Keeps people out of files that need not know them. */

/** `Ayşe Yılmaz` is `A*** Y***`; a name that is masked already stays as it is. */
export function maskName(name: string): string {
  return name
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => `${firstLetter(word)}***`)
    .join(" ");
}

const firstLetter = (word: string): string => String.fromCodePoint(word.codePointAt(0) ?? 0);

/** Everything of a text but that there is one. */
export const maskText = (text: string): string => (text.trim() === "" ? "" : "***");
