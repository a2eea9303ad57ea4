import { describe, expect, it } from "vitest";

import { createNameIndex } from "../../src/names/name-index.ts";
import { rankLiteral } from "../../src/names/suggester.ts";

const ordered = (text: string, names: readonly string[], similar: readonly number[] = []) =>
  rankLiteral(
    text,
    names.map((name) => ({ name })),
    similar,
  ).map((position) => names[position]);

describe("rankLiteral", () => {
  it("puts a word before a beginning, a part of a word and a similar name", () => {
    const names = ["Testere", "Minitencere", "Tencereler", "Düdüklü Tencere", "Tabak"];

    expect(ordered("tencere", names, [0, 2])).toEqual([
      "Düdüklü Tencere",
      "Tencereler",
      "Minitencere",
      "Testere",
    ]);
  });

  it("keeps the order of names that have the text alike", () => {
    expect(ordered("kahve", ["Türk Kahve", "Filtre Kahve"], [1, 0])).toEqual([
      "Filtre Kahve",
      "Türk Kahve",
    ]);
  });

  it("asks for every word of the text", () => {
    expect(ordered("bebek şampuanı", ["Bebek Bezi", "Bebek Şampuanı"])).toEqual(["Bebek Şampuanı"]);
  });

  it("finds no more than the similar names for a text without a word", () => {
    expect(ordered(" ", ["Tencere", "Fincan"], [1])).toEqual(["Fincan"]);
  });

  it("counts two letters within a word as nothing", () => {
    expect(ordered("an", ["Tencere Kapağı Askısı", "Fincan"])).toEqual([]);
  });

  it("puts a name below one with the text before a similar name", () => {
    const names = [{ name: "Testere" }, { name: "Kapak", above: ["Mutfak", "Tencere"] }];

    expect(rankLiteral("tencere", names, [0, 1])).toEqual([1, 0]);
  });
});

it("searches a list for literal names first", () => {
  const index = createNameIndex({
    items: ["Testere", "Düdüklü Tencere", "Tencere", "Tencereler"],
    id: (name) => name.length.toString(),
    name: (name) => name,
    idPattern: /^\d+$/u,
  });

  expect(index.search("tencere", 10).map(({ item }) => item)).toEqual([
    "Tencere",
    "Düdüklü Tencere",
    "Tencereler",
    "Testere",
  ]);
});
