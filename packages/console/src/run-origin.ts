/** What has started this program, as far as it tells: it is stored with the runs that are made. */

/** What makes runs. */
export type RunOrigin = "page" | "schedule" | "terminal";

/** Variable by which the page and the schedules tell the program that they have started it. */
export const ORIGIN_VARIABLE = "CATALOG_STARTED_BY";

/** Reads it; a program that nobody has named was started at a terminal. */
export function readOrigin({
  [ORIGIN_VARIABLE]: origin,
}: Readonly<Record<string, string | undefined>>): RunOrigin {
  return origin === "page" || origin === "schedule" ? origin : "terminal";
}
