import { describe, expect, it } from "vitest";

import { LOGIN_TEXTS, maskKey } from "../../src/login/login-texts.ts";

describe("maskKey", () => {
  it.each([
    ["2d4e99aa01", "2d4e…"],
    ["123456789", "1234…"],
    ["12345678", "…"],
    ["", "…"],
  ])("shows %j as %s", (key, expected) => {
    expect(maskKey(key)).toBe(expected);
  });
});

describe("the texts of a login", () => {
  it("exist in both languages, each with a different wording", () => {
    const { tr, en } = LOGIN_TEXTS;

    expect(Object.keys(tr)).toEqual(Object.keys(en));
    expect(tr.missing("store-id")).toContain("--store-id");
    expect(en.missing("store-id")).toContain("--store-id");
    expect(tr.noKeyring).not.toBe(en.noKeyring);
  });
});
