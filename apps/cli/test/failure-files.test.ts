import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

import { EXIT } from "@catalog/console";
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

it.each([
  ["ENOSPC", EXIT.stopped, "E_DISK_FULL", "Make room"],
  ["EDQUOT", EXIT.stopped, "E_DISK_FULL", "Make room"],
  ["EROFS", EXIT.usage, "E_FILE_ACCESS", "read-only"],
  ["EACCES", EXIT.usage, "E_FILE_ACCESS", "permission"],
  ["EMFILE", EXIT.usage, "E_FILE_ACCESS", "too many files"],
  ["EIO", EXIT.usage, "E_FILE_ACCESS", "read or written"],
])("%s ends with words and no stack (#37)", (code, exit, named, words) => {
  const error = Object.assign(new Error(code), { code, syscall: "write", path: "/a/result.xlsx" });

  const failure = describeFailure(error, "en", false);

  expect(failure).toMatchObject({ exit, code: named });
  expect(failure.text).toContain(words);
  expect(failure.text).not.toMatch(/bug|\n {4}at /u);
});
