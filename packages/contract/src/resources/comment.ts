import * as z from "zod";

import {
  DEFAULT_PAGE_SIZE,
  type Endpoint,
  limit,
  limitWithoutMaximum,
  MAX_PAGE_SIZE,
  type Moment,
  moment,
  type Page,
  page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
  type Satisfaction,
  SATISFACTIONS,
  type SortOrder,
  sortOrder,
  switchedOn,
  timestamp,
} from "../endpoint.ts";
import { idSchemas, type Id, type ProductId } from "../ids.ts";

/** Section Resources, Comment. A comment of the store listing names no product. */
export interface Comment {
  readonly id: Id<"comment">;
  readonly status?: string | null | undefined;
  readonly full_name?: string | null | undefined;
  readonly satisfaction?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly rate?: number | null | undefined;
  readonly comment_type?: string | null | undefined;
  readonly created_at?: Moment | null | undefined;
}

/** Element of the listing of commented products (section Resources, Product). */
export interface CommentedProduct {
  readonly id: ProductId;
  readonly title?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly product_code?: string | null | undefined;
  readonly category_name?: string | null | undefined;
  readonly brand_name?: string | null | undefined;
  readonly comment_count?: number | null | undefined;
  readonly stock?: number | null | undefined;
  readonly sid?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly currency?: string | null | undefined;
  readonly paid_price?: string | null | undefined;
  readonly shipping_price?: string | null | undefined;
  readonly created_at?: Moment | null | undefined;
  readonly images?: readonly unknown[] | null | undefined;
}

/**
 * A page of a product's comments. Which of the product shapes `product` has is not stated, so only
 * what they share is named.
 */
interface ProductCommentPage extends Page<Comment> {
  readonly product?: CommentSubject | null | undefined;
}

/** The product that comments are about. */
interface CommentSubject {
  readonly id?: ProductId | null | undefined;
  readonly title?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly product_code?: string | null | undefined;
}

/** Filters of the listing of commented products. */
interface CommentedProductQuery extends PageQuery {
  readonly comment_count?: number | undefined;
  readonly max_comment_count?: number | undefined;
  readonly min_comment_count?: number | undefined;
  /** @default "descending" */
  readonly sort_by_comment_count?: SortOrder | undefined;
}

/** Filters of the store's comments. Times are in seconds since 1970. */
interface StoreCommentQuery extends PageQuery {
  readonly date_created?: number | undefined;
  /** Comments after. */
  readonly start_date?: number | undefined;
  /** Comments up to. */
  readonly end_date?: number | undefined;
  /** @default "descending" */
  readonly sort_by_date?: SortOrder | undefined;
  readonly satisfaction?: Satisfaction | undefined;
  readonly rate?: number | undefined;
  readonly max_rate?: number | undefined;
  readonly min_rate?: number | undefined;
}

/** Filters of one product's comments. A switch has one value, 1; leaving it out is the other. */
interface ProductCommentQuery extends StoreCommentQuery {
  readonly product_id: ProductId;
  readonly commented_at_product_details?: 1 | undefined;
  readonly commented_at_order?: 1 | undefined;
}

/** The comment calls. */
export interface CommentEndpoints {
  /** Section Comments: GET /v1.1/comment/commented-products/store/:storeId. */
  readonly commentedProducts: PagedEndpoint<CommentedProductQuery, CommentedProduct>;
  /**
   * Section Comments: GET /v1.1/comment/product-comments/store/:storeId. The only listing that
   * states no maximum of `limit`.
   */
  readonly productComments: PagedEndpoint<ProductCommentQuery, Comment, ProductCommentPage>;
  /** Section Comments: GET /v1.1/comment/store-comments/store/:storeId. */
  readonly storeComments: PagedEndpoint<StoreCommentQuery, Comment>;
}

const comment: z.ZodType<Comment> = z.looseObject({
  id: idSchemas.comment,
  status: z.string().nullish(),
  full_name: z.string().nullish(),
  satisfaction: z.string().nullish(),
  message: z.string().nullish(),
  rate: z.number().nullish(),
  comment_type: z.string().nullish(),
  created_at: moment.nullish(),
});

const commentedProduct: z.ZodType<CommentedProduct> = z.looseObject({
  id: idSchemas.product,
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  product_code: z.string().nullish(),
  category_name: z.string().nullish(),
  brand_name: z.string().nullish(),
  comment_count: z.number().nullish(),
  stock: z.number().nullish(),
  sid: z.number().nullish(),
  description: z.string().nullish(),
  currency: z.string().nullish(),
  paid_price: z.string().nullish(),
  shipping_price: z.string().nullish(),
  created_at: moment.nullish(),
  images: z.array(z.unknown()).nullish(),
});

const subject: z.ZodType<CommentSubject> = z.looseObject({
  id: idSchemas.product.nullish(),
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  product_code: z.string().nullish(),
});

const whole = z.int().optional();

const commentFilters = {
  page,
  date_created: timestamp,
  start_date: timestamp,
  end_date: timestamp,
  sort_by_date: sortOrder,
  satisfaction: z.enum(SATISFACTIONS).optional(),
  rate: whole,
  max_rate: whole,
  min_rate: whole,
};

const common = {
  method: "GET",
  versions: ["v1.1", "v1.0"],
  permission: "store",
  effect: "read",
  section: "Comments",
} as const;

const paging = { defaultSize: DEFAULT_PAGE_SIZE, maxSize: MAX_PAGE_SIZE };

export const commentEndpoints: CommentEndpoints = {
  commentedProducts: {
    ...common,
    path: "/comment/commented-products/store/:storeId",
    paging,
    summary: "List the products that have comments, with how many.",
    input: z.object({
      limit,
      page,
      comment_count: whole,
      max_comment_count: whole,
      min_comment_count: whole,
      sort_by_comment_count: sortOrder,
    }),
    data: pageOf(commentedProduct),
  },
  productComments: {
    ...common,
    path: "/comment/product-comments/store/:storeId",
    paging: { defaultSize: DEFAULT_PAGE_SIZE, maxSize: undefined },
    summary: "List the comments on one product.",
    input: z.object({
      product_id: idSchemas.product,
      limit: limitWithoutMaximum,
      ...commentFilters,
      commented_at_product_details: switchedOn,
      commented_at_order: switchedOn,
    }),
    data: z.looseObject({
      total: z.int().nonnegative(),
      result: z.array(comment),
      product: subject.nullish(),
    }),
  },
  storeComments: {
    ...common,
    path: "/comment/store-comments/store/:storeId",
    paging,
    summary: "List the comments on the whole store.",
    input: z.object({ limit, ...commentFilters }),
    data: pageOf(comment),
  },
};

/** Section Resources, Question. The fields of `product` and of `answer` are not shown. */
export interface Question {
  readonly id: Id<"question">;
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
interface QuestionQuery extends PageQuery {
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
interface QuestionReply {
  readonly product_question_id: Id<"question">;
  readonly title?: string | undefined;
  readonly message: string;
}

/** Section Questions, reply: the answer. */
interface QuestionReplyResult {
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
        id: idSchemas.question,
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
      product_question_id: idSchemas.question,
      title: z.string().optional(),
      message: z.string().min(1),
    }),
    data: z.looseObject({ success: z.boolean() }),
  },
};
