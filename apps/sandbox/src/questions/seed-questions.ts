/** The questions of the start: the same ones for the same start. */

import { type QuestionId, questionId } from "@catalog/contract";

import { createHashedId, pickFrom, pickNumber } from "../catalog/hashed-id.ts";
import { createName } from "../history/customers.ts";
import type { SandboxProduct } from "../products/product-state.ts";

export interface SandboxAnswer {
  readonly title?: string | undefined;
  readonly message: string;
  readonly createdAtMs: number;
}

export interface SandboxQuestion {
  readonly id: QuestionId;
  /** `undefined` for a question about the store. */
  readonly product: SandboxProduct | undefined;
  readonly name: string;
  readonly title: string;
  readonly message: string;
  readonly subject: string;
  readonly answer: SandboxAnswer | undefined;
  readonly createdAtMs: number;
}

export interface SeedQuestionsOptions {
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
    id: questionId.parse(createHashedId("question", name)),
    product: isForStore ? undefined : pickFrom(products, "product of question", name),
    name: createName("question", name),
    title,
    message,
    subject: isForStore ? "Mağaza" : "Ürün",
    answer: isAnswered ? { title, message: answer, createdAtMs: answeredAtMs } : undefined,
    createdAtMs,
  };
}
