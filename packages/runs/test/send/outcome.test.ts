import { describe, expect, it } from "vitest";

import type { Answer, WirePhase } from "../../src/ports/marketplace.ts";
import { classifyAdd, classifyUpdate, type SendVerdict } from "../../src/send/outcome.ts";

type Case = readonly [name: string, answer: Answer, expected: string];

const answered = (data: unknown): Answer => ({ kind: "answered", data, phase: "body" });
const refused = (status: number, phase: WirePhase): Answer => ({
  kind: "refused",
  status,
  phase,
  message: "no",
});

/**
 * Formats a verdict in one line: state, rule, and what the run does next where it does not go on.
 */
function inWords({ to, cause, productId, next }: SendVerdict): string {
  const id = productId === undefined ? "" : ` ${productId}`;
  return `${to}${id} (${cause})${next === "go-on" ? "" : `, ${next}`}`;
}

const PHASES: readonly WirePhase[] = ["none", "started", "headers", "body"];

const LOST: readonly Case[] = PHASES.map((phase) => [
  `a lost answer after phase ${phase}`,
  { kind: "lost", phase, message: "gone" },
  phase === "none" ? "ready (unsent)" : "ambiguous (lost)",
]);

const REFUSED: readonly (readonly [status: number, expected: string])[] = [
  [301, "ambiguous (status-301)"],
  [302, "ambiguous (status-302)"],
  [307, "ambiguous (status-307)"],
  [400, "rejected (status-400)"],
  [401, "ready (status-401), renew-login"],
  [402, "ambiguous (status-402)"],
  [403, "ready (status-403), stop-permission"],
  [404, "rejected (status-404)"],
  [405, "rejected (status-405)"],
  [408, "ambiguous (status-408)"],
  [409, "ambiguous (status-409)"],
  [413, "rejected (status-413)"],
  [415, "rejected (status-415)"],
  [418, "ambiguous (status-418)"],
  [422, "rejected (status-422)"],
  [425, "ambiguous (status-425)"],
  [429, "ready (status-429), wait"],
  [499, "ambiguous (status-499)"],
  [500, "ambiguous (status-500)"],
  [501, "ambiguous (status-501)"],
  [502, "ambiguous (status-502)"],
  [503, "ambiguous (status-503)"],
  [504, "ambiguous (status-504)"],
];

const REFUSED_BY_PHASE: readonly Case[] = REFUSED.flatMap(([status, expected]) =>
  PHASES.map(
    (phase) =>
      [
        `status ${status} with phase ${phase}`,
        refused(status, phase),
        phase === "none" ? "ready (unsent)" : expected,
      ] as const,
  ),
);

const NO_ID = "ambiguous (answer-without-id)";

const ADD_ANSWERS: readonly Case[] = [
  ["status true with an id", answered({ status: true, product_id: "p1" }), "done p1 (answer)"],
  ["status true without an id", answered({ status: true }), NO_ID],
  ["status true with an empty id", answered({ status: true, product_id: "" }), NO_ID],
  ["status true with a null id", answered({ status: true, product_id: null }), NO_ID],
  ["an id that is a number", answered({ status: true, product_id: 12 }), NO_ID],
  ["status true as a text", answered({ status: "true", product_id: "p1" }), NO_ID],
  ["status 1", answered({ status: 1, product_id: "p1" }), NO_ID],
  ["an id without a status", answered({ product_id: "p1" }), NO_ID],
  ["status false", answered({ status: false }), "rejected (answer-status-false)"],
  [
    "status false with an id",
    answered({ status: false, product_id: "p1" }),
    "rejected (answer-status-false)",
  ],
  ["status false as a text", answered({ status: "false" }), NO_ID],
  ["an empty object", answered({}), NO_ID],
  ["an empty list", answered([]), NO_ID],
  ["null", answered(null), NO_ID],
  ["nothing", answered(undefined), NO_ID],
  ["a page of HTML", answered("<html></html>"), NO_ID],
  ["true", answered(true), NO_ID],
  [
    "an answer in a prototype key",
    answered(JSON.parse('{"__proto__":{"status":true,"product_id":"p1"}}')),
    NO_ID,
  ],
];

const UPDATE_ANSWERS: readonly Case[] = [
  ["status true", answered({ status: true }), "done (answer)"],
  ["an answer without a status", answered({}), "done (answer)"],
  ["null", answered(null), "done (answer)"],
  ["a text", answered("ok"), "done (answer)"],
  ["status false", answered({ status: false }), "rejected (answer-status-false)"],
];

describe("classifyAdd", () => {
  for (const [name, answer, expected] of [...ADD_ANSWERS, ...LOST, ...REFUSED_BY_PHASE]) {
    it(`makes a row ${expected} after ${name}`, () => {
      expect(inWords(classifyAdd(answer))).toBe(expected);
    });
  }

  it("keeps the marketplace's message", () => {
    const verdict = classifyAdd(answered({ status: false, message: "The title is too short." }));

    expect(verdict.note).toBe("The title is too short.");
  });

  it("ignores empty messages and messages that are no text", () => {
    const notes = ["", null, { tr: "hayır" }].map(
      (message) => classifyAdd(answered({ status: false, message })).note,
    );

    expect(notes).toEqual([undefined, undefined, undefined]);
  });
});

describe("classifyUpdate", () => {
  for (const [name, answer, expected] of [...UPDATE_ANSWERS, ...LOST, ...REFUSED_BY_PHASE]) {
    it(`makes a row ${expected} after ${name}`, () => {
      expect(inWords(classifyUpdate(answer))).toBe(expected);
    });
  }

  it("keeps the marketplace's message", () => {
    const verdict = classifyUpdate(answered({ status: false, message: "No such product." }));

    expect(verdict.note).toBe("No such product.");
  });
});
