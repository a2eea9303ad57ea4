import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { buildProgram, ROOT } from "../../build/build-program.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const HOUR_MS = 60 * 60_000;

describe("buildProgram", { timeout: 120_000 }, () => {
  it("bundles all but binaries, lists its sources, and keeps what a running program may load", async () => {
    const folder = createFolder();
    const write = (name: string, text: string, hoursAgo: number): void => {
      writeFileSync(join(folder, name), text);
      const seconds = (Date.now() - hoursAgo * HOUR_MS) / 1000;
      utimesSync(join(folder, name), seconds, seconds);
    };
    // Built weeks ago and in use until now; replaced an hour ago; replaced long ago.
    write("manifest.json", JSON.stringify({ files: ["used-now.js"], sources: [] }), 500);
    write("used-now.js", "", 500);
    write("used-lately.js", "", 1);
    write("used-before.js", "", 49);

    const modules = await buildProgram(folder);

    const { sources, files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    const paths = sources.map(([path]: [string]) => path).join("\n");
    for (const part of ["apps/cli/src/start.ts", "html/page.css", "pnpm-lock.yaml"]) {
      expect(paths).toContain(part);
    }
    expect(paths).not.toContain("node_modules");
    expect(files).toContain("catalog.js");
    expect(files.filter((name: string) => !existsSync(join(folder, name)))).toEqual([]);
    expect(modules.some((path) => path.includes("/exceljs/"))).toBe(true);
    expect(modules.some((path) => path.includes("/sharp/"))).toBe(false);
    expect(modules.some((path) => path.startsWith(join(ROOT, "packages/sheets/src")))).toBe(true);
    const kept = ["used-now.js", "used-lately.js", "used-before.js"].map((name) =>
      existsSync(join(folder, name)),
    );
    expect(kept).toEqual([true, true, false]);
  });
});
