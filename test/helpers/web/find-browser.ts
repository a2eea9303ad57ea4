/** A real Chromium: the one that is named, an installed one, or the one that a package ships. */

import { existsSync } from "node:fs";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

let found: Promise<string | undefined> | undefined;

/** Path of the browser; `undefined` where there is none for this system. */
export function findBrowser(): Promise<string | undefined> {
  found ??= find();
  return found;
}

async function find(): Promise<string | undefined> {
  const named = process.env["CATALOG_CHROMIUM"];
  if (named !== undefined) return named;
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  try {
    const shipped = await import("@sparticuz/chromium");
    return await shipped.default.executablePath();
  } catch {
    return undefined;
  }
}
