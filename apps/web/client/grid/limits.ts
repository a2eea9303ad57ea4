/**
 * Limits of the interface with the server. They are repeated here, as the client takes only types
 * from it; a test compares them.
 */

/** Cells of one change. */
export const MAX_CELLS = 5_000;
/** Rows of one reading. */
export const MAX_ROWS = 500;
