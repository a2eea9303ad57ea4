import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { createFolder } from "../helpers/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../bin", import.meta.url));

/** A builder that bundles nothing: what it writes prints the state of the source. */
const BUILDER = `
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
export async function buildProgram(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const source = new URL("../src/source.ts", import.meta.url);
  const { size, mtimeMs } = statSync(source);
  const sources = [["../../apps/cli/src/source.ts", size, mtimeMs]];
  writeFileSync(folder + "manifest.json", JSON.stringify({ sources, files: ["catalog.js"] }));
  const text = readFileSync(source, "utf8").trim();
  writeFileSync(folder + "catalog.js", "console.log(" + JSON.stringify(text) + ");");
}
`;

/** A checkout of one source. */
function setUp() {
  const root = createFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const entry = join(root, "apps/cli/bin/catalog.js");
  write("package.json", '{ "type": "module" }');
  write("apps/cli/build/build-program.ts", BUILDER);
  write("apps/cli/src/main.ts", 'console.log("from the sources");');
  write("apps/cli/src/source.ts", "first");
  cpSync(BIN, dirname(entry), { recursive: true });
  const start = (): string => execFileSync(process.execPath, [entry], { encoding: "utf8" }).trim();
  return { root, write, start };
}

describe("bin/catalog.js", () => {
  it("builds where there is no bundle, and where a source has changed, was touched or is gone", () => {
    const { root, write, start } = setUp();
    const source = join(root, "apps/cli/src/source.ts");

    expect(start()).toBe("first");
    write("out/catalog/catalog.js", 'console.log("kept");');
    expect(start()).toBe("kept");
    write("apps/cli/src/source.ts", "other");
    expect(start()).toBe("other");
    write("out/catalog/catalog.js", 'console.log("kept");');
    utimesSync(source, 1, 1);
    expect(start()).toBe("other");
    rmSync(source);
    expect(start).toThrow("ENOENT");
  });

  it("runs the sources where the bundle cannot be written", () => {
    const { write, start } = setUp();
    const refusing = BUILDER.replace(
      "mkdirSync(folder",
      "throw Object.assign(new Error(), { code: 'EACCES' }); mkdirSync(folder",
    );
    write("apps/cli/build/build-program.ts", refusing);

    expect(start()).toBe("from the sources");
  });
});
