import { createNameIndexes, type CategoryNode } from "@catalog/mapping";
import { createFakeNames } from "@catalog/mapping/testing";
import { createSandboxCatalog } from "@catalog/sandbox";
import { describe, expect, it } from "vitest";

import { ASKED, type Mutation, READABLE } from "../../helpers/category-mutations.ts";

const { categories } = createSandboxCatalog();
const index = await createNameIndexes(createFakeNames({ categories })).categories();
const leaves = index.items.filter(({ children }) => children.length === 0);

const SAMPLES = 30;

/** The same numbers in every run. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

type Outcome = "right" | "among three" | "others" | "wrong";

function judge(text: string, rights: readonly CategoryNode[]): Outcome {
  const found = index.resolve(text);
  if (found.kind === "found") {
    // A name of several words may begin with the whole name of another category.
    const isNamed = found.item.category.name === text;
    return rights.includes(found.item) || isNamed ? "right" : "wrong";
  }
  if (found.kind === "not-leaf") return "others";
  const shown = found.kind === "unknown" ? found.suggestions : found.candidates;
  return shown.slice(0, 3).some((node) => rights.includes(node)) ? "among three" : "others";
}

function measure(mutations: Readonly<Record<string, Mutation>>): Readonly<Record<Outcome, number>> {
  const random = createRandom();
  const counts = { right: 0, "among three": 0, others: 0, wrong: 0 };
  const pick = (): CategoryNode => {
    const node = leaves[Math.floor(random() * leaves.length)];
    if (node === undefined) throw new Error("there is no category");
    return node;
  };
  for (const mutate of Object.values(mutations)) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const [node, other] = [pick(), pick()];
      const text = mutate(node.parts, other.parts, random);
      counts[judge(text, text.includes(", ") ? [node, other] : [node])] += 1;
    }
  }
  return counts;
}

describe("the path of a category", () => {
  it.each(Object.entries(READABLE))("is read without a question: %s", (_, mutation) => {
    expect(measure({ mutation })).toEqual({
      right: SAMPLES,
      "among three": 0,
      others: 0,
      wrong: 0,
    });
  });
});

describe("a text that only resembles a path", () => {
  it("is never read as another category, and nearly always has the right one among three", () => {
    const { wrong, others } = measure(ASKED);
    const total = Object.keys(ASKED).length * SAMPLES;

    expect(wrong).toBe(0);
    // 10 of 600 with the 807 categories of the sandbox.
    expect(others / total).toBeLessThan(0.03);
  });
});
