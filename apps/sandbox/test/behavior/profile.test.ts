import { describe, expect, it } from "vitest";

import { DEFAULT_PERSONALITY, resolvePersonality } from "../../src/behavior/profile.ts";
import { listSwitches, parsePersonality, startSandbox } from "../../src/index.ts";

describe("resolvePersonality", () => {
  it("fills in the safe values", () => {
    const personality = resolvePersonality({ prices: "major", total: undefined });

    expect(personality).toEqual({ ...DEFAULT_PERSONALITY, prices: "major" });
  });
});

describe("listSwitches", () => {
  it("lists every switch once, its default first", () => {
    const switches = listSwitches();

    expect(Object.fromEntries(switches.map(({ name, values }) => [name, values[0]]))).toEqual(
      DEFAULT_PERSONALITY,
    );
    expect(switches.every(({ values }) => new Set(values).size === values.length)).toBe(true);
  });
});

describe("parsePersonality", () => {
  it("reads every value of every switch", () => {
    for (const { name, values } of listSwitches()) {
      for (const value of values) {
        expect(parsePersonality([`${name}=${value}`])).toEqual({ [name]: value });
      }
    }
  });

  it("takes the last of two values for one switch", () => {
    expect(parsePersonality(["prices=major", "prices=text"])).toEqual({ prices: "text" });
  });

  it.each([
    ["prices", "not of the form"],
    ["price=major", 'no switch is named "price"; there are auth-error'],
    ["prices=maj", 'prices cannot be "maj"; it can be minor, major, text'],
    ["__proto__=x", "no switch is named"],
  ])("refuses %s", (text, message) => {
    expect(() => parsePersonality([text])).toThrow(message);
  });
});

describe("startSandbox with a personality", () => {
  it("refuses an unknown value at run time", async () => {
    const personality = JSON.parse('{"prices":"free"}');

    await expect(startSandbox({ personality })).rejects.toThrow('prices cannot be "free"');
  });
});
