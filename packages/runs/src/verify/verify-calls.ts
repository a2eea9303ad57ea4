import { MAX_PAGE_SIZE } from "@catalog/contract";

/** The fewest calls that read so many products back. */
export const readBackCalls = (rows: number): number => Math.ceil(rows / MAX_PAGE_SIZE);
