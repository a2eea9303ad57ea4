/** Removes a percent sign at either end with the blanks beside it: `%15` and `15 %` become 15. */
export function trimPercent(text: string): string {
  const behind = text.startsWith("%") ? text.slice(1).trimStart() : text;
  return behind.endsWith("%") ? behind.slice(0, -1).trimEnd() : behind;
}
