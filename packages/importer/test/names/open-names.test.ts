import { createTestConnection } from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import {
  createNameIndexes,
  createRowMapper,
  createSheetReader,
  mapColumns,
  type SourceRow,
} from "@catalog/mapping";
import { createFakeNames, type FakeNamesData } from "@catalog/mapping/testing";
import type { OpenNameCount } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { askOpenNames, createNameCases, type NameAnswer } from "../../src/names/open-names.ts";
import { createNameSuggester } from "../../src/names/suggestions.ts";
import { loadActiveRules } from "../../src/names/value-rules.ts";

const category = (id: string, name: string) => ({ id: idSchemas.category.parse(id), name });
const brand = (id: string, name: string) => ({ id: idSchemas.brand.parse(id), name });

const DATA = {
  categories: [category("c-1", "Fincan"), category("c-2", "Tabak")],
  brands: {
    "c-1": [brand("b-1", "Karaca Home"), brand("b-2", "Bosch")],
    "c-2": [brand("b-3", "Karaca Home")],
  },
  properties: {
    "c-2": [
      {
        id: idSchemas.property.parse("p-1"),
        name: "Renk",
        property_options: [{ id: idSchemas.propertyOption.parse("o-1"), display_name: "Siyah" }],
      },
    ],
  },
};

const HEADER = ["SKU", "Kategori", "Marka", "Renk"];

interface FixtureOptions {
  readonly data?: FakeNamesData;
  readonly isWhole?: (row: SourceRow) => boolean;
  /** Combinations of names kept in memory. */
  readonly maxCases?: number;
}

/** A file with rows of category and brand, and a fake person who answers. */
async function createFixture(
  rows: readonly (readonly [string, string, string?])[],
  { data = DATA, isWhole, maxCases }: FixtureOptions = {},
) {
  const { connection } = await createTestConnection();
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: HEADER });
  const noted = createNameCases(createSheetReader(mapping).groupNames(), isWhole, maxCases);
  const stored = rows.map(([kind, maker, colour = null], index): SourceRow => {
    const row = { row: index + 2, cells: [`K-${index}`, kind, maker, colour] };
    noted.note(row);
    return row;
  });
  async function* readRows() {
    yield stored;
  }
  const names = createFakeNames(data);
  const settle = async (...answers: readonly NameAnswer[]) => {
    const rules = await loadActiveRules(connection.memory.rules);
    const notations = createSheetReader(mapping).observeNumbers().decide();
    const mapper = createRowMapper({ sheet: "S", mapping, notations, names, rules });
    const asked: OpenNameCount[] = [];
    const waiting = [...answers];
    const ask = async (name: OpenNameCount): Promise<NameAnswer> => {
      asked.push(name);
      return waiting.shift() ?? { kind: "leave" };
    };
    const how = answers.length === 0 ? {} : { ask };
    const lists = createNameIndexes(names);
    const { suggest } = createNameSuggester({ connection, lists, platform: undefined });
    const cases = noted.list();
    const read = { readRows, cases, ...(isWhole !== undefined && { isWhole }) };
    const open = await askOpenNames({ ...read, mapping, mapper, rules, suggest, ...how });
    const used = [...rules.used].map(({ value }) => value);
    return { open, asked, used, map: (row: SourceRow) => mapper.map(row) };
  };
  return { settle, names, connection };
}

const isNotRow3 = ({ row }: SourceRow): boolean => row !== 3;

const means = (target: string): NameAnswer => ({ kind: "means", target });

describe.each([
  ["kept", 100],
  ["read again, as there are too many", 1],
])("with combinations of names that are %s:", (_name, maxCases) => {
  describe("names that are not found", () => {
    it("are asked about once for 412 rows, and not again for later files", async () => {
      const rows = Array.from({ length: 412 }, () => ["Fincan", "KARACA HOM"] as const);
      const { settle, connection } = await createFixture(rows, { maxCases });

      const first = await settle(means("Karaca Home"));
      const second = await settle(means("Bosch"));

      expect(first.asked).toEqual([
        {
          field: "brand",
          column: "Marka",
          value: "KARACA HOM",
          choices: ["Karaca Home"],
          rows: 412,
          titles: [],
          suggestions: [{ target: "Karaca Home", targetId: "b-1", why: { kind: "words" } }],
        },
      ]);
      expect(first.open).toEqual([]);
      expect(second).toMatchObject({ open: [], asked: [], used: ["KARACA HOM"] });
      expect(await connection.memory.rules.list()).toMatchObject([
        { field: "brand", value: "KARACA HOM", target: "Karaca Home" },
      ]);
    });

    it("are reported once where no question can be asked", async () => {
      const { settle, connection } = await createFixture(
        [
          ["Fincan", "Karaca Hom"],
          ["Tabak", "KARACA HOM"],
          ["Tabak", "Yok"],
          ["Fincan", "Bosch"],
        ],
        { maxCases },
      );

      const { open } = await settle();

      expect(open.map(({ value, rows }) => [value, rows])).toEqual([
        ["Karaca Hom", 2],
        ["Yok", 1],
      ]);
      expect(await connection.memory.rules.list()).toEqual([]);
    });

    it("are asked about below a category once that is resolved", async () => {
      const { settle } = await createFixture([["Fincann", "Karaca Hom"]], { maxCases });

      const { asked, open } = await settle(means("Fincan"), means("Karaca Home"));

      expect(asked.map(({ field }) => field)).toEqual(["category", "brand"]);
      expect(open).toEqual([]);
    });

    it("stay open when the person skips them or ends the questions", async () => {
      const { settle } = await createFixture(
        [
          ["Fincan", "Karaca Hom"],
          ["Fincan", "Bosc"],
        ],
        { maxCases },
      );

      const left = await settle({ kind: "leave" }, means("Bosch"));
      const stopped = await settle({ kind: "stop" });

      expect(left.asked).toHaveLength(2);
      expect(left.open.map(({ value }) => value)).toEqual(["Karaca Hom"]);
      expect(stopped.asked).toHaveLength(1);
      expect(stopped.open).toHaveLength(1);
    });

    it("are found under an unknown header that is a property of the category", async () => {
      const { settle } = await createFixture(
        [
          ["Fincan", "Bosch", "Siyahh"],
          ["Tabakk", "Karaca Home", "Siyahh"],
          ["Tabakk", "Karaca Home", "Siyah"],
          ["Tabakk", "Karaca Home", "Siyahh"],
        ],
        { maxCases },
      );

      const { asked, open } = await settle(means("Tabak"));

      expect(asked.map(({ field, value, rows }) => [field, value, rows])).toEqual([
        ["category", "Tabakk", 3],
        ["property:Renk", "Siyahh", 2],
      ]);
      expect(open.map(({ value }) => value)).toEqual(["Siyahh"]);
    });

    it("are not asked about when there are no candidates", async () => {
      const { settle } = await createFixture([["Fincan", "Qqqqqqqq"]], { maxCases });

      const { asked, open } = await settle(means("Bosch"));

      expect(asked).toEqual([]);
      expect(open).toMatchObject([{ value: "Qqqqqqqq", choices: [] }]);
    });
  });

  it("each list is fetched once, whatever the number of rows", async () => {
    const cells = [
      ["Fincan", "Bosch"],
      ["Tabak", "Karaca Home"],
    ] as const;
    const rows = Array.from({ length: 100 }, (_, index) => cells[index % 2] ?? cells[0]);
    const { settle, names } = await createFixture(rows, { maxCases });

    await settle();

    expect([...names.calls].toSorted()).toEqual(["brands c-1", "brands c-2", "categories"]);
  });

  it("the lists of rows that are not asked about are loaded too", async () => {
    const rows = [
      ["Fincan", "Bosch"],
      ["Tabak", "Karaca Hom"],
    ] as const;
    const { settle } = await createFixture(rows, { maxCases, isWhole: isNotRow3 });

    const { open, asked, map } = await settle(means("Karaca Home"));

    expect([open, asked]).toEqual([[], []]);
    const mapped = map({ row: 3, cells: ["K-1", "Tabak", "Karaca Hom", null] });
    expect(mapped.issues.map(({ code }) => code)).toEqual(["E_BRAND_UNKNOWN"]);
  });

  it("the lists that the names of a newer list need are loaded too", async () => {
    // While the second category had the name of the first, its brands were not known.
    const data = {
      ...DATA,
      categories: [category("c-1", "Fincan"), category("c-2", "Fincan")],
      newer: DATA,
    };
    const rows = [
      ["Fincan", "Bosch"],
      ["Tabak", "Karaca Home"],
    ] as const;
    const { settle } = await createFixture(rows, { maxCases, data });

    const { open, map } = await settle();

    expect(open).toEqual([]);
    expect(map({ row: 2, cells: ["K-0", "Fincan", "Bosch", null] }).names.brand).toBe("Bosch");
  });
});
