import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { openDraftStore } from "./helpers/open-test-draft.ts";

const A = "https://images.example/a.jpg";
const B = "https://images.example/b,1.jpg";

const address = (text: string) => ({ kind: "address", text });

it("finds the images of a row in the order in which they are sent, and those of one cell", async () => {
  const { draft } = await openDraftStore();
  const live = await draft(
    `Ürün Kodu;Görseller;Görsel 2;Görsel 1;Stok\nKOD-1;"${B} ${A}|c.jpg";${A};https://images.example/1.jpg;7\n`,
  );
  await live.edit({ version: 1 }, [{ row: 2, column: 3, value: "http://images.example/new.jpg" }]);

  const [all, cell, other, none] = [
    await live.images({ row: 2 }),
    await live.images({ row: 2, column: 1 }),
    await live.images({ row: 2, column: 99 }),
    await live.images({ row: 9 }),
  ];

  expect(all?.images).toEqual([
    address("http://images.example/new.jpg"),
    address(A),
    address(B),
    { kind: "file", text: "c.jpg", source: undefined },
  ]);
  expect(cell?.images.map(({ text }) => text)).toEqual([B, A, "c.jpg"]);
  expect([other?.images, none]).toEqual([[], undefined]);
});

it("looks for files where an import would: in the folder that is set, or the zip beside the file", async () => {
  const { draft, folder } = await openDraftStore();
  const live = await draft("Ürün Kodu;Görsel\nKOD-1;a.jpg\n", "liste.csv");
  const sourceOf = async (options?: { mode?: "off"; source?: string }) =>
    (await live.images({ row: 2, options }))?.images[0]?.source;

  const before = await sourceOf();
  writeFileSync(join(folder, "liste.zip"), "");

  expect([
    before,
    await sourceOf(),
    await sourceOf({ source: "/elsewhere" }),
    await sourceOf({ mode: "off", source: "/elsewhere" }),
  ]).toEqual([undefined, join(folder, "liste.zip"), "/elsewhere", undefined]);
});

it("gives a row of a variant the images of its product", async () => {
  const { draft } = await openDraftStore();
  const live = await draft(
    [
      "Handle,Title,Variant SKU,Option1 Name,Option1 Value,Variant Price,Image Src,Image Position",
      `tisort,Tişört,KOD-1,Beden,S,100,${A},1`,
      `tisort,,KOD-2,Beden,M,100,https://images.example/2.jpg,2`,
      "",
    ].join("\n"),
    "shopify.csv",
  );

  const found = await live.images({ row: 3 });

  expect(found?.images.map(({ text }) => text)).toContain(A);
});
