import { randomBytes } from "node:crypto";

import { formatDateTime } from "@catalog/i18n";

/**
 * Creates an id such as `r-261121-0930-4f2a`: it begins with the day and the minute in Turkish time,
 * as people read every time, so that ids sort by time; it is short enough to type, and is not
 * repeated. `nowMs` is in milliseconds since 1970.
 */
export function createRunId(nowMs: number): string {
  const shown = formatDateTime(nowMs, "en", { dateStyle: "short", timeStyle: "short" });
  const stamp = shown.replaceAll(/[-:]/gu, "").replace(" ", "-").slice(2);
  return `r-${stamp}-${randomBytes(2).toString("hex")}`;
}
