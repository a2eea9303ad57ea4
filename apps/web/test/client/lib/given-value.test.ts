import { describe, expect, it } from "vitest";

import { type Scope, toGivenChange } from "../../../client/steps/columns/column-choices.ts";

const FIELD = "shipping_template";
const EMPTY = { constants: {}, defaults: {}, forNew: {} };
const given = (text: string, scope: Scope) => ({ field: FIELD, text, scope });
const FAST = { [FIELD]: "Hızlı" };

describe("toGivenChange", () => {
  it("keeps a value in the file, beside others, unless it is meant for later files as well", () => {
    const view = { ...EMPTY, constants: { brand: "A" }, forNew: { sub_title: "B" } };

    expect(toGivenChange(view, given("Hızlı", "all"))).toEqual({
      constants: { brand: "A", ...FAST },
    });
    expect(toGivenChange(view, given("Hızlı", "file"))).toEqual({
      forNew: { sub_title: "B", ...FAST },
    });
    expect(toGivenChange(view, given("Hızlı", "store"))).toEqual({ defaults: FAST });
  });

  it("takes a value from where it stood once it is meant for other products", () => {
    const places = {
      all: { ...EMPTY, constants: FAST },
      file: { ...EMPTY, defaults: FAST, forNew: FAST },
      store: { ...EMPTY, defaults: FAST },
    };

    expect(toGivenChange(places.all, given("Hızlı", "file"))).toEqual({
      constants: {},
      forNew: FAST,
    });
    expect(toGivenChange(places.all, given("Hızlı", "store"))).toEqual({
      constants: {},
      defaults: FAST,
    });
    expect(toGivenChange(places.file, given("Hızlı", "all"))).toEqual({
      constants: FAST,
      forNew: {},
    });
    expect(toGivenChange(places.file, given("Hızlı", "store"))).toEqual({
      defaults: FAST,
      forNew: {},
    });
    for (const [scope, kept] of [
      ["all", { constants: FAST }],
      ["file", { forNew: FAST }],
    ] as const) {
      expect(toGivenChange(places.store, given("Hızlı", scope))).toEqual({
        ...kept,
        defaults: { [FIELD]: "" },
      });
    }
  });

  it("leaves a default of the store with another text, which was there before", () => {
    const view = { ...EMPTY, defaults: { [FIELD]: "Standart" } };

    expect(toGivenChange(view, given("Hızlı", "all"))).toEqual({ constants: FAST });
    expect(toGivenChange(view, given("Hızlı", "file"))).toEqual({ forNew: FAST });
  });

  it("empties a value where it was given", () => {
    const standard = { ...EMPTY, defaults: { [FIELD]: "Standart" } };

    expect(toGivenChange({ ...standard, constants: FAST }, given("", "all"))).toEqual({
      constants: {},
    });
    expect(toGivenChange({ ...standard, forNew: FAST }, given("", "file"))).toEqual({
      forNew: {},
    });
    expect(toGivenChange(standard, given("", "store"))).toEqual({ defaults: { [FIELD]: "" } });
  });
});
