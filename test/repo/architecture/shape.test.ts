import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { readShape, type Shape } from "../../shape.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What may not be exceeded. Lower a figure when it has fallen; raise one only with a reason beside it. */
const limits: Shape & { readonly reasons: readonly string[] } = JSON.parse(
  readFileSync(new URL("shape.json", import.meta.url), "utf8"),
);

/** Figures as paths, such as `crossing.runs`. */
const flatten = ({ crossing, ...figures }: Shape): ReadonlyMap<string, number> =>
  new Map([
    ...Object.entries(figures),
    ...Object.entries(crossing).map(([name, count]) => [`crossing.${name}`, count] as const),
  ]);

describe("the shape of the sources", () => {
  const { reasons: _reasons, ...figures } = limits;

  it.each([...flatten(readShape(root))])("has at most the recorded %s (%s)", (name, value) => {
    expect(value).toBeLessThanOrEqual(flatten(figures).get(name) ?? 0);
  });
});
