import { listSwitches, parsePersonality } from "@catalog/sandbox";

import { openWatched } from "../helpers/watched-sandbox.ts";
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

for (const { name, values } of listSwitches()) {
  for (const value of values) {
    const text = `${name}=${value}`;
    const open = () => openWatched({ products: 60, personality: parsePersonality([text]) });
    testClient(`a sandbox with ${text}`, open, HABITS[text]);
  }
}
