/** Errors of PostgreSQL and of the connection to it. */

import { DatabaseError, type DatabaseErrorCode } from "../errors.ts";

/** SQLSTATE of a transaction that lost against another one and can be done again. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);

/**
 * SQLSTATE of a server that ends, starts, follows another one or refuses work for the moment, and errors of
 * sockets (postgresql.org/docs/current/errcodes-appendix.html).
 */
const LOST: ReadonlySet<string> = new Set([
  // The server or a pooler has ended an idle transaction, or an idle session.
  "25P03",
  "57P05",
  // The server is a replica, whose primary is another one, or which has not taken over yet.
  "25006",
  "55000",
  "57P01",
  "57P02",
  "57P03",
  // No memory or connection is left, and what an administrator or a time limit of the server has ended.
  "53200",
  "53300",
  "57014",
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

/** SQLSTATE of a role, a password or a database that the server does not accept. */
const REFUSED_LOGINS: ReadonlySet<string> = new Set(["28000", "28P01", "3D000"]);

/** What the driver says of a password that the server asks for and nobody has given; it gives no code. */
const NO_PASSWORD = /^SASL: .*client password must be/u;

/** SQLSTATE of a role without the right to what was asked, or to any schema to do it in. */
const NO_RIGHT: ReadonlySet<string> = new Set(["42501", "3F000"]);

/** SQLSTATE of a function that the server does not have, or not for this role. */
const UNAVAILABLE: ReadonlySet<string> = new Set(["42501", "42883", "0A000"]);

/** What the driver says of a connection that has ended; it gives no code. */
const ENDED =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended/iu;

/** The SQLSTATE of an error of the server, or the code of an error of a socket; `""` for none. */
function toCode(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** Says whether the transaction can be done again, as another one was in its way. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(toCode(error));

/** SQLSTATE of a lock that was not given within the time that the server allows. */
const LOCK_TIMEOUT = "55P03";

/** Says whether a single statement can be done again, as another transaction was in its way. */
export const isLocked = (error: unknown): boolean =>
  isConflict(error) || toCode(error) === LOCK_TIMEOUT;

/** Says whether the server refuses a function to this role, or to everybody. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(toCode(error));

/** Says whether the connection was lost, or could not be made. */
export function isLost(error: unknown): boolean {
  const code = toCode(error);
  if (LOST.has(code) || code.startsWith(LOST_CLASS)) return true;
  return error instanceof Error && code === "" && ENDED.test(error.message);
}

/** Says whether the server cannot be used for the moment; what was refused for it is undone. */
export const isAway = (error: unknown): boolean => isLost(error) || toCode(error) === DISK_FULL;

function toDatabaseCode(error: unknown): DatabaseErrorCode | undefined {
  const code = toCode(error);
  if (code === DISK_FULL) return "E_DISK_FULL";
  if (NO_RIGHT.has(code)) return "E_DATABASE_RIGHTS";
  if (REFUSED_LOGINS.has(code)) return "E_DATABASE_LOGIN";
  if (isLost(error)) return "E_DATABASE_SERVER";
  const isWithoutPassword =
    error instanceof Error && code === "" && NO_PASSWORD.test(error.message);
  return isWithoutPassword ? "E_DATABASE_LOGIN" : undefined;
}

/** Converts errors about the server, its disk or the role into one with a message for people. */
export function toServerError(error: unknown, address: string): unknown {
  if (error instanceof DatabaseError) return error;
  const code = toDatabaseCode(error);
  if (code === undefined) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new DatabaseError(code, `${address}: ${text}`, { cause: error });
}

/** A server that was there before is not to be looked for in the settings. */
export const toLaterError = (error: unknown): unknown =>
  error instanceof DatabaseError && error.code === "E_DATABASE_SERVER"
    ? new DatabaseError("E_DATABASE_AWAY", describeCause(error.cause), { cause: error.cause })
    : error;

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
