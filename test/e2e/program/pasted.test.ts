/** What the program says to type, pasted into a shell whose own Node is another one. */

import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { runCatalog } from "../../helpers/processes/catalog-process.ts";

/** A folder outside of the checkout, and a shell in it whose `node` cannot run the program. */
async function openShell() {
  const { folder } = await openTestStore();
  writeFileSync(join(folder, "node"), "#!/bin/sh\nexit 9\n");
  chmodSync(join(folder, "node"), 0o755);
  const env = { PATH: [folder, "/usr/bin", "/bin"].join(delimiter), CATALOG_LANG: "en" };
  const at = { cwd: folder, env };
  const paste = (script: string): string =>
    execFileSync("bash", ["--norc", "-c", script], { ...at, encoding: "utf8" });
  return { paste, run: (...words: readonly string[]) => runCatalog(words, at) };
}

describe("in a shell with another Node", () => {
  it("starts the program as its advice says", async () => {
    const { paste, run } = await openShell();

    const { err } = await run("sandbox", "--fault", "boom");
    const [command = ""] =
      /(?:\S+catalog(?:-toolkit)?|\S+ \S+\.js) sandbox --help/u.exec(err) ?? [];

    expect(paste(command)).toMatch(/^Usage: catalog sandbox\n/u);
  });

  it("completes words with the script that it prints", async () => {
    const { paste, run } = await openShell();

    const { out } = await run("completion", "bash");
    const printed = paste(`${out}
      COMP_WORDS=(catalog sand); COMP_CWORD=1; _catalog_complete; echo "\${COMPREPLY[@]}"`);

    expect(printed).toBe("sandbox\n");
  });
});
