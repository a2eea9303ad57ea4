/** The locks of one store between processes, as files in the home. */

import { createHash } from "node:crypto";
import { join } from "node:path";

import { lockStore, readLockHolder, type StoreLock } from "@catalog/database";

import type { StoreLocks } from "./connection-groups.ts";
import type { ConnectionOptions } from "./open-connection.ts";

type LockPlace = Pick<ConnectionOptions, "home" | "baseUrl" | "storeId" | "clock">;

/** Opens the locks of the store; none is taken yet. */
export function openLocks(options: LockPlace): StoreLocks {
  const pathOf = createLockPaths(options);
  const lock = (kind: LockKind, of: string, command: string): StoreLock =>
    lockStore({
      path: pathOf(kind, of),
      holder: { command, pid: process.pid, sinceMs: options.clock.now() },
    });
  return {
    store: (command) => lock("store", "", command),
    feeds: (command) => lock("feed", "", command),
    schedule: (key) => lock("schedule", ` ${key}`, "catalog sync --every"),
    export: (key) => lock("export", ` ${key}`, "export"),
    runsUnderWay: () =>
      new Set((["store", "feed"] as const).flatMap((kind) => readRunOf(pathOf(kind, "")))),
  };
}

const readRunOf = (path: string): readonly string[] => {
  const run = readLockHolder(path)?.run;
  return run === undefined ? [] : [run];
};

type LockKind = "store" | "feed" | "schedule" | "export";

/** Paths of locks of a kind, each for the part `of` the store; an empty `of` is the whole store. */
function createLockPaths({
  home,
  baseUrl,
  storeId,
}: LockPlace): (kind: LockKind, of: string) => string {
  return (kind, of) => {
    const hash = createHash("sha256").update(`${baseUrl} ${storeId}${of}`).digest("hex");
    return join(home, `${kind}-${hash.slice(0, 16)}.lock`);
  };
}
