import { describe, expect, it } from "vitest";

import { findTests } from "../../changed-files.ts";

describe("the tests of a change", () => {
  it.each([
    [[], []],
    [["README.md"], ["test/repo/"]],
    [
      ["packages/runs/src/row/row.ts", "packages/runs/README.md"],
      ["packages/runs/", "test/repo/"],
    ],
    [["apps/web/client/main.tsx"], ["apps/web/", "test/repo/"]],
    [["test/safety/kill/kill.test.ts"], ["test/safety/kill/", "test/repo/"]],
    [["test/helpers/feed.ts", "test/bench/main.ts"], ["test/repo/"]],
  ])("of %j are those in %j", (changed, tests) => {
    expect(findTests(changed)).toEqual(tests);
  });
});
