/** The log of the values that each update overwrites. */

import type { VerificationLog } from "./verification-log.ts";

/** Keeps the listing that a row was decided or rechecked against, which its request overwrites. */
export type BeforeValueLog = Pick<VerificationLog, "readBefore" | "saveBefore">;
