/** A local marketplace with a home of its own, which later starts use again. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder } from "@catalog/i18n";

import type { Place } from "../../server/workplace.ts";
import type { WebParts, WebSandbox } from "./web-parts.ts";

/** Starts the marketplace where it was the last time. */
export async function openSandboxPlace(
  home: string,
  { startSandbox }: WebParts,
): Promise<{ readonly sandbox: WebSandbox; readonly place: Place }> {
  const demo = join(home, "demo");
  makeFolder(demo);
  const portPath = join(demo, "marketplace-port");
  const sandbox = await startSandbox({
    port: readPort(portPath),
    statePath: join(demo, "marketplace.json"),
  });
  writeFileSync(portPath, String(sandbox.port), { mode: 0o600 });
  const given = { ...sandbox.settings, CATALOG_HOME: demo };
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
