import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import type { Answer } from "../../src/ports/marketplace.ts";
import {
  createRefusalTrust,
  isTrusted,
  type RefusalSignature,
  toRefusalSignature,
} from "../../src/reconcile/refusal-trust.ts";
import { addBody } from "../../src/testing/rows.ts";

const BODY = addBody("CUP-1");
const JSON_TYPE = "application/json; charset=utf-8";

function refused(
  status: number,
  message: string,
  more: { type?: string; body?: string } = {},
): Answer {
  const facts = { contentType: more.type ?? JSON_TYPE, excerpt: more.body };
  return { kind: "refused", status, phase: "body", message, facts };
}

const output = (message: string): Answer => ({
  kind: "answered",
  data: { status: false, message },
  phase: "body",
});

const keyOf = (answer: Answer): string | undefined => toRefusalSignature(answer, BODY)?.key;

describe("toRefusalSignature", () => {
  const SAME: readonly (readonly [string, Answer, Answer])[] = [
    ["numbers", refused(422, "Row 12 is bad"), refused(422, "Row 7 is bad")],
    ["ids", refused(404, "no brand 64f0a1b2c3"), refused(404, "no brand 64f0ffffff")],
    ["quotations", refused(422, 'title "A" is bad'), refused(422, 'title "B c" is bad')],
    [
      "the row's own title",
      refused(422, "Cup CUP-1: too short"),
      refused(422, "Cup CUP-1: too short"),
    ],
    [
      "values in the body",
      refused(422, "bad", { body: '{"data":{"message":"x","id":1}}' }),
      refused(422, "bad", { body: '{"data":{"message":"y","id":2}}' }),
    ],
    [
      "the case of the content type",
      refused(422, "bad"),
      refused(422, "bad", { type: "Application/JSON" }),
    ],
    [
      "numbers in the message of a well-formed answer",
      output("price 12 too low"),
      output("price 9 too low"),
    ],
  ];
  it.each(SAME)("gives refusals that differ in %s the same key", (_name, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  const OTHER: readonly (readonly [string, Answer, Answer])[] = [
    ["status", refused(400, "bad"), refused(422, "bad")],
    ["message", refused(422, "The title is bad"), refused(422, "The price is bad")],
    ["content type", refused(422, "bad"), refused(422, "bad", { type: "text/html" })],
    [
      "shape",
      refused(422, "bad", { body: '{"data":{}}' }),
      refused(422, "bad", { body: '{"error":{}}' }),
    ],
  ];
  it.each(OTHER)("gives refusals another key when they differ in %s", (_name, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it("leaves the row's own code and title out of the key", () => {
    expect(keyOf(refused(422, "CUP-1 is bad"))).toBe(
      toRefusalSignature(refused(422, "MUG is bad"), { ...BODY, product_code: "MUG" })?.key,
    );
  });

  it("returns no signature for a lost answer", () => {
    expect(
      toRefusalSignature({ kind: "lost", phase: "body", message: "gone" }, BODY),
    ).toBeUndefined();
  });

  for (const [name, answer, isJson] of [
    ["JSON", refused(422, "x", { body: '{"a":1}' }), true],
    ["a long body that was cut", refused(422, "x", { body: `{"a":"${"x".repeat(500)}` }), true],
    ["HTML", refused(422, "x", { type: "text/html", body: "<html>" }), false],
    ["HTML that says it is JSON", refused(422, "x", { body: "<html>" }), false],
    [
      "an answer without a type",
      { kind: "refused", status: 422, phase: "body", message: "x" },
      false,
    ],
  ] as const satisfies readonly (readonly [string, Answer, boolean])[]) {
    it(`calls ${name} ${isJson ? "" : "not "}well-formed`, () => {
      expect(toRefusalSignature(answer, BODY)?.isJson).toBe(isJson);
    });
  }
});

describe("isTrusted", () => {
  const DAY = 24 * 3_600_000;
  const NOW = 100 * DAY;
  const CASES: readonly (readonly [
    name: string,
    status: number,
    found: readonly [applied: number, notApplied: number, daysAgo: number],
    expected: boolean,
  ])[] = [
    ["a 422 that was never looked up", 422, [0, 0, 0], false],
    ["a 422 that left no product once", 422, [0, 1, 0], true],
    ["a 422 that left no product 29 days ago", 422, [0, 1, 29], true],
    ["a 422 that left no product 31 days ago", 422, [0, 9, 31], false],
    ["a 422 that left a product once", 422, [1, 999, 0], false],
    ["a well-formed answer with status false that was looked up once", 200, [0, 1, 0], true],
    ["a 409 that left no product twice", 409, [0, 2, 0], false],
    ["a 409 that left no product three times", 409, [0, 3, 0], true],
    ["a 500 that left no product 99 times", 500, [0, 99, 0], false],
    ["a 503 that left no product 99 times", 503, [0, 99, 0], false],
    ["evidence from a clock that was put back by a year", 422, [0, 1, -365], false],
  ];
  for (const [name, status, [applied, notApplied, daysAgo], expected] of CASES) {
    it(`${expected ? "trusts" : "does not trust"} ${name}`, () => {
      const evidence = { applied, notApplied, lastSeenMs: NOW - daysAgo * DAY };

      expect(isTrusted({ key: "k", status, isJson: true }, evidence, NOW)).toBe(expected);
    });
  }

  it.each([400, 401, 403, 404, 405, 413, 415, 422, 429])(
    "trusts a %s after one lookup, and never without a JSON body",
    (status) => {
      const evidence = { applied: 0, notApplied: 1, lastSeenMs: NOW };

      expect(isTrusted({ key: "k", status, isJson: true }, evidence, NOW)).toBe(true);
      expect(
        isTrusted({ key: "k", status, isJson: false }, { ...evidence, notApplied: 99 }, NOW),
      ).toBe(false);
    },
  );
});

const KIND: RefusalSignature = { key: "422", status: 422, isJson: true };

/** Returns for each of several rejections in a row whether it is trusted. */
async function meet(
  times: number,
  found: readonly ("applied" | "not-applied")[],
  kind = KIND,
): Promise<readonly boolean[]> {
  const count = (finding: string): number => found.filter((each) => each === finding).length;
  const evidence = {
    applied: count("applied"),
    notApplied: count("not-applied"),
    lastSeenMs: 0,
  };
  const journal = { readSignature: async () => evidence };
  const trust = createRefusalTrust({ journal, clock: createFakeClock() });
  const believed: boolean[] = [];
  for (let n = 0; n < times; n += 1) believed.push(await trust.trusts(kind));
  return believed;
}

const looked = (believed: readonly boolean[]): readonly number[] =>
  [...believed.keys()].filter((at) => believed[at] === false);

describe("a rejection of a known kind", () => {
  it("looks a known kind up at every start, and then once in twenty times", async () => {
    expect(looked(await meet(45, ["not-applied"]))).toEqual([0, 20, 40]);
  });

  it("trusts a kind after three lookups that prove nothing", async () => {
    expect(looked(await meet(22, []))).toEqual([0, 1, 2, 20]);
  });

  it("never trusts a kind again once such a refusal has left a product", async () => {
    expect(await meet(30, ["not-applied", "not-applied", "applied"])).not.toContain(true);
  });

  it("never trusts a refusal without JSON or with a status of an outage", async () => {
    const found = Array.from({ length: 9 }, () => "not-applied" as const);

    expect(await meet(9, found, { ...KIND, isJson: false })).not.toContain(true);
    expect(await meet(9, found, { ...KIND, status: 500 })).not.toContain(true);
  });
});
