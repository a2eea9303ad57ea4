/** Questions of buyers: those that the store has at first, their listing and their answers. */

import type { Clock } from "@catalog/clock";
import { type Question, type Id, idSchemas, type InputOf } from "@catalog/contract";

import { containsName, createHashedId, pickFrom, pickNumber } from "./catalog/names.ts";
import { createName, isWithinPeriod, sortByTime, toIso } from "./history.ts";
import { createMissingRefusal, Refusal } from "./http/refusal.ts";
import { lazy } from "./lazy.ts";
import type { SandboxProduct } from "./products/product-state.ts";

interface SandboxAnswer {
  readonly title?: string | undefined;
  readonly message: string;
  readonly createdAtMs: number;
}

interface SandboxQuestion {
  readonly id: Id<"question">;
  /** `undefined` for a question about the store. */
  readonly product: SandboxProduct | undefined;
  readonly name: string;
  readonly title: string;
  readonly message: string;
  readonly subject: string;
  readonly answer: SandboxAnswer | undefined;
  readonly createdAtMs: number;
}

interface SeedQuestionsOptions {
  readonly products: readonly SandboxProduct[];
  readonly nowMs: number;
}

const QUESTION_COUNT = 160;
const STEP_MS = 29 * 60 * 60 * 1000;
const MAX_ANSWER_MS = 20 * 60 * 60 * 1000;

type Topic = readonly [title: string, message: string, answer: string];

const PRODUCT_TOPICS: readonly Topic[] = [
  ["Renk", "Bu ürünün lacivert rengi de var mı?", "Evet, stoğumuzda lacivert de bulunuyor."],
  ["Beden", "1,75 boyundayım, hangi bedeni almalıyım?", "M beden size uygun olur."],
  ["Garanti", "Garanti belgesi kutudan çıkıyor mu?", "Evet, kaşeli olarak gönderiyoruz."],
  ["Stok", "Ürün ne zaman stoğa girecek?\nAcil lazım 🙏", "Önümüzdeki hafta girecek."],
  ["Orijinal mi", 'Ürün "orijinal" mi, yoksa muadil mi?', "Faturalı ve orijinaldir."],
  ["Ölçü", "=2*3 metrekareye yeter mi; ölçüsü kaç cm?", "Evet, 6 metrekareye yeter."],
];

const STORE_TOPICS: readonly Topic[] = [
  ["Kargo", "Aynı gün kargo var mı?", "Saat 14.00'e kadar verilen siparişler aynı gün çıkar."],
  [
    "Fatura",
    "Şirket adına fatura kesiyor musunuz?",
    "Evet, vergi bilgilerinizi iletmeniz yeterli.",
  ],
  ["Toplu alım", "50 adet için indirim olur mu?", "Toplu alımlarda %10 indirim yapıyoruz."],
  ["İade", "İade süresi kaç gün?", "Teslimattan sonra 14 gündür."],
];

/** Creates the questions, oldest first. */
export function createSeedQuestions(options: SeedQuestionsOptions): readonly SandboxQuestion[] {
  return Array.from({ length: QUESTION_COUNT }, (_, index) => createQuestion(options, index));
}

function createQuestion({ products, nowMs }: SeedQuestionsOptions, index: number): SandboxQuestion {
  const name = `${index + 1}`;
  const isForStore = pickNumber(4, "question for", name) === 0;
  const topics = isForStore ? STORE_TOPICS : PRODUCT_TOPICS;
  const [title, message, answer] = pickFrom(topics, "topic", name);
  const createdAtMs =
    nowMs - (QUESTION_COUNT - index) * STEP_MS + pickNumber(STEP_MS, "question time", name);
  const answeredAtMs = createdAtMs + pickNumber(MAX_ANSWER_MS, "answer time", name);
  const isAnswered = answeredAtMs < nowMs && pickNumber(5, "answered", name) > 1;
  return {
    id: idSchemas.question.parse(createHashedId("question", name)),
    product: isForStore ? undefined : pickFrom(products, "product of question", name),
    name: createName("question", name),
    title,
    message,
    subject: isForStore ? "Mağaza" : "Ürün",
    answer: isAnswered ? { title, message: answer, createdAtMs: answeredAtMs } : undefined,
    createdAtMs,
  };
}

export interface Questions {
  /** Oldest first. */
  questions(): readonly SandboxQuestion[];
  /** Throws a refusal for a question that is unknown or already answered. */
  reply(reply: InputOf<"question.reply">): void;
  /** Answers that were given after the start. */
  save(): readonly GivenAnswer[];
}

/** An answer, and the id of its question. */
export interface GivenAnswer extends SandboxAnswer {
  readonly question: string;
}

interface QuestionsOptions {
  readonly clock: Clock;
  /** Called once, on first use. */
  readonly fill: () => readonly SandboxQuestion[];
  /** Throws a `RangeError` for an answer without its question. @default none */
  readonly given?: readonly GivenAnswer[];
}

export function createQuestions({ clock, fill, given = [] }: QuestionsOptions): Questions {
  const filled = lazy(fill);
  const answers = new Map(given.map((answer) => [answer.question, answer]));
  let current: readonly SandboxQuestion[] | undefined;
  if (given.length > 0) current = replay(filled(), answers);
  const questions = (): readonly SandboxQuestion[] => current ?? filled();

  return {
    questions,
    reply({ product_question_id: wanted, title, message }) {
      const question = questions().find(({ id }) => id === wanted);
      if (question === undefined) throw createMissingRefusal({ en: "Question", tr: "Soru" });
      if (question.answer !== undefined) throw createAnsweredRefusal();
      const answer = { title, message, createdAtMs: clock.now() };
      const answered = { ...question, answer };
      current = questions().map((one) => (one === question ? answered : one));
      answers.set(question.id, { question: question.id, ...answer });
    },
    save: () => [...answers.values()],
  };
}

function replay(
  questions: readonly SandboxQuestion[],
  answers: ReadonlyMap<string, GivenAnswer>,
): readonly SandboxQuestion[] {
  const known = new Set<string>(questions.map(({ id }) => id));
  for (const id of answers.keys()) {
    if (!known.has(id)) throw new RangeError(`not a snapshot: there is no question ${id}`);
  }
  return questions.map((one) => {
    const given = answers.get(one.id);
    if (given === undefined) return one;
    const { title, message, createdAtMs } = given;
    return { ...one, answer: { title, message, createdAtMs } };
  });
}

function createAnsweredRefusal(): Refusal {
  return new Refusal({
    httpStatus: 409,
    message: { en: "The question has been answered", tr: "Soru daha önce yanıtlandı" },
  });
}

/**
 * The questions that match the query, in its order; paging is not applied. Both switches of a pair
 * select everything, as none does.
 */
export function selectQuestions(
  questions: readonly SandboxQuestion[],
  query: InputOf<"question.list">,
): readonly SandboxQuestion[] {
  const { answered, unanswered, title = "" } = query;
  const { questions_for_product: forProduct, questions_for_store: forStore } = query;
  const found = questions.filter(
    (question) =>
      isWithinPeriod(question.createdAtMs, query) &&
      containsName(question.title, title) &&
      isChosen(question.answer !== undefined, [answered, unanswered]) &&
      isChosen(question.product !== undefined, [forProduct, forStore]),
  );
  return sortByTime(found, query.sort_by_date);
}

/**
 * Whether a pair of switches selects an item: the first selects items with the property, the second
 * those without.
 */
function isChosen(
  isSo: boolean,
  [so, notSo]: readonly [so: 1 | undefined, notSo: 1 | undefined],
): boolean {
  if (so === notSo) return true;
  return isSo === (so === 1);
}

/** Makes an element of the question listing; a question about the store has no product. */
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
