/** Where a file is on its way through the six steps. */

import type { DraftView, RunState, RunView } from "../../src/api/index.ts";
import type { Route, Step } from "./route.ts";

export const STEPS = ["file", "columns", "fix", "preview", "send", "report"] as const;

export type StepState = "waiting" | "open" | "working" | "done" | "errors";

export interface StepView {
  readonly step: Step;
  readonly state: StepState;
  /** Where the step is shown; `null` where its time has not come. */
  readonly to: Route | null;
}

type DraftPart = Pick<DraftView, "id" | "state" | "reading" | "columns" | "counts" | "progress"> &
  Pick<DraftView, "run">;

export interface StepRun {
  readonly id: string;
  readonly state: RunState;
  /** Whether it is stopped because a person has paused it, which is no error. @default false */
  readonly isPaused?: boolean;
  /** Whether the run has ended without a row to send, so that it has no later steps. */
  readonly isEmpty?: boolean;
}

export interface StepSubject {
  /** Whether the page shows the run; otherwise the draft. */
  readonly isRunShown: boolean;
  readonly draft: DraftPart | null;
  readonly run: StepRun | null;
}

const fileState = (draft: DraftPart | null): StepState => {
  if (draft === null) return "done";
  if (draft.reading.problem !== null) return "errors";
  return draft.state === "reading" ? "open" : "done";
};

const columnsState = (draft: DraftPart | null): StepState => {
  if (draft === null) return "done";
  if (draft.columns === null) return "waiting";
  if (draft.columns.problems.length > 0) return "errors";
  return draft.state === "columns" ? "open" : "done";
};

const fixState = (draft: DraftPart | null): StepState => {
  if (draft === null) return "done";
  if (draft.progress?.step === "check") return "working";
  if (draft.counts === null) return "waiting";
  return draft.counts.errors > 0 ? "errors" : "done";
};

const isPlanning = ({ draft, run }: StepSubject): boolean =>
  draft?.progress?.step === "plan" || run?.state === "planning";

/** Whether the preview that is shown or planned last is that of the draft as it is. */
const isCurrent = ({ draft, run, isRunShown }: StepSubject): boolean =>
  draft?.run?.isCurrent !== false || (isRunShown && run?.state !== "planned");

const previewState = (subject: StepSubject): StepState => {
  if (isPlanning(subject)) return "working";
  if (subject.run === null) return subject.draft?.state === "ready" ? "open" : "waiting";
  return isCurrent(subject) ? "done" : "open";
};

const SEND_STATES: Readonly<Record<RunState, StepState>> = {
  planning: "waiting",
  planned: "open",
  queued: "open",
  sending: "working",
  stopped: "errors",
  finished: "done",
};

const REPORT_STATES: Readonly<Record<RunState, StepState>> = {
  planning: "waiting",
  planned: "waiting",
  queued: "waiting",
  sending: "open",
  stopped: "open",
  finished: "done",
};

const laterState = (
  run: StepRun | null,
  states: Readonly<Record<RunState, StepState>>,
): StepState => (run === null || run.isEmpty === true ? "waiting" : states[run.state]);

const STATES: Readonly<Record<Step, (subject: StepSubject) => StepState>> = {
  file: ({ draft }) => fileState(draft),
  columns: ({ draft }) => columnsState(draft),
  fix: ({ draft }) => fixState(draft),
  preview: previewState,
  send: ({ run }) => (run?.isPaused === true ? "open" : laterState(run, SEND_STATES)),
  report: ({ run }) => laterState(run, REPORT_STATES),
};

const routeOf = (step: Step, subject: StepSubject): Route | null => {
  const { draft, run } = subject;
  if (step === "send" || step === "report") {
    return run === null ? null : { page: "run", id: run.id, step };
  }
  if (step === "preview" && run !== null && isCurrent(subject)) {
    return { page: "run", id: run.id, step };
  }
  return draft === null ? null : { page: "draft", id: draft.id, step };
};

/** The six steps of a file, in their order. */
export const toStepViews = (subject: StepSubject): readonly StepView[] =>
  STEPS.map((step) => {
    const state = STATES[step](subject);
    return { step, state, to: state === "waiting" ? null : routeOf(step, subject) };
  });

/** Whether a run has ended without a row that was to be sent. */
export const isEmptyRun = ({
  state,
  counts: { rows, unchanged },
}: Pick<RunView, "state" | "counts">): boolean => state === "finished" && rows === unchanged;
