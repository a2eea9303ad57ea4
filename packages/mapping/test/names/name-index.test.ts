import { describe, expect, it } from "vitest";

import { createNameIndex, lazy, type NameIndex } from "../../src/names/name-index.ts";

describe("lazy", () => {
  it("creates its value once, at the first call", () => {
    let created = 0;
    const value = lazy(() => {
      created += 1;
      return created;
    });

    expect(created).toBe(0);
    expect([value(), value(), created]).toEqual([1, 1, 1]);
  });

  it("keeps a value that is undefined", () => {
    let created = 0;
    const value = lazy(() => {
      created += 1;
    });

    value();
    value();

    expect(created).toBe(1);
  });
});

interface Item {
  readonly id: string;
  readonly name: string;
}

const index = (...items: readonly Item[]): NameIndex<Item> =>
  createNameIndex({
    items,
    id: (item) => item.id,
    name: (item) => item.name,
    idPattern: /^[0-9a-f]{24}$/iu,
  });

const isuzu = { id: "00000000000000000000a001", name: "Isuzu" };
const dotted = { id: "00000000000000000000a002", name: "İsuzu" };
const boschA = { id: "00000000000000000000a1f3", name: "Bosch" };
const boschB = { id: "00000000000000000000b2c4", name: "Bosch" };
const adidas = { id: "00000000000000000000c001", name: "adidas" };

const brief = (names: NameIndex<Item>, text: string): string => {
  const resolution = names.resolve(text);
  if (resolution.kind === "found") return resolution.item.id.slice(-4);
  const items = resolution.kind === "unknown" ? resolution.suggestions : resolution.candidates;
  return [resolution.kind, ...items.map((item) => item.name)].join(" ");
};

describe("createNameIndex", () => {
  const cars = index(isuzu, dotted);
  const tiers: readonly (readonly [string, string])[] = [
    ["Isuzu", "a001"],
    ["İsuzu", "a002"],
    ["ISUZU", "a001"],
    ["isuzu", "a002"],
    ["ısuzu", "a001"],
    ["İSUZU", "a002"],
    ["Isüzu", "ambiguous Isuzu İsuzu"],
  ];
  for (const [text, expected] of tiers) {
    it(`finds ${expected} for ${text} among similar names`, () =>
      expect(brief(cars, text)).toBe(expected));
  }

  it("finds one name whichever i is written", () => {
    const lights = index({ id: "x1", name: "IŞIK" });

    expect(["IŞIK", "ışık", "Işık\u00a0", "isik"].map((text) => brief(lights, text))).toEqual([
      "x1",
      "x1",
      "x1",
      "x1",
    ]);
  });

  it("only suggests similar names", () => {
    expect(brief(index(adidas, isuzu), "Adidass")).toBe("unknown adidas");
    expect(brief(index(adidas, isuzu), "Xyzzy")).toBe("unknown");
  });

  it("distinguishes things of one name only by the end of their ids", () => {
    const tools = index(boschA, boschB);

    expect(brief(tools, "bosch")).toBe("ambiguous Bosch Bosch");
    expect(brief(tools, "Bosch [a1f3]")).toBe("a1f3");
    expect(brief(tools, "bosch [B2C4]")).toBe("b2c4");
    expect(brief(tools, "Bosch [ffff]")).toContain("unknown");
  });

  it("accepts brackets that are part of a name", () => {
    const named = { id: "x9", name: "Bosch [home]" };

    expect(brief(index(named, boschA), "Bosch [home]")).toBe("x9");
  });

  it("resolves an id, and refuses one that is not listed", () => {
    const tools = index(boschA);

    expect(brief(tools, boschA.id.toUpperCase())).toBe("a1f3");
    expect(brief(tools, boschB.id)).toBe("unknown");
  });
});

describe("search of NameIndex", () => {
  const bosco = { id: "00000000000000000000d001", name: "Bosco" };
  const names = index(boschA, adidas, bosco, boschB);
  const found = (text: string, limit = 10): readonly string[] =>
    names.search(text, limit).map(({ item, match }) => `${match} ${item.id.slice(-4)}`);

  it("returns all things of one name first, then similar ones", () => {
    expect(found("BOSCH")).toEqual(["exact a1f3", "exact b2c4", "similar d001"]);
  });

  it("finds the thing of an id", () => {
    expect(found(adidas.id)).toEqual(["exact c001"]);
  });

  it("calls nothing exact that a cell would not resolve to", () => {
    expect(found("bosh").every((hit) => hit.startsWith("similar"))).toBe(true);
    expect(found("bosh")).toHaveLength(3);
  });

  it("returns at most limit things, exact ones before similar ones", () => {
    expect(found("bosch", 2)).toEqual(["exact a1f3", "exact b2c4"]);
    expect(found("bosh", 1)).toHaveLength(1);
  });

  it("finds nothing where nothing is similar", () => {
    expect(found("xyzzyx")).toEqual([]);
  });
});
