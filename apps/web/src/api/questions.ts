/** Questions of buyers: what the store shows, answers that are being written, saved replies. */

import { z } from "zod";

/** A question as the store has shown it last. */
export interface QuestionView {
  /** Names the question in orders. */
  readonly number: number;
  readonly id: string;
  readonly at: string | null;
  readonly product: {
    readonly title: string | null;
    readonly code: string | null;
    /** Its number in the list of products; `null` where it is not in there. */
    readonly number: number | null;
    readonly link: string | null;
  } | null;
  readonly isOfProduct: boolean;
  /** With initials only. */
  readonly name: string;
  /** What `{ad}` stands for; `null` where the marketplace masks the name. */
  readonly firstName: string | null;
  readonly title: string;
  readonly subject: string;
  readonly message: string;
  readonly answer: string | null;
  /** `answered`: with an answer; `sent`: we have answered it since it was read; `open`: in a run. */
  readonly state: "unanswered" | "answered" | "sent" | "open";
}

export const QUESTION_SHOWS = ["unanswered", "answered"] as const;
export type QuestionShow = (typeof QUESTION_SHOWS)[number];

/** Which questions a view shows; all parts hold together. */
export interface QuestionFilter {
  readonly show: QuestionShow;
  /** @default both */
  readonly about?: "product" | "store" | undefined;
  /** Part of its texts or its product; letters fold as in Turkish. */
  readonly text?: string | undefined;
  /** Only those for which an answer is written. @default all */
  readonly written?: boolean | undefined;
  /** @default false */
  readonly oldest?: boolean | undefined;
}

const text = z.string().max(1_000).optional();
const yes = z
  .literal("1")
  .optional()
  .transform((value) => value !== undefined);

export const questionOrderQuery: z.ZodType<QuestionFilter> = z.object({
  show: z.enum(QUESTION_SHOWS).default("unanswered"),
  about: z.enum(["product", "store"]).optional(),
  text,
  written: yes,
  oldest: yes,
});

/** What is known of the questions as a whole. */
export interface QuestionsView {
  /** Grows whenever the list shows something else, so that its order and rows are read again. */
  readonly version: number;
  readonly unanswered: number;
  readonly answered: number;
  /** When each listing was read last; `null` where it was not since the program was started. */
  readonly readAt: Readonly<Record<QuestionShow, string | null>>;
  readonly reading: { readonly done: number; readonly total: number | null } | null;
  /** Why the last reading failed, as a sentence; `null` where it did not. */
  readonly problem: string | null;
  /** Whether the store has older answered questions, which were not read. */
  readonly hasOlder: boolean;
}

export interface QuestionReadBody {
  readonly show: QuestionShow;
}

export const questionReadBody: z.ZodType<QuestionReadBody> = z.object({
  show: z.enum(QUESTION_SHOWS),
});

/** Longest answer; the engine refuses a longer one, too. */
const MAX_ANSWER = 10_000;
/** At most this many answers are saved or planned with one request. */
const MAX_ANSWERS = 5_000;

/** An answer that is being written. */
export interface WrittenAnswer {
  readonly id: string;
  /** Empty where there is none any more. */
  readonly text: string;
}

/** An answer that is kept, and whether its question still waits for one. */
export interface WrittenAnswerView extends WrittenAnswer {
  readonly isWaiting: boolean;
}

const written: z.ZodType<WrittenAnswer> = z.object({
  id: z.string().min(1).max(100),
  text: z.string().max(MAX_ANSWER),
});

/** Saves some answers, and leaves the others; or plans exactly these. */
export interface AnswersBody {
  readonly answers: readonly WrittenAnswer[];
}

export const answersBody: z.ZodType<AnswersBody> = z.object({
  answers: z.array(written).min(1).max(MAX_ANSWERS),
});

/** A text that is used again and again; `{ad}` and `{urun}` stand for the buyer and the product. */
export interface SavedReply {
  readonly name: string;
  readonly text: string;
}

/** Saved replies in their order; the same in every browser. */
export interface RepliesBody {
  readonly replies: readonly SavedReply[];
}

export const repliesBody: z.ZodType<RepliesBody> = z.object({
  replies: z
    .array(
      z.object({
        name: z.string().trim().min(1).max(80),
        text: z.string().trim().min(1).max(MAX_ANSWER),
      }),
    )
    .max(100),
});
