/** The questions of the one store, and the answers that it gives. */

import { type Clock } from "@catalog/clock";
import { type Question, type QuestionQuery, type QuestionReply } from "@catalog/contract";

import { containsName } from "../catalog/name-search.ts";
import { inOrder, isWithin, toIso } from "../history/moments.ts";
import { once } from "../once.ts";
import { createMissingRefusal, Refusal } from "../refusal.ts";
import { type SandboxQuestion } from "./filled-questions.ts";

export interface QuestionDesk {
  /** Oldest first. */
  questions(): readonly SandboxQuestion[];
  /** Throws a refusal for an unknown question, or one that has its answer. */
  reply(reply: QuestionReply): void;
  reset(): void;
}

export interface QuestionDeskOptions {
  readonly clock: Clock;
  /** Called once, when somebody first asks. */
  readonly fill: () => readonly SandboxQuestion[];
}

export function createQuestionDesk({ clock, fill }: QuestionDeskOptions): QuestionDesk {
  const filled = once(fill);
  let current: readonly SandboxQuestion[] | undefined;
  const questions = (): readonly SandboxQuestion[] => current ?? filled();

  return {
    questions,
    reply({ product_question_id: wanted, title, message }) {
      const question = questions().find(({ id }) => id === wanted);
      if (question === undefined) throw createMissingRefusal({ en: "Question", tr: "Soru" });
      if (question.answer !== undefined) throw createAnsweredRefusal();
      const answered = { ...question, answer: { title, message, createdAtMs: clock.now() } };
      current = questions().map((one) => (one === question ? answered : one));
    },
    reset() {
      current = undefined;
    },
  };
}

function createAnsweredRefusal(): Refusal {
  return new Refusal({
    httpStatus: 409,
    message: { en: "The question has been answered", tr: "Soru daha önce yanıtlandı" },
  });
}

/**
 * The questions that the query asks for, in its order; paging is not applied. Both switches of a
 * pair ask for both, as none does.
 */
export function selectQuestions(
  questions: readonly SandboxQuestion[],
  query: QuestionQuery,
): readonly SandboxQuestion[] {
  const { answered, unanswered, title = "" } = query;
  const { questions_for_product: forProduct, questions_for_store: forStore } = query;
  const found = questions.filter(
    (question) =>
      isWithin(question.createdAtMs, query) &&
      containsName(question.title, title) &&
      isChosen(question.answer !== undefined, [answered, unanswered]) &&
      isChosen(question.product !== undefined, [forProduct, forStore]),
  );
  return inOrder(found, query.sort_by_date);
}

/** Of a pair of switches, the first asks for what is so, the second for what is not. */
function isChosen(
  isSo: boolean,
  [so, notSo]: readonly [so: 1 | undefined, notSo: 1 | undefined],
): boolean {
  if (so === notSo) return true;
  return isSo === (so === 1);
}

/** An element of the question listing; one about the store has no product. */
export function toQuestion(question: SandboxQuestion): Question {
  const { id, product, answer, createdAtMs } = question;
  return {
    id,
    ...(product && {
      product: { id: product.id, title: product.title, product_code: product.product_code },
    }),
    full_name: question.name,
    title: question.title,
    message: question.message,
    subject: question.subject,
    answer:
      answer === undefined
        ? null
        : { title: answer.title, message: answer.message, created_at: toIso(answer.createdAtMs) },
    question_for: product === undefined ? "store" : "product",
    created_at: toIso(createdAtMs),
    updated_at: toIso(answer?.createdAtMs ?? createdAtMs),
  };
}
