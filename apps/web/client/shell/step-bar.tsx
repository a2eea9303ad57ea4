import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { isReachable } from "../lib/requests.ts";
import type { Step } from "../lib/route.ts";
import {
  type StepState,
  type StepSubject,
  type StepView,
  toStepViews,
} from "../lib/step-states.ts";
import { useExternal } from "../lib/use-external.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";

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

/** Whether work goes on is not known while the program does not answer. */
const withoutWork = (view: StepView): StepView =>
  view.state === "working" ? { ...view, state: "open" } : view;

/** The six steps; those whose time has come can be opened. */
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
