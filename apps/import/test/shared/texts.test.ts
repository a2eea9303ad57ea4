import { describe, expect, it } from "vitest";

import { textsFor } from "../../src/texts.ts";

/** What the texts take that do not take numbers alone. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  sent: [{ total: 9, token: 1, read: 3, write: 5 }],
  rate: [7, "send"],
  withUnit: ["7", "store"],
  requests: [{ made: 7, reads: 7, writes: 7, seconds: 7, perHour: 7 }],
};

/** Every text of a language by the path of its key, with placeholders filled in. */
function everyText(texts: object, path = ""): (readonly [string, unknown])[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    const name = `${path}${key}`;
    if (typeof text === "object" && text !== null) return everyText(text, `${name}.`);
    if (typeof text !== "function") return [[name, text] as const];
    const filled: unknown = text(...(ARGUMENTS[name] ?? [7, 7]));
    return [[name, filled] as const];
  });
}

const turkish = everyText(textsFor("tr"));
const english = everyText(textsFor("en"));

describe("the texts", () => {
  it("have the same keys in both languages", () => {
    expect(turkish.map(([name]) => name)).toEqual(english.map(([name]) => name));
    expect(turkish.length).toBeGreaterThan(50);
  });

  it("hold only texts", () => {
    const broken = [...turkish, ...english].filter(([, text]) =>
      /undefined|NaN|\[object/u.test(String(text)),
    );

    expect(broken).toEqual([]);
  });

  it("write numbers as each language does", () => {
    expect(textsFor("tr").rows(12_345)).toBe("12.345 satır");
    expect(textsFor("en").rows(12_345)).toBe("12,345 rows");
    expect(textsFor("tr").rate(12.345, "send")).toBe("12,3 satır/sn");
    expect(textsFor("en").rate(12.345, "send")).toBe("12.3 rows/s");
  });

  it("count one row as one in English", () => {
    const { rows, problems } = textsFor("en");

    expect([rows(1), rows(2), problems.fix(1), problems.fix(2)]).toEqual([
      "1 row",
      "2 rows",
      "1 row to correct",
      "2 rows to correct",
    ]);
  });

  it.each([
    [0, "0 sn", "0 s"],
    [119, "119 sn", "119 s"],
    [120, "2 dk", "2 min"],
    [121, "3 dk", "3 min"],
    [3599, "60 dk", "60 min"],
    [3600, "1 sa 0 dk", "1 h 0 min"],
    [5401, "1 sa 31 dk", "1 h 31 min"],
    [7199, "2 sa 0 dk", "2 h 0 min"],
  ])("write %d seconds as %s and %s", (seconds, tr, en) => {
    expect(textsFor("tr").remaining(seconds)).toBe(`kalan ${tr}`);
    expect(textsFor("en").remaining(seconds)).toBe(`${en} left`);
  });
});
