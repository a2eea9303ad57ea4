/** Ports that a command listens on. */

import type { Flags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

const MAX_PORT = 65_535;

/** Says whether the number is that of a port; 0 stands for any free one. */
export const isPort = (port: unknown): port is number =>
  typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= MAX_PORT;

/** Reads a port from 0 up; `undefined` without the flag. Throws {@link UsageError} for no port. */
export function portFlag(flags: Flags, name: string): number | undefined {
  const port = flags[name];
  if (port === undefined || isPort(port)) return port;
  throw new UsageError({
    tr: `--${name} için 0 ile ${MAX_PORT} arasında bir tam sayı verin ya da --${name} yazmayın.`,
    en: `Give --${name} a whole number from 0 to ${MAX_PORT}, or leave it out.`,
  });
}

/** Says whether a server could not listen on its port. */
export const isListenError = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && error.syscall === "listen";
