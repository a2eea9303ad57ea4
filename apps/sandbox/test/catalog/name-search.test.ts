import { describe, expect, it } from "vitest";

import { containsName } from "../../src/catalog/names.ts";

describe("containsName", () => {
  it.each([
    ["Işık", "IŞIK"],
    ["Işık", "isik"],
    ["İsuzu", "ISUZU"],
    ["Isuzu", "isuzu"],
    ["Çay & Kahve", "KAHVE"],
    ["Kâse", "kase"],
    ["Güneş Gözlüğü", "gozlugu"],
    ["Kaşık", ""],
  ])("finds in %s the text %s", (name, text) => {
    expect(containsName(name, text)).toBe(true);
  });

  it.each([
    ["Kaşık", "kaşıklar"],
    ["Çatal", "tabak"],
  ])("does not find in %s the text %s", (name, text) => {
    expect(containsName(name, text)).toBe(false);
  });
});
