import { MAX_PAGE_SIZE } from "@catalog/contract";

/** Returns the fewest calls that read this number of products back. */
export const countVerifyCalls = (rows: number): number => Math.ceil(rows / MAX_PAGE_SIZE);
