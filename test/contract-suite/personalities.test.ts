import { parsePersonality } from "@catalog/sandbox";

import { openWatched } from "../helpers/watched-sandbox.ts";
import { CROWDS } from "../personalities/unavoidable.ts";
import { type Habits, testClient } from "./client-suite.ts";

const v = "v1.0";

/** Where the client must be told something. */
const HABITS: Readonly<Record<string, Habits>> = {
  "versions=v1.0": {
    versions: {
      order: v,
      product: v,
      comment: v,
      category: v,
      brand: v,
      shipping: v,
      payment: v,
      city: v,
    },
  },
};

// Few stores in which every value of every switch occurs: one for each value would take a minute.
for (const [index, crowd] of CROWDS.entries()) {
  const habits = crowd.map((text) => HABITS[text]).find((found) => found !== undefined);
  const open = () => openWatched({ products: 60, personality: parsePersonality(crowd) });
  testClient(`crowded store ${index + 1}, which differs in every switch`, open, habits);
}
