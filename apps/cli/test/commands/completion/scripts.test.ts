import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { describe, expect, it } from "vitest";

import { COMPLETION_SCRIPTS, isShell, SHELLS } from "../../../src/commands/completion/scripts.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

/** Words that start the program of a folder which is not on the path. */
type NameAt = (folder: string) => string;

const byPath: NameAt = (folder) => `sh "${join(folder, "catalog")}"`;

const ECHO = 'printf "<%s>\\n" "$@"';

/** Completions that bash offers for a line, with a program that answers with its own arguments. */
function completeInBash(words: readonly string[], answer = ECHO, nameAt?: NameAt): string {
  const folder = createFolder();
  const named = nameAt?.(folder) ?? "catalog";
  const program = join(folder, "catalog");
  writeFileSync(program, `#!/bin/sh\n${answer}\n`);
  chmodSync(program, 0o755);
  const script = `${COMPLETION_SCRIPTS.bash(named)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalog_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", script, "bash", ...words], {
    encoding: "utf8",
    env: { PATH: `${nameAt === undefined ? folder : ""}${delimiter}${process.env["PATH"]}` },
  });
  return stdout;
}

describe("the script for bash", () => {
  it("passes the words up to the cursor unchanged", () => {
    expect(completeInBash(["catalog", "import", "a b.xlsx", "--m"])).toBe(
      "<--complete>\n<import>\n<a b.xlsx>\n<--m>\n",
    );
  });

  it("passes an empty word", () => {
    expect(completeInBash(["catalog", ""])).toBe("<--complete>\n<>\n");
  });

  it("starts a program that is not on the path by its path", () => {
    expect(completeInBash(["catalog", "im"], ECHO, byPath)).toBe("<--complete>\n<im>\n");
  });

  it("treats each line as one completion", () => {
    expect(completeInBash(["catalog", ""], "echo one two; echo three")).toBe("one two\nthree\n");
  });

  it("offers nothing when the program fails", () => {
    expect(completeInBash(["catalog", ""], "echo broken >&2; exit 1")).toBe("\n");
  });
});

describe("isShell", () => {
  it("accepts the shells that have a script", () => {
    expect(SHELLS.every((shell) => isShell(shell))).toBe(true);
    expect(isShell("fish")).toBe(false);
  });
});
