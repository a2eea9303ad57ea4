/** Where a file is on its way through the six steps, and the bar that shows it. */

import type { ReactNode } from "react";

import type { DraftView, RunState, RunView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { isReachable, useExternal } from "../lib/requests.ts";
import type { Route, Step } from "../lib/route.ts";
import { Icon, Link } from "../ui/controls.tsx";

const STEPS = ["file", "columns", "fix", "preview", "send", "report"] as const;

type StepState = "waiting" | "open" | "working" | "done" | "errors";

interface StepView {
  readonly step: Step;
  readonly state: StepState;
  /** Where the step is shown; `null` where its time has not come. */
  readonly to: Route | null;
}

type DraftPart = Pick<
  DraftView,
  "id" | "state" | "reading" | "columns" | "counts" | "progress" | "run" | "shownAt"
>;

export interface StepRun {
  readonly id: string;
  readonly state: RunState;
  /** Whether it is stopped because a person has paused it, which is no error. @default false */
  readonly isPaused?: boolean;
  /** Whether the run has ended without a row to send, so that it has no later steps. */
  readonly isEmpty?: boolean;
  /** Whether it had no file to read or mend, as one that takes back another run. @default false */
  readonly isWithoutFile?: boolean;
}

export interface StepSubject {
  /** Whether the page shows the run; otherwise the draft. */
  readonly isRunShown: boolean;
  readonly draft: DraftPart | null;
  readonly run: StepRun | null;
}

/** Whether the preview that is shown or planned last is that of the draft as it is. */
const isUpToDate = ({ draft, run, isRunShown }: StepSubject): boolean =>
  draft?.run?.isCurrent !== false || (isRunShown && run?.state !== "planned");

const fixState = ({ counts, progress }: DraftPart): StepState => {
  if (progress?.step === "check") return "working";
  if (counts === null) return "waiting";
  return counts.errors > 0 ? "errors" : "done";
};

const draftState = (draft: DraftPart | null, step: "file" | "columns" | "fix"): StepState => {
  if (draft === null) return "done";
  const { reading, columns, state } = draft;
  if (step === "file") {
    if (reading.problem !== null) return "errors";
    return state === "reading" ? "open" : "done";
  }
  if (step === "columns") {
    if (columns === null) return "waiting";
    if (columns.problems.length > 0) return "errors";
    return state === "columns" ? "open" : "done";
  }
  return fixState(draft);
};

const previewState = (subject: StepSubject): StepState => {
  const { draft, run } = subject;
  if (draft?.progress?.step === "plan" || run?.state === "planning") return "working";
  if (run === null) return draft?.state === "ready" ? "open" : "waiting";
  return isUpToDate(subject) ? "done" : "open";
};

const RUN_STATES: Readonly<Record<RunState, readonly [send: StepState, report: StepState]>> = {
  planning: ["waiting", "waiting"],
  planned: ["open", "waiting"],
  queued: ["open", "waiting"],
  sending: ["working", "open"],
  stopped: ["errors", "open"],
  finished: ["done", "done"],
};

const stateOf = (step: Step, subject: StepSubject): StepState => {
  const { draft, run } = subject;
  if (step === "preview") return previewState(subject);
  if (step !== "send" && step !== "report") return draftState(draft, step);
  if (step === "send" && run?.isPaused === true) return "open";
  if (run === null || run.isEmpty === true) return "waiting";
  return RUN_STATES[run.state][step === "send" ? 0 : 1];
};

const routeOf = (step: Step, subject: StepSubject): Route | null => {
  const { draft, run } = subject;
  if (step === "send" || step === "report") {
    return run === null ? null : { page: "run", id: run.id, step };
  }
  if (step === "preview" && run !== null && isUpToDate(subject)) {
    return { page: "run", id: run.id, step };
  }
  return draft === null ? null : { page: "draft", id: draft.id, step };
};

/** A draft of the store's products is read as it was written. */
const OF_FILES: ReadonlySet<Step> = new Set(["file", "columns"]);
const OF_DRAFTS: ReadonlySet<Step> = new Set([...OF_FILES, "fix"]);

const skippedBy = ({ draft, run }: StepSubject): ReadonlySet<Step> => {
  if (run?.isWithoutFile === true) return OF_DRAFTS;
  return draft?.shownAt == null ? NO_STEPS : OF_FILES;
};

const NO_STEPS: ReadonlySet<Step> = new Set();

/** The six steps of a file, in their order; other drafts and undos leave out what they never had. */
export const toStepViews = (subject: StepSubject): readonly StepView[] =>
  STEPS.filter((step) => !skippedBy(subject).has(step)).map((step) => {
    const state = stateOf(step, subject);
    return { step, state, to: state === "waiting" ? null : routeOf(step, subject) };
  });

/** Whether a run has ended without a row that was to be sent. */
export const isEmptyRun = ({
  state,
  counts: { rows, unchanged },
}: Pick<RunView, "state" | "counts">): boolean => state === "finished" && rows === unchanged;

const StepMark = ({
  state,
  number,
}: {
  readonly state: StepState;
  readonly number: number;
}): ReactNode => {
  if (state === "done") return <Icon name="check" />;
  if (state === "errors") return <Icon name="error" />;
  if (state === "working") return <span className="spinner" aria-hidden="true" />;
  return number;
};

interface StepItemProps {
  readonly view: StepView;
  readonly number: number;
  readonly isCurrent: boolean;
}

const StepItem = ({ view, number, isCurrent }: StepItemProps): ReactNode => {
  const { steps } = usePage().texts;
  const states: Readonly<Record<StepState, string>> = {
    waiting: steps.waiting,
    open: "",
    working: steps.working,
    done: steps.done,
    errors: steps.errors,
  };
  const content = (
    <>
      <span className="step-mark" aria-hidden="true">
        <StepMark state={view.state} number={number} />
      </span>
      <span className="step-name">{steps[view.step]}</span>
      <span className="unseen">
        {[isCurrent ? steps.current : "", states[view.state]].filter(Boolean).join(", ")}
      </span>
    </>
  );
  return (
    <li className={`step step-${view.state}${isCurrent ? " step-current" : ""}`}>
      {view.to === null ? (
        <span className="step-link">{content}</span>
      ) : (
        <Link to={view.to} className="step-link" isCurrent={isCurrent ? "step" : undefined}>
          {content}
        </Link>
      )}
    </li>
  );
};

/** Whether work continues is not known while the program does not answer. */
const withoutWork = (view: StepView): StepView =>
  view.state === "working" ? { ...view, state: "open" } : view;

export const StepBar = ({
  current,
  ...subject
}: StepSubject & { readonly current: Step }): ReactNode => {
  const { texts } = usePage();
  const isReached = useExternal(isReachable);
  return (
    <nav className="steps" aria-label={texts.steps.label}>
      <ol>
        {toStepViews(subject).map((view, index) => (
          <StepItem
            key={view.step}
            view={isReached ? view : withoutWork(view)}
            number={index + 1}
            isCurrent={view.step === current}
          />
        ))}
      </ol>
    </nav>
  );
};
