import { describe, expect, it } from "vitest";

import {
  explainError,
  NoAnswerError,
  parseNumbers,
  parseProblem,
  toRefusal,
} from "../../../client/lib/requests.ts";

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

const texts = { app: { offline: "offline", notDone: "not done", badAnswer: "bad answer" } };

it("shows the sentence of the server and never words of the browser", () => {
  const problem = JSON.stringify({ code: "E_STORE_BUSY", message: "Mağaza meşgul." });
  const errors = [
    toRefusal(423, problem),
    toRefusal(502, "<h1>Bad Gateway</h1>"),
    new NoAnswerError("/api/runs"),
    toRefusal(503, JSON.stringify({ code: "E_DATABASE_AWAY", message: "Bekleniyor." })),
    new SyntaxError("Unexpected token < in JSON"),
    null,
  ];

  expect(errors.map((error) => explainError(error, texts))).toEqual([
    "Mağaza meşgul.",
    "bad answer",
    "offline",
    "not done",
    "bad answer",
    "bad answer",
  ]);
});
