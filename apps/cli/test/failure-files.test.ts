import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

import { expect, it } from "vitest";

import { describeFailure } from "../src/failure.ts";

it("a file that the system refuses is named with the cause", () => {
  try {
    readFileSync(tmpdir());
    expect.unreachable();
  } catch (error) {
    const { exit, code, text } = describeFailure(error, "tr", false);

    expect([exit, code]).toEqual([2, "E_FILE_ACCESS"]);
    expect(text).toContain("bu bir klasör");
  }
});
