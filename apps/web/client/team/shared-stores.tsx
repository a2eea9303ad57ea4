/** How a file for several stores stands in each of them, and the way to the page of the store. */

import { allows } from "@catalog/team/roles";
import type { ReactNode } from "react";

import type { SharedStoreView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import type { DraftStep, Route } from "../lib/route.ts";
import { addressIn, canPlan, countSent } from "../lib/shared-files.ts";
import type { SharedTexts } from "../texts/shared-tr.ts";
import { Button, Icon } from "../ui/controls.tsx";

type Go = keyof SharedTexts["go"];

interface Next {
  readonly go: Go;
  readonly route: Route;
}

/** Where a plan is looked at, watched, and reported. */
const RUN_STEPS: Readonly<
  Partial<Record<SharedStoreView["step"], Exclude<Go, "file" | "columns" | "fix">>>
> = {
  planned: "preview",
  queued: "send",
  sending: "send",
  stopped: "send",
  finished: "report",
};

const findDraftStep = ({ step, errors, openNames }: SharedStoreView): DraftStep | null => {
  if (step === "file" || step === "columns") return step;
  const isOpen = (errors ?? 0) > 0 || openNames > 0;
  return step === "ready" || (step === "working" && isOpen) ? "fix" : null;
};

/** Where the file goes on in its store. */
export const findNext = (store: SharedStoreView): Next | null => {
  const { run, role, draft } = store;
  const step = findDraftStep(store);
  if (step !== null && step !== "preview") {
    return allows(role, "editor") ? { go: step, route: { page: "draft", id: draft, step } } : null;
  }
  const go = RUN_STEPS[store.step];
  if (run === null || go === undefined) return null;
  return { go, route: { page: "run", id: run.id, step: go } };
};

interface Shown {
  readonly text: string;
  readonly tone: "" | "badge-accent" | "badge-success" | "badge-warning" | "badge-error";
}

const TONES: Readonly<Record<SharedStoreView["step"], Shown["tone"]>> = {
  working: "",
  file: "badge-warning",
  columns: "badge-warning",
  ready: "",
  away: "badge-error",
  planned: "badge-accent",
  queued: "badge-accent",
  sending: "badge-accent",
  stopped: "badge-warning",
  finished: "badge-success",
};

/** The state of a store in one phrase. */
export const describeState = (store: SharedStoreView, words: SharedTexts["steps"]): Shown => {
  const { step, run } = store;
  if (step === "ready" && run !== null) return { text: words.stale, tone: "badge-warning" };
  if (step !== "planned") return { text: words[step], tone: TONES[step] };
  if (countSent(store) > 0) return { text: words.planned, tone: TONES[step] };
  const isHeld = (run?.held ?? 0) > 0;
  return isHeld ? { text: words.held, tone: "badge-warning" } : { text: words.nothing, tone: "" };
};

/** What a person has to know or to do besides. */
const useNotes = ({ step, stepText, errors, openNames, run }: SharedStoreView): string => {
  const { shared: words, preview } = usePage().texts;
  if (step === "working") return stepText ?? "";
  if (step !== "ready" && step !== "planned") return "";
  const notes = [
    { count: errors ?? 0, text: words.errors },
    { count: step === "planned" ? (run?.stock ?? 0) : 0, text: preview.stockRows },
    { count: openNames, text: words.names },
  ];
  return notes.flatMap(({ count, text }) => (count > 0 ? text(count) : [])).join(", ");
};

const Notes = ({ store }: { readonly store: SharedStoreView }): ReactNode => {
  const notes = useNotes(store);
  const { problem } = store;
  return (
    <>
      {notes === "" ? null : <span className="muted small">{notes}</span>}
      {problem === null ? null : <span className="small shared-problem">{problem.message}</span>}
    </>
  );
};

interface StoreProps {
  readonly store: SharedStoreView;
  readonly isPlanning: boolean;
  readonly onPlan: (store: SharedStoreView) => void;
}

const Actions = ({ store, isPlanning, onPlan }: StoreProps): ReactNode => {
  const words = usePage().texts.shared;
  const next = findNext(store);
  return (
    <div className="shared-actions">
      {canPlan(store) ? (
        <Button
          kind="quiet"
          isBusy={isPlanning}
          label={words.planOf(store.store)}
          onPress={() => onPlan(store)}
        >
          {words.plan}
        </Button>
      ) : null}
      {next === null ? null : (
        <a
          href={addressIn(store.store, next.route)}
          aria-label={`${words.go[next.go]}: ${store.store}`}
        >
          {words.go[next.go]}
          <Icon name="right" />
        </a>
      )}
    </div>
  );
};

const NUMBERS = ["update", "add", "unchanged", "held", "failed"] as const;

/** Counts of a plan, by their columns. */
const countsOf = (
  run: NonNullable<SharedStoreView["run"]>,
): Readonly<Record<(typeof NUMBERS)[number], number>> => ({
  add: run.adds,
  update: run.updates,
  unchanged: run.unchanged,
  held: run.held,
  failed: run.failed,
});

const COUNT_TONES: Readonly<Partial<Record<string, string>>> = {
  held: "shared-held",
  failed: "shared-failed",
};

const classOf = ({ run, step }: SharedStoreView): string | undefined => {
  if (run === null) return "shared-unplanned";
  return step === "ready" ? "shared-stale" : undefined;
};

const StoreRow = (props: StoreProps): ReactNode => {
  const { store } = props;
  const { texts, format } = usePage();
  const words = texts.shared;
  const { text, tone } = describeState(store, words.steps);
  const { run } = store;
  const counts = run && countsOf(run);
  return (
    <tr className={classOf(store)}>
      <th scope="row">{store.store}</th>
      <td>
        <div className="shared-state">
          <span className={`badge ${tone}`}>{text}</span>
          <Notes store={store} />
        </div>
      </td>
      {NUMBERS.map((name) => (
        <td key={name} className="number-cell" data-label={words.columns[name]}>
          {counts === null ? (
            <span className="muted">–</span>
          ) : (
            <span className={counts[name] === 0 ? "muted" : COUNT_TONES[name]}>
              {format.number(counts[name])}
            </span>
          )}
        </td>
      ))}
      <td className="number-cell" data-label={words.columns.calls}>
        {run === null ? <span className="muted">–</span> : words.callsTake(run.calls, run.duration)}
      </td>
      <td>
        <Actions {...props} />
      </td>
    </tr>
  );
};

interface SharedStoresProps extends Pick<StoreProps, "isPlanning" | "onPlan"> {
  readonly stores: readonly SharedStoreView[];
}

export const SharedStores = ({ stores, ...props }: SharedStoresProps): ReactNode => {
  const words = usePage().texts.shared;
  return (
    <div className="card shared-card">
      <table className="table shared-stores" aria-label={words.stores}>
        <thead>
          <tr>
            <th scope="col">{words.store}</th>
            <th scope="col">{words.state}</th>
            {NUMBERS.map((name) => (
              <th key={name} scope="col" className="number-cell">
                {words.columns[name]}
              </th>
            ))}
            <th scope="col" className="number-cell">
              {words.columns.calls}
            </th>
            <th aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {stores.map((store) => (
            <StoreRow key={store.store} store={store} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
};
