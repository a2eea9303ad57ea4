import { describe, expect, it } from "vitest";

import { DEFAULT_BEHAVIOR, resolveBehavior } from "../../src/behavior/behavior-settings.ts";
import { listBehaviorSettings, parseBehavior, startSandbox } from "../../src/index.ts";

describe("resolveBehavior", () => {
  it("fills in the safe values", () => {
    const behavior = resolveBehavior({ prices: "major", total: undefined });

    expect(behavior).toEqual({ ...DEFAULT_BEHAVIOR, prices: "major" });
  });
});

describe("listBehaviorSettings", () => {
  it("lists every setting once, its default first", () => {
    const settings = listBehaviorSettings();

    expect(Object.fromEntries(settings.map(({ name, values }) => [name, values[0]]))).toEqual(
      DEFAULT_BEHAVIOR,
    );
    expect(settings.every(({ values }) => new Set(values).size === values.length)).toBe(true);
  });
});

describe("parseBehavior", () => {
  it("reads every value of every setting", () => {
    for (const { name, values } of listBehaviorSettings()) {
      for (const value of values) {
        expect(parseBehavior([`${name}=${value}`])).toEqual({ [name]: value });
      }
    }
  });

  it("takes the last of two values for one setting", () => {
    expect(parseBehavior(["prices=major", "prices=text"])).toEqual({ prices: "text" });
  });

  it.each([
    ["prices", "not of the form"],
    ["price=major", 'no behavior is named "price"; there are auth-error'],
    ["prices=maj", 'prices cannot be "maj"; it can be minor, major, text'],
    ["__proto__=x", "no behavior is named"],
  ])("refuses %s", (text, message) => {
    expect(() => parseBehavior([text])).toThrow(message);
  });
});

describe("startSandbox with a personality", () => {
  it("refuses an unknown value at run time", async () => {
    const behavior = JSON.parse('{"prices":"free"}');

    await expect(startSandbox({ personality: behavior })).rejects.toThrow(
      'prices cannot be "free"',
    );
  });
});
