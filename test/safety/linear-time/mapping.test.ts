import { idSchemas } from "@catalog/contract";
import {
  codeKey,
  createCodeSuspects,
  createNameIndexes,
  createRowMapper,
  FIELDS,
  fold,
  mapColumns,
  type SourceRow,
  createSheetReader,
  CODE_KEYS,
} from "@catalog/mapping";
import { createDescriptionReader } from "@catalog/mapping/descriptions";
import { createFakeNames, type FakeNames } from "@catalog/mapping/testing";
import { createCompactTextMap } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { findSlow, type Work } from "./growth.ts";

const id = (n: number): string => n.toString(16).padStart(24, "0");

/** A small marketplace, with one more name where it is given. */
function createNames(name = "Kuzey"): FakeNames {
  const category = {
    id: idSchemas.category.parse(id(1)),
    name: "Kaşık",
    category_path: "Ev > Kaşık",
  };
  const other = {
    ...category,
    id: idSchemas.category.parse(id(2)),
    name,
    category_path: `Ev > ${name}`,
  };
  return createFakeNames({
    categories: [category, other],
    brands: { [id(1)]: [{ id: idSchemas.brand.parse(id(3)), name }] },
    models: { [`${id(1)}/${id(3)}`]: [{ id: idSchemas.brandModel.parse(id(4)), name }] },
    properties: {
      [id(1)]: [
        {
          id: idSchemas.property.parse(id(5)),
          name: "Renk",
          property_options: [{ id: idSchemas.propertyOption.parse(id(6)), display_name: name }],
        },
      ],
    },
    shippingTemplates: [{ id: idSchemas.shippingTemplate.parse(id(7)), template_name: name }],
  });
}

const SHEET = "Ürünler";
const OTHERS = ["category", "brand", "price", "discount_type"] as const;
const OTHER_CELLS = ["Ev > Kaşık", "Kuzey", "100,00", "Tutar"];

/** Reads one row whose first cell is the text, as an import does. */
function readCell(key: string): Work["run"] {
  const header = [key, ...OTHERS.filter((other) => other !== key), "x"];
  const cells = OTHER_CELLS.filter((_, at) => OTHERS[at] !== key);
  const mapping = mapColumns({ sheet: SHEET, headerRow: 1, header });
  return async (text) => {
    const row: SourceRow = { row: 2, cells: [text, ...cells, "x"] };
    const observer = createSheetReader(mapping).observeNumbers();
    observer.observe(row);
    const names = createNames();
    const how = { notations: observer.decide(), names, takesImageFiles: true };
    const mapper = createRowMapper({ sheet: SHEET, mapping, ...how });
    await mapper.findOpenNames(row);
    mapper.map(row);
  };
}

const map = (header: readonly string[], sheet = SHEET): unknown =>
  mapColumns({ sheet, headerRow: 1, header });

describe("what people typed is read in linear time", () => {
  it("in every column", async () => {
    // All images are read alike.
    const fields = FIELDS.map(({ key }) => key).filter((key) => !/^image_(?!1$)/u.test(key));
    const keys = [...fields, "property:Renk"];

    expect(await findSlow(keys.map((key) => ({ name: key, run: readCell(key) })))).toEqual([]);
  });

  it("as a header, as the name of a sheet, and as a cell of an ambiguous column", async () => {
    const slow = await findSlow([
      { name: "header", run: (text) => map([text, "Fiyat"]) },
      { name: "property header", run: (text) => map([`Özellik: ${text}`, "Fiyat"]) },
      { name: "price header", run: (text) => map([`Fiyat ${text}`, "Fiyat"]) },
      { name: "sheet name", run: (text) => map(["Bilinmeyen", "Fiyat"], text) },
    ]);

    expect(slow).toEqual([]);
  });

  it("as a description, which is cleaned or turned into plain text", async () => {
    const slow = await findSlow([
      { name: "html", run: (text) => createDescriptionReader()(text) },
      { name: "text", run: (text) => createDescriptionReader({ format: "text" })(text) },
    ]);

    expect(slow).toEqual([]);
  });

  it("as a code, beside codes that look alike", async () => {
    const mapping = mapColumns({ sheet: SHEET, headerRow: 1, header: ["Ürün Kodu"] });
    const codes = createSheetReader(mapping, SHEET).codes;

    const slow = await findSlow([
      { name: "fold", run: fold },
      { name: "codeKey", run: codeKey },
      { name: "looseCodeKey", run: CODE_KEYS.loose },
      { name: "lookAlikeCodeKey", run: CODE_KEYS.lookAlike },
      { name: "areCodesSplitApart", run: (text) => CODE_KEYS.areApart(text, `${text}1-1`) },
      { name: "code column", run: (text) => codes.read({ row: 2, cells: [text] }) },
      {
        name: "suspects",
        run: (text) => {
          const suspects = createCodeSuspects(createCompactTextMap());
          suspects.note(text, 2);
          suspects.note(`${text} `, 3);
        },
      },
    ]);

    expect(slow).toEqual([]);
  });
});

describe("names of a marketplace are read in linear time", () => {
  it("when a long name is searched among long ones", async () => {
    const category = idSchemas.category.parse(id(1));
    const brand = idSchemas.brand.parse(id(3));
    const find = async (names: FakeNames, text: string): Promise<void> => {
      const indexes = createNameIndexes(names);
      (await indexes.categories()).resolve(text);
      (await indexes.brands(category)).resolve(text);
      (await indexes.models(category, brand)).resolve(text);
      (await indexes.templates()).resolve(text);
    };

    const slow = await findSlow([
      { name: "a long name", run: (text) => find(createNames(text), `${text}x`) },
    ]);

    expect(slow).toEqual([]);
  });
});
