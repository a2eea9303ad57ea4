/** Texts of strangers inside the page: whatever they hold, they stay texts. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? "");
}

/**
 * As text that cannot turn the words around it, in an element of its own: a right-to-left override
 * within a cell would otherwise reverse the rest of the line.
 */
export function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** JSON that may stand in a script element: no sign in it ends or opens anything there. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
