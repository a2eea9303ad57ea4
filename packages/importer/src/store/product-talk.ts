/**
 * What buyers say about one product: its comments, and its questions among the newest of the store, as
 * the API has no filter for the questions of a product.
 */

import type { Connection } from "@catalog/connection";
import type { Comment, ProductId, Question } from "@catalog/contract";
import { z } from "zod";

/** What was read; a part that could not be read does not hide the other. */
export interface ProductTalk {
  /** `undefined` where they could not be read. */
  readonly comments: ProductComments | undefined;
  /**
   * `undefined` where they could not be read, or do not say which products they are about.
   */
  readonly questions: ProductQuestions | undefined;
}

/** Reads what buyers say of a product, with two calls side by side. */
export async function readProductTalk(
  connection: Pick<Connection, "client">,
  productId: ProductId,
): Promise<ProductTalk> {
  const [comments, questions] = await Promise.allSettled([
    readComments(connection, productId),
    readQuestions(connection, productId),
  ]);
  return {
    comments: comments.status === "fulfilled" ? comments.value : undefined,
    questions: questions.status === "fulfilled" ? questions.value : undefined,
  };
}

/** Comments of one product, the newest first. */
interface ProductComments {
  readonly total: number;
  readonly last: readonly Comment[];
}

/** Questions about one product among the newest ones of the store. */
interface ProductQuestions {
  /** Questions that were looked through. */
  readonly read: number;
  /** Whether these are all questions about products that the store has. */
  readonly isAll: boolean;
  /** The newest first. */
  readonly found: readonly (Question & { readonly isAnswered: boolean })[];
}

const LAST_COMMENTS = 5;
/** A page of the listing of questions (section Questions). */
const READ_QUESTIONS = 50;

async function readComments(
  { client }: Pick<Connection, "client">,
  productId: ProductId,
): Promise<ProductComments> {
  const query = { product_id: productId, limit: LAST_COMMENTS };
  const { total, result } = await client.comment.productComments(query);
  return { total, last: result };
}

async function readQuestions(
  { client }: Pick<Connection, "client">,
  productId: ProductId,
): Promise<ProductQuestions | undefined> {
  const query = { questions_for_product: 1, limit: READ_QUESTIONS } as const;
  const { total, result } = await client.question.list(query);
  const ids = result.map(({ product }) => about.safeParse(product).data?.id);
  if (result.length > 0 && ids.every((id) => id === undefined)) return undefined;
  const found = result
    .filter((_question, at) => ids[at] === productId)
    .map((question) => Object.assign({}, question, { isAnswered: hasAnswer(question) }));
  return { read: result.length, isAll: total <= result.length, found };
}

const about = z.object({ id: z.string() });

const hasAnswer = ({ answer }: Pick<Question, "answer">): boolean =>
  answer !== null && answer !== undefined;
