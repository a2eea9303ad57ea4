import { expect, it } from "vitest";

import { explainError, NoAnswerError, toRefusal } from "../../../client/lib/requests.ts";

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
