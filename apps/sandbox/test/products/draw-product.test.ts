import { inflateSync } from "node:zlib";

import { expect, it } from "vitest";

import { drawProduct } from "../../src/products/draw-product.ts";

it("draws the same image for the same file, and another one for another", () => {
  const [one, again, other] = ["KOD-1-1.jpg", "KOD-1-1.jpg", "KOD-1-2.jpg"].map(drawProduct);

  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
});

it("draws a PNG of three bytes a pixel", () => {
  const png = Buffer.from(drawProduct("KOD-1.jpg"));

  const edge = png.readUInt32BE(16);
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));

  expect(png.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
  expect([png.readUInt32BE(20), rows.length]).toEqual([edge, edge * (1 + edge * 3)]);
});
