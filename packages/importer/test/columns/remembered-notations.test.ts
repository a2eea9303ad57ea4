import { type DatedNoteBook } from "@catalog/database";
import { mapColumns, type NumberNotations } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import {
  type NotationPlace,
  recallNotations,
  rememberNotations,
} from "../../src/columns/remembered-notations.ts";

const HEADER = ["Ürün Kodu", "Fiyat"];
const mapping = mapColumns({ sheet: "S", headerRow: 1, header: HEADER });
/** The failed rows of the same kind of sheet, as we give them back. */
const givenBack = mapColumns({ sheet: "S", headerRow: 1, header: [...HEADER, "Sonuç", "Hata"] });

/** A note book that keeps what it is given. */
function createPlace(): NotationPlace {
  const kept = new Map<string, string>();
  const notes: DatedNoteBook = {
    readNote: (key, schema) => schema.safeParse(JSON.parse(kept.get(key) ?? "null")).data,
    saveNotes(given) {
      for (const [key, note] of Object.entries(given)) kept.set(key, JSON.stringify(note));
    },
  };
  return { notes, baseUrl: "b" };
}

const says = (decimal: "comma" | "point" | undefined, isMixed = false): NumberNotations => ({
  decimal: undefined,
  columns: new Map([[1, { decimal, isMixed }]]),
});

const accept = (place: NotationPlace, { columns }: NumberNotations): Promise<void> =>
  rememberNotations(place, HEADER, columns);

describe("a file", () => {
  it("is read as its cells tell, the first time", async () => {
    const recalled = await recallNotations(createPlace(), mapping, says("comma"));

    expect(recalled).toEqual({ notations: says("comma"), notes: [] });
  });

  it("is read as its cells tell after a plan that nobody accepted (P1-4)", async () => {
    const place = createPlace();
    await recallNotations(place, mapping, { ...says("comma"), decimal: "comma" });

    const recalled = await recallNotations(place, mapping, says("point"));

    expect(recalled).toEqual({ notations: says("point"), notes: [] });
  });

  it("is asked only about doubtful numbers where it tells the opposite of an accepted one, and it is said (P1-4)", async () => {
    const place = createPlace();
    await accept(place, says("comma"));

    const first = await recallNotations(place, mapping, says("point"));
    await accept(place, first.notations);
    const again = await recallNotations(place, mapping, says("point"));

    expect([first.notations, again.notations]).toEqual([says(undefined), says(undefined)]);
    expect(first.notes[0]?.tr).toContain("“Fiyat”");
    expect(first.notes[0]?.en).toContain("--decimal");
  });

  it("is read as the person says who names the sign, and that is remembered once accepted", async () => {
    const place = createPlace();
    await accept(place, says("comma"));

    const asked = await recallNotations(place, mapping, { ...says("point"), decimal: "point" });
    await accept(place, asked.notations);
    const later = await recallNotations(place, mapping, says("point"));

    expect(asked.notations).toEqual({ ...says("point"), decimal: "point" });
    expect(later).toEqual({ notations: says("point"), notes: [] });
  });

  it("is not read by what other headers mean", async () => {
    const place = createPlace();
    await rememberNotations(place, ["Stok Kodu", "Fiyat"], says("comma").columns);

    expect((await recallNotations(place, mapping, says("point"))).notations).toEqual(says("point"));
  });
});

describe("failed rows that come back", () => {
  it("are doubtful where they tell the opposite of what the whole file told", async () => {
    const place = createPlace();
    await recallNotations(place, mapping, says("comma", true));

    const first = await recallNotations(place, givenBack, says("point"));
    const again = await recallNotations(place, givenBack, says("point"));

    expect([first, again]).toEqual([
      { notations: says(undefined, true), notes: [] },
      { notations: says(undefined, true), notes: [] },
    ]);
  });

  it("are read as the person says who names the sign", async () => {
    const place = createPlace();
    await recallNotations(place, mapping, says("comma"));

    const asked = { ...says("point"), decimal: "point" } as const;

    expect((await recallNotations(place, givenBack, asked)).notations).toEqual(asked);
  });
});
