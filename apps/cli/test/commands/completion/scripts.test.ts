import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { describe, expect, it } from "vitest";

import { COMPLETION_SCRIPTS, isShell, SHELLS } from "../../../src/commands/completion/scripts.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

/** What bash offers for a line, with a program that answers with the words it was asked. */
function completeInBash(words: readonly string[], answer = 'printf "<%s>\\n" "$@"'): string {
  const folder = createFolder();
  const program = join(folder, "catalog");
  writeFileSync(program, `#!/bin/sh\n${answer}\n`);
  chmodSync(program, 0o755);
  const script = `${COMPLETION_SCRIPTS.bash}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalog_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", script, "bash", ...words], {
    encoding: "utf8",
    env: { PATH: `${folder}${delimiter}${process.env["PATH"]}` },
  });
  return stdout;
}

describe("the script for bash", () => {
  it("hands the words up to the cursor over, as they are", () => {
    expect(completeInBash(["catalog", "import", "a b.xlsx", "--m"])).toBe(
      "<--complete>\n<import>\n<a b.xlsx>\n<--m>\n",
    );
  });

  it("hands an empty word over", () => {
    expect(completeInBash(["catalog", ""])).toBe("<--complete>\n<>\n");
  });

  it("takes each line for one answer", () => {
    expect(completeInBash(["catalog", ""], "echo one two; echo three")).toBe("one two\nthree\n");
  });

  it("offers nothing of its own where the program fails", () => {
    expect(completeInBash(["catalog", ""], "echo broken >&2; exit 1")).toBe("\n");
  });
});

describe("isShell", () => {
  it("knows the shells that there is a script for", () => {
    expect(SHELLS.every((shell) => isShell(shell))).toBe(true);
    expect(isShell("fish")).toBe(false);
  });
});
