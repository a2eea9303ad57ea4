/**
 * PostgreSQL has no text with NUL (SQLSTATE 22021), and the driver would write half of a surrogate
 * pair as U+FFFD without a word. Both are written as U+FFFD there, in queries as well, so that what
 * was stored is found again.
 */
export function toStoredText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes("\0") ? formed.replaceAll("\0", "\u{fffd}") : formed;
}
