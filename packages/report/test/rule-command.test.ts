import { describe, expect, it } from "vitest";

import { listCommand, ruleCommand } from "../src/issue-commands.ts";

describe("the command that resolves a name", () => {
  it("names the choice that differs by a slip", () => {
    const name = { field: "brand", value: "KARACA HOM", choices: ["Karaca", "Karaca Home"] };

    expect(ruleCommand(name)).toBe('catalog rules add brand "KARACA HOM" "Karaca Home"');
    expect(listCommand(name)).toBeUndefined();
  });

  it("names the field as the reader does", () => {
    const name = { field: "shipping_template", value: "Hizli", choices: [] };

    expect(ruleCommand(name, "tr")).toBe('catalog rules add "Teslimat Şablonu" "Hizli" "…"');
    expect(ruleCommand({ ...name, field: "brand" }, "en")).toContain("add Brand ");
    expect(ruleCommand({ ...name, field: "property:Renk" }, "tr")).toContain('"Özellik: Renk"');
  });

  it.each([
    ["category", "Towels", ["Banyo > Batarya"], "catalog lookup categories"],
    ["category@shopify", "Towels", [], "catalog lookup categories"],
    ["category", "Bot", ["Kadın > Bot", "Erkek > Bot"], "catalog lookup categories"],
    ["brand", "Karaca", ["Kayaka"], 'catalog lookup brands --category "…"'],
    ["property:Renk", "Ekru", ["Mavi"], 'catalog lookup properties --category "…"'],
  ])("names no choice that is not near: %s %s", (field, value, choices, list) => {
    const name = { field, value, choices };

    expect(ruleCommand(name)).toMatch(/"…"$/u);
    expect(listCommand(name)).toBe(list);
  });
});
