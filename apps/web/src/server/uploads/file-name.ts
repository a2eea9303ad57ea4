/** The name of an uploaded file, which is shown and never used as a path. */

const MAX_LETTERS = 200;

// Control characters, and marks that change the direction of a text and so disguise an ending.
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Reads the percent-encoded name of a header; the fallback where there is none. */
export function readFileName(
  header: string | readonly string[] | undefined,
  fallback: string,
): string {
  if (typeof header !== "string") return fallback;
  return toFileName(decode(header), fallback);
}

/** The last part of a name, without characters that nobody sees, and at most 200 letters long. */
export function toFileName(text: string, fallback: string): string {
  const last = text.split(/[/\\]/u).at(-1) ?? "";
  const name = last.replaceAll(UNSEEN, "").trim();
  return name === "" ? fallback : Array.from(name).slice(-MAX_LETTERS).join("");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It is not percent-encoded.
    return text;
  }
}
