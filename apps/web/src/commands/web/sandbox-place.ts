/** A local marketplace with a home of its own, which later starts use again. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { DatabaseError, lockStore, readLockHolder } from "@catalog/database";
import { makeFolder } from "@catalog/i18n";

import type { Place } from "../../server/workplace.ts";
import { sandboxInUse } from "./texts.ts";
import type { WebParts, WebSandbox } from "./web-parts.ts";

/** A marketplace that runs until it is disposed of, and where it is. */
export interface SandboxPlace extends AsyncDisposable {
  readonly place: Place;
}

export interface SandboxPlaceOptions {
  /** The command of the page, for the message to another one. */
  readonly command: string;
  readonly nowMs: number;
}

/**
 * Starts the marketplace where it was the last time. Throws {@link UsageError} where another process
 * has it open: two of them would write over each other's state.
 */
export async function openSandboxPlace(
  home: string,
  { startSandbox }: Pick<WebParts, "startSandbox">,
  { command, nowMs }: SandboxPlaceOptions,
): Promise<SandboxPlace> {
  const demo = join(home, "demo");
  makeFolder(demo);
  const lock = lockSandbox(join(demo, "marketplace.lock"), { command, nowMs });
  try {
    const { sandbox, place } = await startIn(demo, startSandbox);
    return {
      place,
      async [Symbol.asyncDispose]() {
        await sandbox[Symbol.asyncDispose]();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function lockSandbox(path: string, { command, nowMs }: SandboxPlaceOptions): Disposable {
  try {
    return lockStore({ path, holder: { command, pid: process.pid, sinceMs: nowMs } });
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === "E_STORE_BUSY")) throw error;
    throw new UsageError(sandboxInUse(readLockHolder(path)?.command), { cause: error });
  }
}

async function startIn(
  demo: string,
  startSandbox: WebParts["startSandbox"],
): Promise<{ readonly sandbox: WebSandbox; readonly place: Place }> {
  const portPath = join(demo, "marketplace-port");
  const sandbox = await startSandbox({
    port: readPort(portPath),
    statePath: join(demo, "marketplace.json"),
  });
  writeFileSync(portPath, String(sandbox.port), { mode: 0o600 });
  const given = { ...sandbox.settings, CATALOG_HOME: demo, CATALOG_DATABASE_URL: "" };
  return { sandbox, place: { home: demo, isSandbox: true, given } };
}

function readPort(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return Number.isInteger(port) && port > 0 ? port : 0;
  } catch {
    return 0;
  }
}
