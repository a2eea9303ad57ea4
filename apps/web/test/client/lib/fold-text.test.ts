import { expect, it } from "vitest";

import { foldText } from "../../../client/lib/format.ts";

it("finds a text whatever its case, its accents and its i", () => {
  expect(foldText(" ÇIĞLIK İĞNE ")).toBe("ciglik igne");
  expect(foldText("çığlık iğne")).toBe("ciglik igne");
});
