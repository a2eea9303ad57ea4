/** What tests of callers need. */

export { createMemoryTokenCache, type MemoryTokenCache } from "./token.ts";
