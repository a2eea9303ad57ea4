import { expect, it } from "vitest";

import { rankProducts } from "../../../client/shell/palette.tsx";

it("puts products whose code has the text before those that only their id has led to", () => {
  const products = ["A-250", null, "SBX-000151", "A-214", "sbx-1510"].map((code) => ({ code }));

  const codes = (text: string): readonly (string | null)[] =>
    rankProducts(products, text).map(({ code }) => code);

  expect(codes("151")).toEqual(["SBX-000151", "sbx-1510", "A-250", null, "A-214"]);
  expect(codes("Sbx-0001")).toEqual(["SBX-000151", "A-250", null, "A-214", "sbx-1510"]);
});
