/** A folder with an empty store in it; both are gone when the test ends. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { onTestFinished } from "vitest";

import { openToolkit, type Toolkit, type ToolkitOptions } from "../../src/open-toolkit.ts";

/** Nobody listens here; for what must make no call. */
export const NOBODY = "http://127.0.0.1:9";

export interface Workplace {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly toolkit: Toolkit;
  /** Writes a file and returns its path. */
  readonly write: (name: string, text: string) => string;
}

export async function createWorkplace(options: Partial<ToolkitOptions> = {}): Promise<Workplace> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-toolkit-"));
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 9, 30));
  const toolkit = await openToolkit({
    home: join(folder, "home"),
    baseUrl: NOBODY,
    storeId: "s-1",
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock,
    random: () => 0,
    ...options,
  });
  onTestFinished(async () => {
    await toolkit[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { folder, clock, toolkit, write };
}
