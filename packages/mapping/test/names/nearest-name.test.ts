import { describe, expect, it } from "vitest";

import { findNearestName } from "../../src/names/suggester.ts";

const brand = (text: string, ...names: readonly string[]) =>
  findNearestName(text, names, { isPath: false });
const category = (text: string, ...names: readonly string[]) =>
  findNearestName(text, names, { isPath: true });

describe("the name nearest to a text", () => {
  it.each([
    ["KARACA HOM", "Karaca Home"],
    ["Bsoch", "Bosch"],
    ["porselen kutahya", "Kütahya Porselen"],
    ["Kütahyaporselen", "Kütahya Porselen"],
    ["Philipss", "Philips"],
  ])("differs by a slip, the order or the blanks: %s", (text, name) => {
    expect(brand(text, name, "Vestel")).toBe(name);
  });

  it.each([
    ["Karaca", "Kayaka"],
    ["Karaca", "Karaca Home"],
    ["Kazak", "Kazan"],
    ["Model S10", "Model S11"],
    ["Bosch", "Bosch [a1f3]"],
  ])("is none where %s stands beside %s", (text, name) => {
    expect(brand(text, name)).toBeUndefined();
  });

  it("lacks a letter of the only name, where a short word has no room for another slip", () => {
    expect(brand("Bosh", "Bosch")).toBe("Bosch");
    expect(brand("Bosh", "Bosch", "Vestel")).toBeUndefined();
    expect(brand("Bot", "Boot")).toBeUndefined();
    expect(brand("S100", "S10")).toBeUndefined();
  });

  it("is none where several are equally near, and the nearer one otherwise", () => {
    expect(brand("Philipx", "Philips", "Philipp")).toBeUndefined();
    expect(brand("Kütahya Porselenn", "Kutahya Porselan", "Kütahya Porselen")).toBe(
      "Kütahya Porselen",
    );
  });

  it("is a category with another ending, or of a path with fewer names", () => {
    const name = "Ev > Ev Tekstili > Nevresim Takımı";

    expect(category("Nevresim Takımları", name)).toBe(name);
    expect(category("Havlular", "Banyo > Havlu", "Temizlik > Kağıt Havlu")).toBe("Banyo > Havlu");
    expect(category("Tekstil > Nevresim Takimi", name)).toBe(name);
  });

  it.each([
    [
      "Home & Garden > Linens & Bedding > Bedding > Duvet Covers",
      "Yapı Market & Bahçe > Hırdavat > Bağlantı Elemanları > Dübel",
    ],
    ["Cookware & Bakeware > Cookware Sets", "Oto > Aksesuar > Direksiyon Seti"],
    ["Bebek > Bot", "Giyim > Erkek > Bot"],
  ])("is no category that only resembles one: %s", (text, name) => {
    expect(category(text, name)).toBeUndefined();
  });

  it("is no category where the text does not tell which of several", () => {
    const names = ["Giyim > Kadın > Bot", "Giyim > Erkek > Bot", "Giyim > Çocuk > Bot"];

    expect(category("Bot", ...names)).toBeUndefined();
    expect(category("Erkek > Botlar", ...names)).toBe("Giyim > Erkek > Bot");
  });
});
