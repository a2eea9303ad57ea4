import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createWordList } from "../../src/names/suggester.ts";

const WORDS = ["kahve", "makinesi", "makineleri", "kasik", "kasiklik", "tava", "kahvemakinesi"];

function similarTo(word: string): readonly string[] {
  const list = createWordList();
  for (const each of WORDS) list.add(each);
  return list
    .findSimilar(word)
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ id }) => WORDS[id] ?? "");
}

describe("words similar to a typed one", () => {
  it.each([
    ["an equal one", "tava", ["tava"]],
    ["one with a letter lost", "kahv", ["kahve"]],
    ["one with two letters in the wrong order", "kavhe", ["kahve"]],
    ["one with another ending", "makinesine", ["makinesi"]],
    ["one that begins with it", "kas", ["kasik"]],
    ["none", "xyzzy", []],
  ])("are found: %s", (_, word, found) => {
    expect(similarTo(word).slice(0, found.length)).toEqual(found);
    if (found.length === 0) expect(similarTo(word)).toEqual([]);
  });

  it("hold every word with one typing error, however it is typed", () => {
    const letters = fc.string({
      unit: fc.constantFrom("a", "b", "c", "d", "k"),
      minLength: 3,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (words, which, at) => {
          const word = words[which % words.length] ?? "";
          const typed = word.slice(0, at % word.length) + "z" + word.slice(at % word.length);
          const list = createWordList();
          const id = list.add(word);
          for (const each of words) list.add(each);

          expect(list.findSimilar(typed).map((found) => found.id)).toContain(id);
        },
      ),
    );
  });
});
