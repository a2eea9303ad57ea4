import { describe, expect, it } from "vitest";

import { adaptToShell } from "../../src/terminal/adapt-to-shell.ts";

const shell = { program: "npx catalog-toolkit", cwd: "/home/ada/shop" };

const cases: readonly (readonly [text: string, adapted: string])[] = [
  [
    "Again: catalog import /home/ada/shop/r/failed.xlsx",
    "Again: npx catalog-toolkit import r/failed.xlsx",
  ],
  ['catalog plan "/home/ada/shop/Yaz Kış.xlsx"', 'npx catalog-toolkit plan "Yaz Kış.xlsx"'],
  ["(/home/ada/shop/a.csv)", "(a.csv)"],
  ["/home/ada/shop", "/home/ada/shop"],
  ["/home/ada/shopping/a.csv", "/home/ada/shopping/a.csv"],
  ["file:///home/ada/shop/report.html", "file:///home/ada/shop/report.html"],
  ["/mnt/home/ada/shop/a.csv", "/mnt/home/ada/shop/a.csv"],
];

describe("adaptToShell", () => {
  it.each(cases)("writes %s as %s", (text, adapted) => {
    expect(adaptToShell(text, shell)).toBe(adapted);
  });

  it("takes a folder with the signs of a pattern as it is", () => {
    expect(adaptToShell("/a+(b)/x.csv /aa(b)/x.csv", { cwd: "/a+(b)" })).toBe("x.csv /aa(b)/x.csv");
  });

  it("leaves paths as they are where the shell is in the root folder", () => {
    expect(adaptToShell("/a.csv https://b.example", { cwd: "/" })).toBe("/a.csv https://b.example");
  });
});
