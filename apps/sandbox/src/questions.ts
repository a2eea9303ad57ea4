/**
 * Questions of buyers: those that the store has at first, their listing, and the answers of the
 * store.
 */

import type { Clock } from "@catalog/clock";
import { type Id, idSchemas, type InputOf, type Question } from "@catalog/contract";

import type { Behavior } from "./behavior/behavior-settings.ts";
import { containsName, createHashedId, pickFrom, pickNumber } from "./catalog/names.ts";
import { ODD_MESSAGES } from "./comments.ts";
import type { Actor, EffectLog } from "./effects.ts";
import { createName, DAY_MS, isWithinPeriod, lazy, sortByTime, toIso } from "./history.ts";
import { createMissingRefusal, Refusal } from "./http/answers.ts";
import { createLateView } from "./late-view.ts";
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
  /** Oldest first; none for a question that is unanswered. */
  readonly answers: readonly SandboxAnswer[];
  readonly createdAtMs: number;
}

/** Questions of the start in a wanted number, some with texts that a spreadsheet misreads. */
export interface QuestionHistory {
  readonly count: number;
  /** Days from the oldest question to the start. @default 60 */
  readonly days?: number | undefined;
  /** Answered ones of a hundred, from 0 to 100. @default 40 */
  readonly answeredPercent?: number | undefined;
}

interface SeedQuestionsOptions {
  readonly products: readonly SandboxProduct[];
  readonly nowMs: number;
  /** @default 160 questions of 190 days, three in five answered */
  readonly history?: QuestionHistory | undefined;
}

const QUESTION_COUNT = 160;
const QUESTION_STEP_MS = 29 * 60 * 60 * 1000;
const ANSWERED_PERCENT = 60;
const MAX_ANSWER_MS = 20 * 60 * 60 * 1000;
const HISTORY_DAYS = 60;
const HISTORY_ANSWERED_PERCENT = 40;
/** One question in this many of a wanted history has an odd text. */
const ODD_EVERY = 7;

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
  const { count, days = HISTORY_DAYS } = options.history ?? { count: QUESTION_COUNT };
  const stepMs =
    options.history === undefined
      ? QUESTION_STEP_MS
      : Math.max(1, Math.floor((days * DAY_MS) / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) =>
    createQuestion(options, { index, startMs: options.nowMs - (count - index) * stepMs, stepMs }),
  );
}

interface QuestionPosition {
  readonly index: number;
  /** The question was asked within `stepMs` after this time. */
  readonly startMs: number;
  readonly stepMs: number;
}

function createQuestion(
  { products, nowMs, history }: SeedQuestionsOptions,
  { index, startMs, stepMs }: QuestionPosition,
): SandboxQuestion {
  const name = `${index + 1}`;
  const isForStore = pickNumber(4, "question for", name) === 0;
  const topics = isForStore ? STORE_TOPICS : PRODUCT_TOPICS;
  const [title, message, answer] = pickFrom(topics, "topic", name);
  const createdAtMs = startMs + pickNumber(stepMs, "question time", name);
  const answeredAtMs = createdAtMs + pickNumber(MAX_ANSWER_MS, "answer time", name);
  return {
    id: idSchemas.question.parse(createHashedId("question", name)),
    product: isForStore ? undefined : pickFrom(products, "product of question", name),
    name: createName("question", name),
    title,
    message: history === undefined ? message : (pickOddMessage(index) ?? message),
    subject: isForStore ? "Mağaza" : "Ürün",
    answers:
      answeredAtMs < nowMs && isAnswered(name, history)
        ? [{ title, message: answer, createdAtMs: answeredAtMs }]
        : [],
    createdAtMs,
  };
}

function isAnswered(name: string, history: QuestionHistory | undefined): boolean {
  if (history === undefined) return pickNumber(100, "answered", name) < ANSWERED_PERCENT;
  const { answeredPercent = HISTORY_ANSWERED_PERCENT } = history;
  return pickNumber(100, "answered", name) < answeredPercent;
}

const pickOddMessage = (index: number): string | undefined =>
  index % ODD_EVERY === 0 ? ODD_MESSAGES[(index / ODD_EVERY) % ODD_MESSAGES.length] : undefined;

export interface Questions {
  find(id: string): SandboxQuestion | undefined;
  /** All of them, oldest first, as the next listing shows them; each call counts as a listing. */
  listed(): readonly SandboxQuestion[];
  /**
   * Answers a question; the personality decides on one that is answered. Throws a refusal for an
   * unknown question.
   */
  reply(reply: InputOf<"question.reply">, by?: Actor): "answered" | "not-answered";
  /** All answers of the questions that were answered since the start. */
  save(): readonly GivenAnswer[];
}

/** An answer, and the id of its question. */
export interface GivenAnswer {
  readonly question: string;
  readonly answer: SandboxAnswer;
}

interface QuestionsOptions {
  readonly clock: Clock;
  readonly behavior: Behavior;
  readonly effects: EffectLog;
  /** Called once, on first use. */
  readonly fill: () => readonly SandboxQuestion[];
  /** Throws a `RangeError` for an answer without its question. @default none */
  readonly given?: readonly GivenAnswer[];
}

export function createQuestions(options: QuestionsOptions): Questions {
  const { clock, behavior, effects, fill, given = [] } = options;
  const state = lazy(() => new Map<string, SandboxQuestion>(fill().map((one) => [one.id, one])));
  const late = createLateView<SandboxQuestion>(behavior["change-shown"], clock);
  const answered = new Set<string>();
  for (const [id, same] of Map.groupBy(given, ({ question }) => question)) {
    const before = state().get(id);
    if (before === undefined) throw new RangeError(`not a snapshot: there is no question ${id}`);
    state().set(id, { ...before, answers: same.map(({ answer }) => answer) });
    answered.add(id);
  }

  return {
    find: (id) => state().get(id),
    listed: () =>
      [...state().values()].map(late.list()).filter((question) => question !== undefined),
    reply({ product_question_id: id, title, message }, by = "caller") {
      const question = state().get(id);
      if (question === undefined) throw createMissingRefusal({ en: "Question", tr: "Soru" });
      const second = question.answers.length === 0 ? "appended" : behavior["second-reply"];
      if (second === "refused") throw createAnsweredRefusal();
      if (second === "false") return "not-answered";
      if (second === "ignored") return "answered";
      const earlier = second === "appended" ? question.answers : [];
      const answers = [...earlier, { title, message, createdAtMs: clock.now() }];
      late.changed(id, question);
      state().set(id, { ...question, answers });
      answered.add(id);
      effects.note("question.reply", id, by);
      return "answered";
    },
    save: () =>
      [...answered].flatMap((id) =>
        (state().get(id)?.answers ?? []).map((answer) => ({ question: id, answer })),
      ),
  };
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
      isChosen(question.answers.length > 0, [answered, unanswered]) &&
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
export function toQuestion(question: SandboxQuestion, shape: Behavior["answer-shape"]): Question {
  const { id, product, answers, createdAtMs } = question;
  return {
    id,
    ...(product && {
      product: { id: product.id, title: product.title, product_code: product.product_code },
    }),
    full_name: question.name,
    title: question.title,
    message: question.message,
    subject: question.subject,
    answer: showAnswers(answers, shape),
    question_for: product === undefined ? "store" : "product",
    created_at: toIso(createdAtMs),
    updated_at: toIso(answers.at(-1)?.createdAtMs ?? createdAtMs),
  };
}

/** Several answers are a list in every shape. */
function showAnswers(answers: readonly SandboxAnswer[], shape: Behavior["answer-shape"]): unknown {
  const shown = answers.map((answer, index) => SHAPES[shape](answer, index));
  if (shown.length > 1 || (shape === "list" && shown.length > 0)) return shown;
  return shown[0] ?? null;
}

type ShowAnswer = (answer: SandboxAnswer, index: number) => unknown;

const toAnswer: ShowAnswer = ({ title, message, createdAtMs }) => ({
  title,
  message,
  created_at: toIso(createdAtMs),
});

const SHAPES: Readonly<Record<Behavior["answer-shape"], ShowAnswer>> = {
  object: toAnswer,
  list: toAnswer,
  text: ({ message }) => message,
  "other-names": ({ title, message, createdAtMs }, index) => ({
    id: index + 1,
    subject: title,
    content: message,
    date: Math.floor(createdAtMs / 1000),
  }),
};
