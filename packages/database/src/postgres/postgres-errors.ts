/** Errors of PostgreSQL and of the connection to it. */

import { DatabaseError } from "../errors.ts";

/** SQLSTATE of a transaction that lost against another one and can be done again. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);

/**
 * SQLSTATE of a server that ends, starts, follows another one or has no connection left, and errors of sockets
 * (postgresql.org/docs/current/errcodes-appendix.html).
 */
const LOST: ReadonlySet<string> = new Set([
  // The server has ended an idle transaction.
  "25P03",
  // The server is a replica, whose primary is another one.
  "25006",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);
const LOST_CLASS = "08";

const DISK_FULL = "53100";

/** SQLSTATE of a function that the server does not have, or not for this role. */
const UNAVAILABLE: ReadonlySet<string> = new Set(["42501", "42883", "0A000"]);

/** What the driver says of a connection that has ended; it gives no code. */
const ENDED =
  /Connection terminated|connection timeout|Client has encountered a connection error|Connection ended/iu;

function toCode(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** Says whether the transaction can be done again, as another one was in its way. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(toCode(error));

/** Says whether the server refuses a function to this role, or to everybody. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(toCode(error));

/** Says whether the connection was lost, or could not be made. */
export function isLost(error: unknown): boolean {
  const code = toCode(error);
  if (LOST.has(code) || code.startsWith(LOST_CLASS)) return true;
  return error instanceof Error && code === "" && ENDED.test(error.message);
}

/** Converts errors about the server or its disk into one with a message for people. */
export function toServerError(error: unknown, address: string): unknown {
  if (error instanceof DatabaseError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (toCode(error) === DISK_FULL) {
    return new DatabaseError("E_DISK_FULL", `${address}: ${text}`, { cause: error });
  }
  return isLost(error)
    ? new DatabaseError("E_DATABASE_SERVER", `${address}: ${text}`, { cause: error })
    : error;
}
