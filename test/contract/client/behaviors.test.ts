import { parseBehavior } from "@catalog/sandbox";

import { openWatched } from "../../helpers/markets/watched-sandbox.ts";
import { CROWDS } from "../behavior/unavoidable.ts";
import { type Habits, testClient } from "./client-suite.ts";

const v = "v1.0";

/** Settings that the client needs for a behavior. */
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

/** Behaviors that change answers or listings, through no fault of the client. */
const OTHER_ANSWERS: ReadonlySet<string> = new Set([
  "ids-filter=ignored",
  "ids-filter=useless",
  ...["nonsense", "403", "404", "429"].map((found) => `product-search=${found}`),
  // Not even the one key that every answer has (section What the service does).
  "reject-return-answer=no-data",
  ...["numbers", "words"].map((other) => `status-codes=other-${other}`),
  ...["two-listings", "ten-seconds", "ten-minutes"].map((late) => `change-shown=${late}`),
  ...["a-tenth", "all"].map((share) => `other-person=${share}`),
]);

// A few stores in which every value of every setting occurs; one for each value would take a minute.
for (const [index, crowd] of CROWDS.entries()) {
  const habits = crowd.map((text) => HABITS[text]).find((found) => found !== undefined);
  const personality = parseBehavior(crowd.filter((text) => !OTHER_ANSWERS.has(text)));
  const open = () => openWatched({ products: 60, personality });
  testClient(`crowded store ${index + 1}, which differs in every setting`, open, habits);
}
