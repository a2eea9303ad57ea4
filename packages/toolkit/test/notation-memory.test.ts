import { mapColumns, type NumberNotations } from "@catalog/mapping";
import { type NameCache } from "@catalog/store";
import { expect, it } from "vitest";

import { recallNotations } from "../src/notation-memory.ts";

const mapping = mapColumns({ sheet: "S", headerRow: 1, header: ["Ürün Kodu", "Fiyat"] });

/** A cache that keeps what it is given. */
function createCache(): NameCache {
  const lists = new Map<string, string>();
  return {
    read: async (key) => JSON.parse(lists.get(key) ?? "null") ?? undefined,
    write: async (key, entries) => void lists.set(key, JSON.stringify(entries)),
  };
}

const says = (decimal: "comma" | "point" | undefined, isMixed = false): NumberNotations => ({
  decimal: undefined,
  columns: new Map([[1, { decimal, isMixed }]]),
});

it("reads a sheet as its cells tell, the first time", async () => {
  const room = { names: createCache(), baseUrl: "b" };

  expect(await recallNotations(room, mapping, says("comma"))).toEqual(says("comma"));
});

it("calls a column doubtful that tells the opposite of what the same headers told", async () => {
  const room = { names: createCache(), baseUrl: "b" };
  await recallNotations(room, mapping, says("comma", true));

  const first = await recallNotations(room, mapping, says("point"));
  const again = await recallNotations(room, mapping, says("point"));

  expect([first, again]).toEqual([says(undefined, true), says(undefined, true)]);
});

it("believes the person who says which sign holds, and remembers that", async () => {
  const room = { names: createCache(), baseUrl: "b" };
  await recallNotations(room, mapping, says("comma"));

  const asked = await recallNotations(room, mapping, { ...says("point"), decimal: "point" });
  const later = await recallNotations(room, mapping, says("point"));

  expect(asked).toEqual({ ...says("point"), decimal: "point" });
  expect(later).toEqual(says("point"));
});

it("keeps what other headers mean out of it", async () => {
  const room = { names: createCache(), baseUrl: "b" };
  const other = mapColumns({ sheet: "S", headerRow: 1, header: ["Stok Kodu", "Fiyat"] });
  await recallNotations(room, other, says("comma"));

  expect(await recallNotations(room, mapping, says("point"))).toEqual(says("point"));
});
