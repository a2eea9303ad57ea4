/** A folder with an empty store in it; both are gone when the test ends. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { expect, onTestFinished } from "vitest";

import type { ConnectionOptions } from "../connection-options.ts";
import { openConnection, type Connection } from "../open-connection.ts";
import { TOKEN } from "./marketplace-server.ts";

/** An address at which no server listens, for tests that must make no call. */
export const CLOSED_ADDRESS = "http://127.0.0.1:9";

/** An opened store, its temporary folder and its clock. */
export interface TestConnection {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly connection: Connection;
  /** Writes a file and returns its path. */
  readonly write: (name: string, text: string) => string;
}

const SECRET = "canary-secret:5e";

/** Files that hold the secret, or hold the token without being the database of the token cache. */
function findLeaks(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      const banned = basename(path).startsWith("catalog.db") ? [SECRET] : [SECRET, TOKEN];
      return banned.some((text) => [text, encodeURIComponent(text)].some((t) => bytes.includes(t)));
    });
}

/**
 * Opens an empty store in a temporary folder. When the test ends, closes and deletes it, and fails
 * the test if a file of the folder holds the secret or the token in plain text.
 */
export async function createTestConnection(
  options: Partial<ConnectionOptions> = {},
): Promise<TestConnection> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-toolkit-"));
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 30));
  const connection = await openConnection({
    home: join(folder, "home"),
    baseUrl: CLOSED_ADDRESS,
    storeId: "s-1",
    credentials: { clientKey: "key", clientSecret: SECRET },
    clock,
    random: () => 0,
    ...options,
  });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    const leaks = findLeaks(folder);
    rmSync(folder, { recursive: true, force: true });
    expect(leaks).toEqual([]);
  });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { folder, clock, connection, write };
}
