/**
 * Room on the disk that is given up when the disk is full, so that what became of the requests on
 * their way can still be written down. Without it nothing new is sent.
 */

import { existsSync, rmSync, writeFileSync } from "node:fs";

import { StoreError, toStoreError } from "../errors.ts";
import { readFreeBytes } from "./filesystem-checks.ts";

const MIB = 1024 * 1024;
const BALLAST_BYTES = 8 * MIB;

/** With less than this nothing new is sent. */
const LEAST_FREE_BYTES = 64 * MIB;

/** Room that was set aside for one database. */
export interface Ballast {
  /** Throws `StoreError` `E_DISK_FULL` when it is not there and cannot be set aside. */
  assertKept(): void;
  /** Gives the room up. Says whether there was any. */
  drop(): boolean;
}

export interface BallastOptions {
  readonly databasePath: string;
  /** @default asks the file system */
  readonly freeBytes?: (path: string) => number;
}

/** Sets nothing aside before it is asked; a database in memory needs none. */
export function createBallast({
  databasePath,
  freeBytes = readFreeBytes,
}: BallastOptions): Ballast {
  if (databasePath === ":memory:") return { assertKept: () => undefined, drop: () => false };
  const path = `${databasePath}.ballast`;
  let state: "unknown" | "kept" | "dropped" = "unknown";
  const refuse = (): never => {
    throw new StoreError("E_DISK_FULL", databasePath);
  };

  return {
    assertKept() {
      if (state === "kept") return;
      if (state === "dropped") refuse();
      if (freeBytes(databasePath) < LEAST_FREE_BYTES) refuse();
      try {
        // Written, not only reserved: a file with holes takes no room that could be given up.
        if (!existsSync(path)) writeFileSync(path, new Uint8Array(BALLAST_BYTES), { mode: 0o600 });
      } catch (error) {
        throw toStoreError(error, path);
      }
      state = "kept";
    },
    drop() {
      if (state === "dropped" || !existsSync(path)) return false;
      rmSync(path, { force: true });
      state = "dropped";
      return true;
    },
  };
}
