/**
 * The routes of questions: the list and its reading, the answers that are being written, the saved
 * replies, and the plan of answers. Answers and replies are kept in the database of the store.
 */

import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { openQuestionList } from "@catalog/importer";
import { type NamedPerson, toCounts } from "@catalog/runs";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import {
  answersBody,
  type QuestionFilter,
  questionOrderQuery,
  questionReadBody,
  type QuestionsView,
  type QuestionView,
  repliesBody,
  type RepliesBody,
  type WrittenAnswer,
  type WrittenAnswerView,
} from "../../api/questions.ts";
import type { PlannedRunId } from "../../api/runs.ts";
import { makeFileFolder, removeOldFolders } from "../files.ts";
import { makerOf, needs } from "../needs.ts";
import { readNumbers, sendNumbers } from "../numbers.ts";
import { plainText } from "../plain-advice.ts";
import type { RunJobs } from "../runs/run-jobs.ts";
import { parseInput, requestLang, type Site } from "../site.ts";
import { type QuestionList, writeAnswers } from "./answer-file.ts";

interface QuestionOptions {
  readonly jobs: RunJobs;
  /** Describes an error of work in the background. */
  readonly describe: (error: unknown) => { readonly code: string; readonly message: Localized };
}

/** The questions of the store that the page works on. */
export interface Questions extends AsyncDisposable {
  addRoutes(app: FastifyInstance): void;
}

interface OpenedQuestions {
  readonly connection: Connection;
  readonly list: QuestionList;
}

/** Room for as many answers as can be saved at once. */
const ANSWERS_BYTES = 8 * 1024 * 1024;

/** Opens the questions; a reading under way is stopped when they are closed. */
export function createQuestions(site: Site, { jobs, describe }: QuestionOptions): Questions {
  let opened: OpenedQuestions | undefined;
  const open = async (): Promise<OpenedQuestions> => {
    const connection = await site.store.connection();
    if (opened?.connection === connection) return opened;
    const before = opened?.list;
    opened = { connection, list: openQuestionList(connection) };
    // The reading of another store would go on unseen.
    await before?.stop();
    return opened;
  };
  const view = async (lang: Lang): Promise<QuestionsView> => {
    const { readAtMs, error, ...state } = await (await open()).list.state();
    const { unanswered, answered } = readAtMs;
    return {
      ...state,
      readAt: { unanswered: toTime(unanswered), answered: toTime(answered) },
      problem: error === undefined ? null : plainText(describe(error).message[lang]),
    };
  };
  return {
    addRoutes(app) {
      app.get("/questions", needs("viewer"), (request) => view(requestLang(request)));
      app.get("/questions/order", needs("viewer"), async (request, reply) => {
        const filter = parseInput(questionOrderQuery, request.query);
        return await sendNumbers(reply, await readOrder(await open(), filter));
      });
      app.get("/questions/rows", needs("viewer"), async (request) => {
        const rows = await (await open()).list.rows(readNumbers(request.query));
        return rows.map(toQuestionView);
      });
      app.post("/questions/read", needs("editor"), async (request, reply) => {
        const { show } = parseInput(questionReadBody, request.body);
        (await open()).list.start(show);
        return await reply.code(202).send(await view(requestLang(request)));
      });
      app.delete("/questions/read", needs("editor"), async (request) => {
        await (await open()).list.stop();
        return await view(requestLang(request));
      });
      app.post(
        "/questions/plan",
        { ...needs("editor"), bodyLimit: ANSWERS_BYTES },
        async (request) => {
          const { answers } = parseInput(answersBody, request.body);
          const { connection, list } = await open();
          const planned = await planAnswers({ site, jobs, list }, answers, {
            lang: requestLang(request),
            by: makerOf(request),
          });
          const { held, unchanged } = toCounts(await connection.journal.countRows(planned.run));
          // Somebody else has answered meanwhile, so that the list is out of date.
          if (held + unchanged > 0) list.start("unanswered");
          return planned;
        },
      );
      app.get("/questions/answers", needs("viewer"), async () => readWritten(await open()));
      addAnswerRoutes(app, site);
    },
    async [Symbol.asyncDispose]() {
      await opened?.list[Symbol.asyncDispose]();
    },
  };
}

const toTime = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();

type ListedQuestion = Awaited<ReturnType<QuestionList["rows"]>>[number];

function toQuestionView({ atMs, isAnswered, ours, ...question }: ListedQuestion): QuestionView {
  const { product } = question;
  return {
    ...question,
    at: toTime(atMs),
    product: product && {
      title: product.title,
      code: product.code,
      number: product.number,
      link: product.link,
    },
    state: isAnswered ? "answered" : (ours ?? "unanswered"),
  };
}

async function readOrder(
  { connection, list }: OpenedQuestions,
  { written = false, oldest, ...filter }: QuestionFilter,
): Promise<Uint32Array> {
  const ids = written ? new Set((await readAnswers(connection)).map(({ id }) => id)) : undefined;
  return await list.order({ ...filter, ids, isOldestFirst: oldest });
}

const answersKey = ({ baseUrl, storeId }: Connection): string => `${baseUrl} ${storeId} answer `;
const repliesKey = ({ baseUrl, storeId }: Connection): string =>
  `${baseUrl} ${storeId} saved-replies`;

/** Answers that are being written, the latest first. */
async function readAnswers(connection: Connection): Promise<readonly WrittenAnswer[]> {
  const prefix = answersKey(connection);
  const notes = await connection.memory.notes.listNotes(prefix, z.string());
  return notes.map(({ key, note }) => ({ id: key.slice(prefix.length), text: note }));
}

/** Answers with what became of their questions; those that we have sent are kept no more. */
async function readWritten({
  connection,
  list,
}: OpenedQuestions): Promise<readonly WrittenAnswerView[]> {
  const answers = await readAnswers(connection);
  const found = new Map(
    (await list.find(answers.map(({ id }) => id))).map((question) => [question.id, question]),
  );
  const isSent = ({ id }: WrittenAnswer): boolean => found.get(id)?.ours === "sent";
  const sent = answers.filter(isSent).map(({ id }) => answersKey(connection) + id);
  await connection.memory.notes.removeNotes(sent);
  const { readAtMs } = await list.state();
  return answers
    .filter((answer) => !isSent(answer))
    .map((answer) => {
      const question = found.get(answer.id);
      const isWaiting =
        question === undefined
          ? readAtMs.unanswered === null
          : !question.isAnswered && question.ours === null;
      return { id: answer.id, text: answer.text, isWaiting };
    });
}

function addAnswerRoutes(app: FastifyInstance, { store }: Pick<Site, "store">): void {
  app.put(
    "/questions/answers",
    { ...needs("editor"), bodyLimit: ANSWERS_BYTES },
    async (request, reply) => {
      const { answers } = parseInput(answersBody, request.body);
      const connection = await store.connection();
      const { notes } = connection.memory;
      const key = ({ id }: WrittenAnswer): string => answersKey(connection) + id;
      const kept = answers.filter(({ text }) => text !== "");
      await notes.saveNotes(Object.fromEntries(kept.map((answer) => [key(answer), answer.text])));
      await notes.removeNotes(answers.filter(({ text }) => text === "").map(key));
      return await reply.code(204).send();
    },
  );
  app.get("/questions/replies", needs("viewer"), async (): Promise<RepliesBody> => {
    const connection = await store.connection();
    const { notes } = connection.memory;
    return (await notes.readNote(repliesKey(connection), repliesBody)) ?? { replies: [] };
  });
  app.put("/questions/replies", needs("editor"), async (request) => {
    const replies = parseInput(repliesBody, request.body);
    const connection = await store.connection();
    await connection.memory.notes.saveNotes({ [repliesKey(connection)]: replies });
    return replies;
  });
}

interface PlanTools {
  readonly site: Site;
  readonly jobs: RunJobs;
  readonly list: QuestionList;
}

/** A plan is sent from its file, which must stay until then. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Plans answers by the command that takes a list of them; it sends nothing. */
async function planAnswers(
  { site, jobs, list }: PlanTools,
  answers: readonly WrittenAnswer[],
  { lang, by }: { readonly lang: Lang; readonly by: NamedPerson },
): Promise<PlannedRunId> {
  const folder = join(site.folder, "answers");
  await removeOldFolders({ folder, maxAgeMs: KEPT_MS, nowMs: site.clock.now() });
  const { path } = makeFileFolder(folder);
  try {
    const file = await writeAnswers(path, { answers, list, lang });
    return await jobs.planList(site, { command: ["answer"], path: file, lang, by });
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}
