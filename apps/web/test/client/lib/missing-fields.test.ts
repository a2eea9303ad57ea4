import { describe, expect, it } from "vitest";

import { listMissing } from "../../../client/steps/columns/column-choices.ts";
import type { FieldView } from "../../../src/api/index.ts";

const field = (key: string, isForAll = true): FieldView => ({
  key,
  label: key,
  isRequired: true,
  isForAll,
  isForNew: false,
});
const [title, brand, price] = [field("title", false), field("brand"), field("price")];
const view = { fields: [title, brand, price], missing: [brand], constants: {} };

describe("fields that no column has", () => {
  it("are asked for where the file can add products", () => {
    expect(listMissing(view, false)).toEqual({ own: [], givable: [brand], isFolded: false });
  });

  it("are folded where a file lacks what products differ in, as it can add none", () => {
    const list = { ...view, missing: [title, brand] };

    expect(listMissing(list, false)).toEqual({ own: [title], givable: [brand], isFolded: true });
  });

  it("are asked for where the store may keep a default for what products differ in", () => {
    const subtitle = { ...field("sub_title", false), isForNew: true };
    const file = { fields: [subtitle], missing: [subtitle], constants: {} };

    expect(listMissing(file, false)).toEqual({ own: [], givable: [subtitle], isFolded: false });
  });

  it("are folded where a person chose to add nothing", () => {
    expect(listMissing(view, true).isFolded).toBe(true);
  });

  it("stay with the value that was given for all rows", () => {
    const given = { ...view, missing: [], constants: { price: "10" } };

    expect(listMissing(given, false).givable).toEqual([price]);
  });
});
