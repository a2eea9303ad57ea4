import { expect, it } from "vitest";

import { readFileName, toFileName } from "../../../src/server/uploads.ts";

it.each([
  ["%C3%BCr%C3%BCnler.xlsx", "ürünler.xlsx"],
  ["../../etc/passwd", "passwd"],
  ["C:%5CBelgeler%5Cürün.csv", "ürün.csv"],
  ["a%00b%0A%1B[31m.csv", "ab[31m.csv"],
  ["gpj%E2%80%AEcsv.exe", "gpjcsv.exe"],
  ["%", "%"],
  ["<img src=x>.csv", "<img src=x>.csv"],
  ["", "dosya"],
  ["..%2f", "dosya"],
])("reads the name %j as %j", (header, name) => {
  expect(readFileName(header, "dosya")).toBe(name);
});

it("keeps the end of a long name", () => {
  expect(toFileName(`${"ü".repeat(400)}.csv`, "")).toBe(`${"ü".repeat(196)}.csv`);
});
