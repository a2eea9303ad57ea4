/** How a run is told of, apart from its commands: the index has those, and loads nothing more. */

export { formatIssue } from "./shared/report-texts.ts";
