/**
 * The interface between the two halves of the page. The server half validates requests with these
 * schemas; the client half takes types only.
 */

export * from "./drafts.ts";
export * from "./feeds.ts";
export * from "./products.ts";
export * from "./questions.ts";
export * from "./runs.ts";
export * from "./session.ts";
export * from "./shared-files.ts";
export * from "./team.ts";
export * from "./work.ts";
