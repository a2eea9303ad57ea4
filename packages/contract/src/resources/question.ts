import * as z from "zod";

import { type Endpoint, type PagedEndpoint, type PageQuery, pageOf } from "../endpoint.ts";
import { type QuestionId, questionId } from "../ids.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type SortOrder } from "../limits.ts";
import {
  limit,
  type Moment,
  moment,
  page,
  sortOrder,
  switchedOn,
  timestamp,
} from "../query-fields.ts";

/** Section Resources, Question. The fields of `product` and of `answer` are not shown. */
export interface Question {
  readonly id: QuestionId;
  /** Absent where the question is not about a product. */
  readonly product?: unknown;
  readonly full_name?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly subject?: string | null | undefined;
  /** `null` while the question is unanswered. */
  readonly answer?: unknown;
  readonly question_for?: string | null | undefined;
  readonly created_at?: Moment | null | undefined;
  readonly updated_at?: Moment | null | undefined;
}

/** Filters of the question listing. A switch has one value, 1; leaving it out is the other. */
export interface QuestionQuery extends PageQuery {
  /** Questions after, in seconds since 1970. */
  readonly start_date?: number | undefined;
  /** Questions before, in seconds since 1970. */
  readonly end_date?: number | undefined;
  /** @default "descending" */
  readonly sort_by_date?: SortOrder | undefined;
  readonly answered?: 1 | undefined;
  readonly unanswered?: 1 | undefined;
  readonly title?: string | undefined;
  readonly questions_for_product?: 1 | undefined;
  readonly questions_for_store?: 1 | undefined;
}

/** Body of the reply call (section Questions). */
export interface QuestionReply {
  readonly product_question_id: QuestionId;
  readonly title?: string | undefined;
  readonly message: string;
}

/** Section Questions, reply: the answer. */
export interface QuestionReplyResult {
  readonly success: boolean;
}

/** The question calls. */
export interface QuestionEndpoints {
  /** Section Questions: GET /v1.0/question/store/:storeId. */
  readonly list: PagedEndpoint<QuestionQuery, Question>;
  /**
   * Section Questions: POST /v1.0/question/reply/store/:storeId. The customer reads the reply, and
   * no call takes it back.
   */
  readonly reply: Endpoint<QuestionReply, QuestionReplyResult>;
}

export const questionEndpoints: QuestionEndpoints = {
  list: {
    method: "GET",
    path: "/question/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "read",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE },
    section: "Questions",
    summary: "List the questions that customers asked the store.",
    input: z.object({
      limit,
      page,
      start_date: timestamp,
      end_date: timestamp,
      sort_by_date: sortOrder,
      answered: switchedOn,
      unanswered: switchedOn,
      title: z.string().optional(),
      questions_for_product: switchedOn,
      questions_for_store: switchedOn,
    }),
    data: pageOf(
      z.looseObject({
        id: questionId,
        product: z.unknown().optional(),
        full_name: z.string().nullish(),
        title: z.string().nullish(),
        message: z.string().nullish(),
        subject: z.string().nullish(),
        answer: z.unknown().optional(),
        question_for: z.string().nullish(),
        created_at: moment.nullish(),
        updated_at: moment.nullish(),
      }),
    ),
  },
  reply: {
    method: "POST",
    path: "/question/reply/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "create",
    paging: undefined,
    section: "Questions",
    summary: "Answer a customer's question.",
    input: z.object({
      product_question_id: questionId,
      title: z.string().optional(),
      message: z.string().min(1),
    }),
    data: z.looseObject({ success: z.boolean() }),
  },
};
