/** Exports the report of a run on its own, as the index would load the commands too. */

export { formatIssue } from "./report-texts.ts";
