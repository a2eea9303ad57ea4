import { expect, it } from "vitest";

import { brief, mapOne } from "../helpers/map-sheet.ts";

const image = (name: string): string => `https://a.example/${name}.jpg`;

it.each([
  ["Görsel 1|Görsel 2", [image("1"), ""], true],
  ["Görsel 1", [image("1")], true],
  ["Görsel 1|Görsel 2", [image("1"), "<SİL>"], false],
  ["Görsel 1|Görseller", [image("1"), image("9")], false],
])("says whether images stay that a row does not name: %s %j", async (header, cells, keeps) => {
  const row = await mapOne(`SKU|${header}`, ["K1", ...cells]);

  expect([brief(row.issues), row.keepsImages]).toEqual([[], keeps]);
});
