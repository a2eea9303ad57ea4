/** Listens on a port of this computer only. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Flags, UsageError } from "@catalog/console";
import { makeFolder } from "@catalog/i18n";
import type { FastifyInstance } from "fastify";

import { BAD_PORT, isPort, takenPort } from "./texts.ts";

const HOST = "127.0.0.1";

/**
 * Listens on the port of the flag, or on the one that was used last, so that open tabs go on; where
 * that is taken, on a free one. Returns the port. Throws {@link UsageError} where the port of the
 * flag cannot be used.
 */
export async function listen(app: FastifyInstance, flags: Flags, folder: string): Promise<number> {
  const port = readPort(flags);
  try {
    await app.listen({ host: HOST, port: port ?? readLastPort(folder) });
  } catch (error) {
    if (!isListenError(error)) throw error;
    if (port !== undefined) throw new UsageError(takenPort(port), { cause: error });
    await app.listen({ host: HOST, port: 0 });
  }
  const address = app.server.address();
  const used = typeof address === "object" ? (address?.port ?? 0) : 0;
  if (port === undefined) saveLastPort(folder, used);
  return used;
}

function readPort({ port }: Flags): number | undefined {
  if (port === undefined || (typeof port === "number" && isPort(port))) return port;
  throw new UsageError(BAD_PORT);
}

const isListenError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "listen";

const portFile = (folder: string): string => join(folder, "port");

/** 0, any free port, where none is known. */
function readLastPort(folder: string): number {
  try {
    const port = Number(readFileSync(portFile(folder), "utf8"));
    return isPort(port) ? port : 0;
  } catch {
    return 0;
  }
}

function saveLastPort(folder: string, port: number): void {
  makeFolder(folder);
  writeFileSync(portFile(folder), String(port), { mode: 0o600 });
}
