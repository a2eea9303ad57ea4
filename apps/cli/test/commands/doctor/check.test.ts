import { describe, expect, it } from "vitest";

import { type Check, exitOf, formatCheck, same } from "../../../src/commands/doctor/check.ts";
import { describeHome } from "../../../src/commands/doctor/machine-checks.ts";
import { adaptToShell } from "../../../src/terminal/adapt-to-shell.ts";

const GOOD: Check = { name: "a", state: "ok", label: same("A"), found: same("good") };
const failing = (exit: number): Check => ({ ...GOOD, state: "fail", exit });

describe("exitOf", () => {
  it.each([
    [0, []],
    [0, [GOOD, { ...GOOD, state: "warn" }, { ...GOOD, state: "skip" }]],
    [4, [GOOD, failing(4), failing(6)]],
    [6, [{ ...GOOD, state: "warn" }, failing(6), failing(2)]],
  ] as const)("is %i", (expected, checks) => {
    expect(exitOf(checks)).toBe(expected);
  });
});

describe("formatCheck", () => {
  const fix = { tr: "Düzeltin.", en: "Put it right." };

  it.each([
    ["ok", "✓ A                good\n"],
    ["warn", "! A                good\n    → Düzeltin.\n"],
    ["fail", "✗ A                good\n    → Düzeltin.\n"],
  ] as const)("shows advice for %s only where there is any", (state, expected) => {
    expect(formatCheck({ ...GOOD, state, fix }, "tr")).toBe(expected);
  });

  it("writes English too", () => {
    expect(formatCheck({ ...GOOD, state: "fail", fix }, "en")).toContain("→ Put it right.");
  });
});

it.each([60, 80, 120])(
  "is wrapped alike in %i columns, wherever the shell's folder is",
  (outColumns) => {
    const shownIn = (cwd: string): string => {
      const view = { outColumns, shown: (text: string): string => adaptToShell(text, { cwd }) };
      return formatCheck(describeHome(`${cwd}/ev`, false), "tr", view);
    };

    expect(shownIn("/tmp/a")).toContain("✓ Klasör           ev; mağazaya yalnız");
    expect(shownIn("/tmp/abcdefghijklmnopqrstuvwxyz/abcdefghijkl")).toBe(shownIn("/tmp/a"));
  },
);
