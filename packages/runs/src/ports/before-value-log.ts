/** What the store showed of the product of each update when the row was decided or looked at last. */

import { type ReadBackBook } from "./verification-log.ts";

/** Keeps the listing that a row rests on, and after it was sent the one that it has overwritten. */
export type BeforeBook = Pick<ReadBackBook, "readBefore" | "saveBefore">;
