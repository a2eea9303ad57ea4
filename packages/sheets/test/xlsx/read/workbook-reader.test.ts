import { describe, expect, it } from "vitest";

import type { ListedSheet } from "../../../src/xlsx/read/workbook-parts.ts";
import { chooseSheet, type ChosenSheet } from "../../../src/xlsx/read/workbook-reader.ts";
import { refusal } from "../../helpers/files.ts";

/** `-name` is hidden, `name?` has no content. */
const sheetsOf = (names: readonly string[]): readonly ListedSheet[] =>
  names.map((name, index) => ({
    name: name.replace(/^-/, ""),
    position: index + 1,
    isVisible: !name.startsWith("-"),
    part: `xl/${index}.xml`,
  }));

const chooseAmong = async (names: readonly string[], wanted?: string): Promise<ChosenSheet> =>
  await chooseSheet(sheetsOf(names), {
    wanted,
    file: "a.xlsx",
    contentOf: async ({ name }) => ({ rows: name.endsWith("?") ? 0 : 7, head: [] }),
  });

const choose = async (names: readonly string[], wanted?: string): Promise<string> =>
  (await chooseAmong(names, wanted)).listed.name;

describe("chooseSheet", () => {
  it.each([
    ["the only sheet", ["Liste"], "Liste"],
    ["the only sheet, even if empty", ["Liste?"], "Liste?"],
    ["the visible one", ["-Gizli", "Liste"], "Liste"],
    ["the one without an underscore", ["_meta", "Liste"], "Liste"],
    ["the one that is not a guide", ["AÇIKLAMALAR", "Liste", "Guide"], "Liste"],
    ["a guide if there is nothing else", ["Guide"], "Guide"],
    ["the one with content", ["Sayfa1?", "Sayfa2", "Sayfa3?"], "Sayfa2"],
    ["the first if none has content", ["Sayfa1?", "Sayfa2?"], "Sayfa1?"],
    ["Ürünler among others", ["Özet", "ürünler "], "ürünler "],
    ["Products among others", ["PRODUCTS", "Summary"], "PRODUCTS"],
  ] as const)("chooses %s", async (what, names, name) => {
    expect(await choose(names)).toBe(name);
  });

  it("reports which sheets it leaves out for Ürünler, but neither guides nor empty ones", async () => {
    const names = ["Açıklamalar", "Ürünler", "Aksesuarlar", "Boş?", "-Gizli"];

    const { leftOutSheets } = await chooseAmong(names);

    expect(leftOutSheets).toEqual([{ name: "Aksesuarlar", rows: 7, head: [] }]);
  });

  it("refuses to choose between two names that differ only in case or accents", async () => {
    const error = await refusal(choose(["Kis", "Kış"], "KIS"));

    expect(error).toMatchObject({ code: "E_SHEET_CHOICE", details: { names: ["Kis", "Kış"] } });
    expect(await choose(["Kis", "Kış"], "Kış")).toBe("Kış");
  });

  it("does not offer the sheets of the program where no sheet has the name", async () => {
    const error = await refusal(choose(["Ürünler", "_listeler", "_meta"], "yok"));

    expect(error).toMatchObject({ code: "E_SHEET_UNKNOWN", details: { names: ["Ürünler"] } });
    expect(await choose(["Ürünler", "_meta"], "_meta")).toBe("_meta");
  });

  it("gives an example of the flag where a person has to choose", async () => {
    const error = await refusal(choose(["Yaz", "Kış"]));

    expect(error.localized.tr).toContain('Birini okumak için: --sheet "Yaz";');
  });

  it("refuses to choose between two possible sheets", async () => {
    const error = await refusal(choose(["Ocak", "Şubat", "Boş?"]));

    expect(error).toMatchObject({
      code: "E_SHEET_CHOICE",
      details: { names: ["Ocak", "Şubat"], rowCounts: [7, 7] },
    });
  });

  it("refuses to read only the first sheet of a table that goes on on another one", async () => {
    const error = await refusal(choose(["Ürünler", "Ürünler (+1)", "Aksesuarlar"]));

    expect(error).toMatchObject({
      code: "E_SHEET_CHOICE",
      details: { names: ["Ürünler", "Ürünler (+1)", "Aksesuarlar"] },
    });
    expect(await choose(["Ürünler", "Ürünler (2)"])).toBe("Ürünler");
  });

  it("refuses to choose between Ürünler and Products", async () => {
    const error = await refusal(choose(["Ürünler", "Products"]));

    expect(error.code).toBe("E_SHEET_CHOICE");
  });

  for (const names of [
    ["-A", "_B"],
    ["-A", "B?"],
    ["-A", "B?", "C?", "-D?", "-_liste"],
  ]) {
    it(`names the hidden sheets with content where no other has any: ${names.join(" ")}`, async () => {
      const error = await refusal(choose(names));

      expect(error).toMatchObject({ code: "E_FILE_EMPTY", details: { names: ["A"] } });
      expect(error.localized.tr).toContain(
        'gizli sayfalarda: “A” (7 dolu satır). Okunacaksa sayfayı belirtin: --sheet "A"',
      );
    });
  }

  it("chooses a sheet whose name begins with _ only in a workbook without others", async () => {
    expect(await choose(["_Liste"])).toBe("_Liste");
    expect(await choose(["_Liste", "-_Eski"])).toBe("_Liste");
    expect(await choose(["_Liste", "Boş"])).toBe("Boş");
  });

  it("finds no sheet where none has content", async () => {
    expect((await refusal(choose(["-A?", "_B"]))).details.names).toBeUndefined();
  });

  const wanted = [
    ["by name, hidden or not", ["A", "-_meta"], "_meta", "_meta"],
    ["by a name with other case and accents", ["A", "Işık İncisi"], "ISIK incisi", "Işık İncisi"],
    ["by position", ["A", "B"], "2", "B"],
    ["by a name that looks like a position", ["A", "B", "1"], "1", "1"],
  ] as const;
  it.each(wanted)("chooses the wanted sheet %s", async (_how, names, ask, name) => {
    expect(await choose(names, ask)).toBe(name);
  });

  it("lists the sheets when the wanted one is missing", async () => {
    for (const ask of ["C", "0", "3"]) {
      expect(await refusal(choose(["A", "-B"], ask))).toMatchObject({
        code: "E_SHEET_UNKNOWN",
        details: { found: ask, names: ["A", "B"] },
      });
    }
  });
});
