import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const LINK = "120000";

/** An archive of the sources has no repository, and nothing to look at. */
const isRepository = existsSync(new URL("../../../.git", import.meta.url));

describe.runIf(isRepository)("the files of the repository", () => {
  it("are no links, which would point at a folder of one machine", () => {
    const listed = execFileSync("git", ["ls-files", "--stage"], { cwd: ROOT, encoding: "utf8" });
    const links = listed.split("\n").filter((line) => line.startsWith(LINK));

    expect(links).toEqual([]);
  });
});
