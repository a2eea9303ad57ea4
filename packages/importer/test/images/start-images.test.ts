import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { createImagePage } from "../../src/images/start-images.ts";

it("shows images in the order of their rows, however late a row was ready", async () => {
  const page = createImagePage(true);
  for (const row of [9, 2, 5]) {
    const place = { sheet: "Ürünler", row, column: "Görsel 1", cell: `C${row}`, value: "a.jpg" };
    const image = { kind: "file", text: "a.jpg", place } as const;
    page.add({ code: `KOD-${row}`, changes: {} }, [{ image, facts: undefined, problems: [] }]);
  }
  const path = join(mkdtempSync(join(tmpdir(), "page-")), "images.html");

  await page.write(path, { file: "urunler.csv", lang: "tr" });

  const codes = readFileSync(path, "utf8").match(/KOD-\d/gu);
  expect(codes).toEqual(["KOD-2", "KOD-5", "KOD-9"]);
});
