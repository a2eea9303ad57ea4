import { describe, expect, it } from "vitest";

import { parseNumbers, parseProblem } from "../../../client/lib/requests.ts";

describe("parseProblem", () => {
  it("takes the sentence of the server", () => {
    const problem = { code: "E_DRAFT_CHANGED", message: "Taslak değişti." };

    expect(parseProblem(409, JSON.stringify(problem))).toEqual(problem);
  });

  for (const text of ["", "<html>", "{}", "null"]) {
    it(`has no sentence where the body is ${JSON.stringify(text)}`, () => {
      expect(parseProblem(502, text)).toEqual({ code: "HTTP_502", message: "" });
    });
  }
});

describe("parseNumbers", () => {
  it("reads little-endian numbers", () => {
    expect([...parseNumbers(Uint8Array.from([1, 0, 0, 0, 0, 1, 0, 0]).buffer)]).toEqual([1, 256]);
  });
});
