/** Masks the names and texts of people in exported files. */

/** `Ayşe Yılmaz` is `A*** Y***`; a name that is masked already stays as it is. */
export function maskName(name: string): string {
  return name
    .split(/\s+/u)
    .filter((word) => word !== "")
    .map((word) => `${firstLetter(word)}***`)
    .join(" ");
}

const firstLetter = (word: string): string => String.fromCodePoint(word.codePointAt(0) ?? 0);

/** Replaces a text by a mark, so that only its presence is visible. */
export const maskWords = (text: string): string => (text.trim() === "" ? "" : "***");
