import { LOOKUP_KINDS } from "@catalog/importer/lookup-kinds";
import { describe, expect, it } from "vitest";

import { formatFindings, type LookupView } from "../../../src/commands/lookup/run.ts";

type LookupFindings = Parameters<typeof formatFindings>[0];

const ID = "30515660606ea449afc6b11b";
const CUP: LookupFindings["results"][number] = {
  id: ID,
  name: "Fincan",
  path: "Ev > Fincan",
  match: "exact",
};
const PLATE: LookupFindings["results"][number] = { id: "t-9", name: "Tabak", match: "similar" };

const show = (findings: LookupFindings, view: Partial<LookupView> = {}): string =>
  formatFindings(findings, {
    kind: "categories",
    text: "fincan",
    limit: 20,
    lang: "tr",
    columns: 80,
    ...view,
  });

describe("formatFindings", () => {
  it("lists exact results, then similar ones under a heading", () => {
    expect(show({ results: [CUP, PLATE], total: 9 })).toBe(
      `${ID}  Ev > Fincan\nBenzer adlar:\nt-9  Tabak\n`,
    );
  });

  it("says that there may be more where the limit is reached", () => {
    expect(show({ results: [CUP, PLATE], total: 9 }, { limit: 2 })).toContain(
      "\nİlk 2 sonuç gösterildi. Hepsi için --all.\n",
    );
  });

  it("states that no name matches before it lists similar ones", () => {
    expect(show({ results: [PLATE], total: 9 }, { text: "tabk" })).toBe(
      "Adı ya da kimliği tam olarak “tabk” olan yok.\nBenzer adlar:\nt-9  Tabak\n",
    );
    expect(show({ results: [PLATE], total: 9 }, { text: "tabk", lang: "en" })).toBe(
      "Nothing has exactly the name or id “tabk”.\nSimilar names:\nt-9  Tabak\n",
    );
  });

  it("states that no name is similar either", () => {
    expect(show({ results: [], total: 9 })).toContain("Yakın bir ad da yok.");
    expect(show({ results: [], total: 9 }, { lang: "en" })).toContain("Nothing comes close either");
  });

  it("states how many more results there are than it lists", () => {
    const listed = { ...CUP, match: "listed" } as const;

    expect(show({ results: [listed], total: 1200 }, { text: undefined })).toBe(
      `${ID}  Ev > Fincan\n1.200 kayıttan ilk 1 tanesi gösterildi, 1.199 kayıt daha var. Hepsi için --all;\naramak için bir sözcük ekleyin.\n`,
    );
    expect(show({ results: [listed], total: 1 }, { text: undefined })).toBe(`${ID}  Ev > Fincan\n`);
  });

  it.each(LOOKUP_KINDS)("states in both languages that there are no %s", (kind) => {
    const turkish = show({ results: [], total: 0 }, { kind });
    const english = show({ results: [], total: 0 }, { kind, lang: "en" });

    expect(turkish).toMatch(/yok\./u);
    expect(english).toMatch(/\bno\b/u);
  });

  it("fits 80 columns with long paths, and never breaks an id", () => {
    const path = Array.from({ length: 9 }, (_, n) => `Bölüm ${n}`).join(" > ");

    const text = show({ results: [{ ...CUP, path }], total: 1 });

    const lines = text.trimEnd().split("\n");
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.length).toBe(2);
    expect(lines[1]).toMatch(/^ {26}\S/u);
  });

  it("lists the values of the one exact property, and counts those of others", () => {
    const options = [
      { id: "o-1", name: "Mavi" },
      { id: "o-2", name: "Sarı" },
    ];
    const colour: LookupFindings["results"][number] = {
      id: "p-1",
      name: "Renk",
      options,
      match: "exact",
    };
    const one = show({ results: [colour], total: 1 }, { kind: "properties", text: "renk" });
    const two = show({ results: [colour, { ...colour, id: "p-2" }], total: 2 });

    expect(one).toBe("p-1  Renk  (2 seçenek)\n  o-1  Mavi\n  o-2  Sarı\n");
    expect(two).toBe("p-1  Renk  (2 seçenek)\np-2  Renk  (2 seçenek)\n");
  });

  it("counts the districts of a city, and lists those of the one exact city", () => {
    const options = [{ id: "0101", name: "Aladağ" }];
    const city: LookupFindings["results"][number] = {
      id: "01",
      name: "Adana",
      path: "Adana",
      options,
      match: "exact",
    };
    const view = { kind: "cities", text: "adana" } as const;

    expect(show({ results: [city], total: 81 }, view)).toBe(
      "01  Adana  (1 ilçe)\n  0101  Aladağ\n",
    );
    expect(show({ results: [city], total: 81 }, { ...view, lang: "en" })).toContain("(1 district)");
  });
});
