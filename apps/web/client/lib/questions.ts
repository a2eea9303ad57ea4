/** What the screens of questions read from the server, and change. */

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type {
  AnswersBody,
  PlannedRunId,
  QuestionShow,
  QuestionsView,
  QuestionView,
  RepliesBody,
  WrittenAnswerView,
} from "../../src/api/index.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { requestJson, requestNumbers } from "./requests.ts";

const POLL_READING_MS = 700;
/** So that the age of what is shown stays true. */
const POLL_MS = 60_000;

/** The questions as a whole, asked for again and again while they are read. */
export const useQuestions = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["questions", lang],
    queryFn: ({ signal }) => requestJson<QuestionsView>("/api/questions", { lang, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.reading == null ? POLL_MS : POLL_READING_MS),
  });
};

/** Numbers of the questions of a query; the same query is asked for again with another version. */
export const useQuestionOrder = (search: string, version: number) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["questions-order", search, version],
    queryFn: ({ signal }) => requestNumbers(`/api/questions/order${search}`, { lang, signal }),
    staleTime: 0,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    retry: false,
  });
};

export const readQuestions = (
  numbers: readonly number[],
  lang: Lang,
): Promise<readonly QuestionView[]> =>
  requestJson<readonly QuestionView[]>(`/api/questions/rows?n=${numbers.join(",")}`, { lang });

/** Reads one of the two listings anew; its progress is part of {@link useQuestions}. */
export const useReadQuestions = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (show: QuestionShow) =>
      requestJson<QuestionsView>("/api/questions/read", { lang, method: "POST", body: { show } }),
    onSuccess: (view) => client.setQueryData(["questions", lang], view),
    onError: () => client.invalidateQueries({ queryKey: ["questions"] }),
  });
};

export const useStopQuestions = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson<QuestionsView>("/api/questions/read", { lang, method: "DELETE" }),
    onSuccess: (view) => client.setQueryData(["questions", lang], view),
  });
};

const ANSWERS_PATH = "/api/questions/answers";

/** The answers that the server keeps. */
export const readAnswers = (
  lang: Lang,
  signal: AbortSignal,
): Promise<readonly WrittenAnswerView[]> => requestJson(ANSWERS_PATH, { lang, signal });

export const saveAnswers = (body: AnswersBody, lang: Lang): Promise<void> =>
  requestJson<void>(ANSWERS_PATH, { lang, method: "PUT", body });

/** Plans these answers; nothing is sent. */
export const usePlanAnswers = (onPlanned: (run: string) => void) => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: (body: AnswersBody) =>
      requestJson<PlannedRunId>("/api/questions/plan", { lang, method: "POST", body }),
    onSuccess: ({ run }) => onPlanned(run),
  });
};

const REPLIES_PATH = "/api/questions/replies";
const REPLIES_KEY = ["saved-replies"];

export const useReplies = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: REPLIES_KEY,
    queryFn: ({ signal }) => requestJson<RepliesBody>(REPLIES_PATH, { lang, signal }),
  });
};

export const useKeepReplies = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RepliesBody) =>
      requestJson<RepliesBody>(REPLIES_PATH, { lang, method: "PUT", body }),
    onSuccess: (kept) => client.setQueryData(REPLIES_KEY, kept),
  });
};
