import { describe, expect, it } from "vitest";

import { toGivenChange } from "../../../client/steps/columns/given-value.ts";

const FIELD = "shipment_template";
const given = (text: string, isForNew: boolean) => ({ field: FIELD, text, isForNew });

describe("toGivenChange", () => {
  it("keeps a value for all rows in the file, beside others", () => {
    const change = toGivenChange(
      { constants: { brand: "A" }, defaults: {} },
      given("Hızlı", false),
    );

    expect(change).toEqual({ constants: { brand: "A", [FIELD]: "Hızlı" } });
  });

  it("takes the default back where its text is meant for all rows", () => {
    const change = toGivenChange(
      { constants: {}, defaults: { [FIELD]: "Hızlı" } },
      given("Hızlı", false),
    );

    expect(change).toEqual({ constants: { [FIELD]: "Hızlı" }, defaults: { [FIELD]: "" } });
  });

  it("leaves a default with another text, which was there before", () => {
    const change = toGivenChange(
      { constants: {}, defaults: { [FIELD]: "Standart" } },
      given("Hızlı", false),
    );

    expect(change).toEqual({ constants: { [FIELD]: "Hızlı" } });
  });

  it("takes the text for all rows back where it is meant for new products", () => {
    const change = toGivenChange(
      { constants: { [FIELD]: "Hızlı", brand: "A" }, defaults: {} },
      given("Hızlı", true),
    );

    expect(change).toEqual({ constants: { brand: "A" }, defaults: { [FIELD]: "Hızlı" } });
  });

  it("empties a value where it was given", () => {
    const views = { constants: { [FIELD]: "Hızlı" }, defaults: { [FIELD]: "Standart" } };

    expect(toGivenChange(views, given("", false))).toEqual({ constants: {} });
    expect(toGivenChange({ ...views, constants: {} }, given("", true))).toEqual({
      defaults: { [FIELD]: "" },
    });
  });
});
