/** Answers as a workbook with the columns of the export, as a person would fill it in. */

import { join } from "node:path";

import { listHeaders } from "@catalog/exporter";
import type { Lang } from "@catalog/i18n";
import type { openQuestionList } from "@catalog/importer";
import { writeXlsx } from "@catalog/sheets";

import type { WrittenAnswer } from "../../api/questions.ts";

/** The questions of one store. */
export type QuestionList = ReturnType<typeof openQuestionList>;

interface AnswerFileOptions {
  readonly answers: readonly WrittenAnswer[];
  readonly list: Pick<QuestionList, "find">;
  readonly lang: Lang;
}

const COLUMNS = ["asked_product", "message", "answer", "question_id"] as const;

/** Name of the file, by which the history knows the run. */
const NAMES: Readonly<Record<Lang, string>> = { tr: "yanıtlar.xlsx", en: "answers.xlsx" };

/** Writes the file into the folder, a row for each question in the order of the answers. */
export async function writeAnswers(
  folder: string,
  { answers, list, lang }: AnswerFileOptions,
): Promise<string> {
  const path = join(folder, NAMES[lang]);
  const known = new Map((await list.find(answers.map(({ id }) => id))).map((one) => [one.id, one]));
  const headers = new Map(listHeaders("questions").map(({ key, header }) => [key, header[lang]]));
  const rows = answers.map(({ id, text }) => {
    const question = known.get(id);
    return [question?.product?.title ?? null, question?.message ?? null, text, id];
  });
  const columns = COLUMNS.map(
    (key) => ({ header: headers.get(key) ?? key, kind: "text" }) as const,
  );
  await writeXlsx({ path, sheets: [{ name: SHEETS[lang], columns, rows }] });
  return path;
}

const SHEETS: Readonly<Record<Lang, string>> = { tr: "Sorular", en: "Questions" };
