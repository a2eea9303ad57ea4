import { describe, expect, it } from "vitest";

import { parseCommand, readLinkKey } from "../../../client/lib/session.ts";

describe("readLinkKey", () => {
  const cases = [
    ["#k=abc", "abc"],
    ["#k=a-b_c&x=1", "a-b_c"],
    ["#k=", null],
    ["", null],
    ["#content", null],
  ] as const;
  for (const [hash, key] of cases) {
    it(`finds ${key} in "${hash}"`, () => {
      expect(readLinkKey(hash)).toBe(key);
    });
  }
});

it("reads the command with and without a session, and names the plain one otherwise", () => {
  const answers = [
    { version: "1", command: "npx catalog-toolkit web --demo --port 39350" },
    { code: "E_SESSION", message: "…", command: "catalog web --demo" },
    { code: "E_HOST", message: "…" },
    { command: 1 },
    null,
  ].map((answer) => JSON.stringify(answer));

  expect([...answers, "<h1>Bad Gateway</h1>"].map((text) => parseCommand(text))).toEqual([
    "npx catalog-toolkit web --demo --port 39350",
    "catalog web --demo",
    "catalog web",
    "catalog web",
    "catalog web",
    "catalog web",
  ]);
});
