/** Escapes untrusted texts for the page, so that they stay texts. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for elements and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? "");
}

/**
 * Puts a text in an element of its own, so that a right-to-left override within a cell does not
 * reverse the rest of the line.
 */
export function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** Writes JSON for a script element, in which no character can end or open an element. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
