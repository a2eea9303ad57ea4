/** The comments on the store's products: 2,000, the same ones for the same start. */

import { type CommentId, commentId, type Satisfaction } from "@catalog/contract";

import { createHashedId, pickFrom, pickNumber } from "../catalog/hashed-id.ts";
import { createName, maskName } from "../history/customers.ts";
import type { SandboxProduct } from "../products/product-state.ts";
import { ENDINGS, ODD_MESSAGES, OPENINGS } from "./comment-texts.ts";

/** Where a comment was written. */
export type CommentSource = "product_details" | "order";

export interface SandboxComment {
  readonly id: CommentId;
  readonly product: SandboxProduct;
  readonly name: string;
  readonly rate: number;
  readonly satisfaction: Satisfaction;
  readonly message: string;
  readonly source: CommentSource;
  readonly createdAtMs: number;
}

export interface SeedCommentsOptions {
  readonly products: readonly SandboxProduct[];
  readonly nowMs: number;
}

export const COMMENT_COUNT = 2000;

const STEP_MS = 5 * 60 * 60 * 1000;
/** One comment in this many has an odd text. */
const ODD_EVERY = 9;

/** Creates the comments, oldest first. */
export function createSeedComments(options: SeedCommentsOptions): readonly SandboxComment[] {
  return Array.from({ length: COMMENT_COUNT }, (_, index) => createComment(options, index));
}

function createComment({ products, nowMs }: SeedCommentsOptions, index: number): SandboxComment {
  const name = `${index + 1}`;
  const rate = pickFrom([5, 5, 5, 4, 4, 3, 2, 1, 1], "rate", name);
  const satisfaction = satisfactionOf(rate);
  return {
    id: commentId.parse(createHashedId("comment", name)),
    product: pickProduct(products, name),
    name: maskName(createName("comment", name)),
    rate,
    satisfaction,
    message: createMessage(index, satisfaction),
    source: pickNumber(3, "place", name) === 0 ? "order" : "product_details",
    createdAtMs: nowMs - (COMMENT_COUNT - index) * STEP_MS + pickNumber(STEP_MS, "time", name),
  };
}

function satisfactionOf(rate: number): Satisfaction {
  if (rate > 3) return "happy";
  return rate === 3 ? "neutral" : "unhappy";
}

/** Picks a product so that few products have many comments, and many have few. */
function pickProduct(products: readonly SandboxProduct[], name: string): SandboxProduct {
  const reach = 1 + pickNumber(products.length, "reach", name);
  return pickFrom(products.slice(0, reach), "product of comment", name);
}

function createMessage(index: number, satisfaction: Satisfaction): string {
  const odd =
    index % ODD_EVERY === 0 ? ODD_MESSAGES[(index / ODD_EVERY) % ODD_MESSAGES.length] : "";
  if (odd) return odd;
  const name = `${index + 1}`;
  return pickFrom(OPENINGS[satisfaction], "opening", name) + pickFrom(ENDINGS, "ending", name);
}
