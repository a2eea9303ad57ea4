import type { Connection } from "@catalog/connection";
import { mapColumns, type NumberNotations } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import {
  type NotationContext,
  readRememberedNotations,
  saveNotations,
} from "../../src/columns/remembered-readings.ts";

const HEADER = ["Ürün Kodu", "Fiyat"];
const mapping = mapColumns({ sheet: "S", headerRow: 1, header: HEADER });
/** The failed rows of the same kind of sheet, as a result file holds them. */
const givenBack = mapColumns({ sheet: "S", headerRow: 1, header: [...HEADER, "Sonuç", "Hata"] });

/** An in-memory storage of notations. */
function createFixture(): NotationContext {
  const kept = new Map<string, string>();
  const notes: Pick<Connection["memory"]["notes"], "readNote" | "saveNotes"> = {
    readNote: async (key, schema) => schema.safeParse(JSON.parse(kept.get(key) ?? "null")).data,
    async saveNotes(given) {
      for (const [key, note] of Object.entries(given)) kept.set(key, JSON.stringify(note));
    },
  };
  return { notes, baseUrl: "b" };
}

const numbers = (
  sign: "comma" | "point",
): NonNullable<ReturnType<NonNullable<NumberNotations["unclear"]>["get"]>> => ({
  signs: new Set([sign]),
  cells: 1,
  example: sign === "comma" ? "1,250" : "1.250",
  readings: { comma: 1250, point: 1250, [sign]: 1.25 },
});

const says = (decimal: "comma" | "point" | undefined, isMixed = false): NumberNotations => ({
  decimal: undefined,
  columns: new Map([[1, { decimal, isMixed }]]),
});

const accept = (context: NotationContext, { columns }: NumberNotations): Promise<void> =>
  saveNotations(context, { name: "a.csv", header: HEADER }, columns);

describe("the notation of a file", () => {
  it("is decided by its cells the first time", async () => {
    const recalled = await readRememberedNotations(createFixture(), mapping, says("comma"));

    expect(recalled).toEqual({ notations: says("comma"), notes: [] });
  });

  it("is decided by its cells after a plan that was not accepted", async () => {
    const context = createFixture();
    await readRememberedNotations(context, mapping, { ...says("comma"), decimal: "comma" });

    const recalled = await readRememberedNotations(context, mapping, says("point"));

    expect(recalled).toEqual({ notations: says("point"), notes: [] });
  });

  it("is asked about only for ambiguous numbers when it contradicts an accepted plan, with a note", async () => {
    const context = createFixture();
    await accept(context, says("comma"));

    const first = await readRememberedNotations(context, mapping, says("point"));
    await accept(context, first.notations);
    const again = await readRememberedNotations(context, mapping, says("point"));

    expect([first.notations, again.notations]).toEqual([says(undefined), says(undefined)]);
    expect(first.notes[0]?.tr).toContain("“Fiyat”");
    expect(first.notes[0]?.en).toContain("--decimal");
  });

  it("is the one that the person names, and is stored once accepted", async () => {
    const context = createFixture();
    await accept(context, says("comma"));

    const asked = await readRememberedNotations(context, mapping, {
      ...says("point"),
      decimal: "point",
    });
    await accept(context, asked.notations);
    const later = await readRememberedNotations(context, mapping, says("point"));

    expect(asked.notations).toEqual({ ...says("point"), decimal: "point" });
    expect(later).toEqual({ notations: says("point"), notes: [] });
  });

  it("is that of the accepted plan, with a note, where no cell tells it", async () => {
    const context = createFixture();
    const unclear = { ...says(undefined), unclear: new Map([[1, numbers("point")]]) };
    const first = await readRememberedNotations(context, mapping, unclear);
    await accept(context, says("comma"));

    const later = await readRememberedNotations(context, mapping, unclear);
    const plain = await readRememberedNotations(context, mapping, says(undefined));

    expect(first).toEqual({ notations: says(undefined), notes: [] });
    expect(later.notations).toEqual(says("comma"));
    expect(later.notes[0]?.tr).toContain("“Fiyat” sütunundaki sayılar");
    expect(plain).toEqual(first);
  });

  it("is not that of the accepted plan where three digits stand behind its sign", async () => {
    const context = createFixture();
    const unclear = { ...says(undefined), unclear: new Map([[1, numbers("comma")]]) };
    await accept(context, says("comma"));

    const { notations } = await readRememberedNotations(context, mapping, unclear);

    expect(notations).toEqual(says(undefined));
  });

  it("does not depend on files with other headers", async () => {
    const context = createFixture();
    const other = { name: "a.csv", header: ["Stok Kodu", "Fiyat"] };
    await saveNotations(context, other, says("comma").columns);

    expect((await readRememberedNotations(context, mapping, says("point"))).notations).toEqual(
      says("point"),
    );
  });
});

describe("the notation of a file of failed rows", () => {
  it("is ambiguous where its cells contradict the whole file", async () => {
    const context = createFixture();
    await readRememberedNotations(context, mapping, says("comma", true));

    const first = await readRememberedNotations(context, givenBack, says("point"));
    const again = await readRememberedNotations(context, givenBack, says("point"));

    expect([first, again]).toEqual([
      { notations: says(undefined, true), notes: [] },
      { notations: says(undefined, true), notes: [] },
    ]);
  });

  it("is the one that the person names", async () => {
    const context = createFixture();
    await readRememberedNotations(context, mapping, says("comma"));

    const asked = { ...says("point"), decimal: "point" } as const;

    expect((await readRememberedNotations(context, givenBack, asked)).notations).toEqual(asked);
  });
});
