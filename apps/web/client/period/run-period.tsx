/** The period of a draft or a run: what will happen when, how it fares, and how it is changed. */

import { type ReactNode, useCallback, useState } from "react";

import type {
  DraftPeriodBody,
  DraftView,
  PeriodState,
  RunPeriodView,
  RunSummaryView,
  RunView,
} from "../../src/api/index.ts";
import { type Page, usePage } from "../lib/page.tsx";
import { useDraftChange, useRunChange, useTakeRun } from "../lib/queries.ts";
import { UndoButton } from "../steps/run/undo-button.tsx";
import { Button, Link } from "../ui/controls.tsx";
import { Dialog, Failure, Message } from "../ui/messages.tsx";
import { PeriodDialog } from "./period-fields.tsx";
import {
  checkPeriod,
  EMPTY_PERIOD,
  isSoundPeriod,
  keysOf,
  type PeriodForm,
  type TimeForm,
  type TimeName,
  toChangeBody,
  toPeriodBody,
  toPeriodForm,
} from "./period-form.ts";

/** What the end takes back, in words; fields that have none are called changes. */
const describeWhat = (
  fields: readonly string[] | null,
  words: Page["texts"]["period"]["what"],
): string => {
  const names: Readonly<Record<string, string>> = {
    has_discount: words.discount,
    price: words.price,
    stock_count: words.stock,
  };
  const [field, ...more] = fields ?? [];
  return field === undefined || more.length > 0 ? words.all : (names[field] ?? words.all);
};

/** The times of a form as sentences; `isWhole` says also what is left alone. */
const useSentences = (form: PeriodForm | null, isWhole: boolean): readonly string[] => {
  const { texts, format } = usePage();
  const words = texts.period;
  if (form === null) return [];
  const { start, end, timeZone, fields } = form;
  const zone = words.zone(timeZone);
  const describe = isWhole ? words.willEnd : words.endLine;
  return [
    ...(start.isGiven && start.local !== null
      ? [words.willStart(format.clockTime(start.local), zone)]
      : []),
    ...(end.isGiven && end.local !== null
      ? [describe(format.clockTime(end.local), zone, describeWhat(fields, words.what))]
      : []),
  ];
};

interface PeriodLineProps {
  readonly form: PeriodForm | null;
  /** Whether its times are said elsewhere. @default false */
  readonly isSaid?: boolean | undefined;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** `null` takes it away. */
  readonly onSave: (form: PeriodForm | null, onDone: () => void) => void;
}

/** The period of what is not approved yet in one line, and the way to change it. */
const PeriodLine = ({
  form,
  isSaid = false,
  isBusy,
  error,
  onSave,
}: PeriodLineProps): ReactNode => {
  const words = usePage().texts.period;
  const [isOpen, setIsOpen] = useState(false);
  const sentences = useSentences(form, false);
  const close = (): void => setIsOpen(false);
  return (
    <span className="period-line">
      {isSaid || sentences.length === 0 ? null : <b>{sentences.join(" ")}</b>}
      <button type="button" className="text-button" onClick={() => setIsOpen(true)}>
        {form === null ? words.add : words.change}
      </button>
      {isOpen ? (
        <PeriodDialog
          title={words.title}
          known={form ?? EMPTY_PERIOD}
          isNew
          isBusy={isBusy}
          error={error}
          onSave={(next) => onSave(toPeriodBody(next) === null ? null : next, close)}
          onClose={close}
        />
      ) : null}
    </span>
  );
};

const formOf = (period: Parameters<typeof toPeriodForm>[0] | null): PeriodForm | null =>
  period === null ? null : toPeriodForm(period);

const toDraftBody = (form: PeriodForm | null): DraftPeriodBody => ({
  period: form === null ? null : toPeriodBody(form),
});

/** The period that a draft asks for. */
export const DraftPeriod = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const change = useDraftChange(draft.id);
  return (
    <PeriodLine
      form={formOf(draft.period)}
      isBusy={change.isPending}
      error={change.error}
      onSave={(form, onDone) =>
        change.mutate({ path: "/period", body: toDraftBody(form) }, { onSuccess: onDone })
      }
    />
  );
};

/** Whether a period only says what was wished when the run was planned. */
const isProposed = ({ period }: Pick<RunView, "period">): boolean =>
  period === null || period.state === "proposed";

const KINDS: ReadonlySet<RunView["kind"]> = new Set(["import", "retry"]);

/**
 * Whether a run is given its period by the approval that is to come, as that of a run that waits for
 * a person; what takes back has none.
 */
export const canHavePeriod = (
  run: Pick<RunView, "period" | "kind" | "state" | "actions">,
): boolean =>
  run.state === "planned" &&
  run.actions === null &&
  KINDS.has(run.kind) &&
  (run.period?.start == null || isProposed(run));

export interface ChosenPeriod {
  readonly form: PeriodForm | null;
  readonly choose: (form: PeriodForm | null) => void;
}

/** The period with which a plan is to be approved; it outlasts a reload, and ends with what it changed. */
export const useChosenPeriod = (run: Pick<RunView, "planHash" | "period">): ChosenPeriod => {
  const { state, start, end } = run.period ?? {};
  const key = `catalog-period:${run.planHash} ${state ?? ""} ${start?.at ?? ""} ${end?.at ?? ""}`;
  const read = (): PeriodForm | null => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? formOf(run.period) : parseKept(kept);
  };
  const [kept, setKept] = useState({ key, form: read() });
  const choose = useCallback(
    (form: PeriodForm | null) => {
      sessionStorage.setItem(key, JSON.stringify(form === null ? null : toPeriodBody(form)));
      setKept({ key, form });
    },
    [key],
  );
  return { form: kept.key === key ? kept.form : read(), choose };
};

/** Reads what this page has kept; anything else is no period. */
const parseKept = (text: string): PeriodForm | null => {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return null;
  const kept = new Map<string, unknown>(Object.entries(value));
  const [timeZone, fields] = [kept.get("timeZone"), kept.get("fields")];
  if (typeof timeZone !== "string") return null;
  return {
    start: toKeptTime(kept.get("start")),
    end: toKeptTime(kept.get("end")),
    timeZone,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === "string") : null,
  };
};

const toKeptTime = (local: unknown): TimeForm =>
  typeof local === "string" ? { isGiven: true, local } : EMPTY_PERIOD.end;

interface PlanPeriodProps {
  readonly run: RunView;
  readonly chosen: ChosenPeriod;
}

interface ChosenLineProps
  extends Pick<PlanPeriodProps, "chosen">, Pick<PeriodLineProps, "isSaid"> {}

const RunPeriodLine = ({ chosen: { form, choose }, isSaid }: ChosenLineProps): ReactNode => (
  <PeriodLine
    form={form}
    isSaid={isSaid}
    isBusy={false}
    error={null}
    onSave={(next, onDone) => {
      choose(next);
      onDone();
    }}
  />
);

/** The draft is asked the same, so that a plan that is made anew keeps it. */
const DraftRunPeriodLine = ({
  draft,
  chosen: { form, choose },
  isSaid,
}: ChosenLineProps & { readonly draft: string }): ReactNode => {
  const change = useDraftChange(draft);
  return (
    <PeriodLine
      form={form}
      isSaid={isSaid}
      isBusy={change.isPending}
      error={change.error}
      onSave={(next, onDone) =>
        change.mutate(
          { path: "/period", body: toDraftBody(next) },
          {
            onSuccess: () => {
              choose(next);
              onDone();
            },
          },
        )
      }
    />
  );
};

/** The period with which a plan is about to be approved, and the way to change it. */
export const PlanPeriod = ({
  run,
  ...line
}: ChosenLineProps & Pick<PlanPeriodProps, "run">): ReactNode => {
  if (!canHavePeriod(run)) return null;
  return run.draft === null ? (
    <RunPeriodLine {...line} />
  ) : (
    <DraftRunPeriodLine draft={run.draft} {...line} />
  );
};

/** What an approval with these times means, sentence by sentence; nothing where it has none. */
export const PeriodPromise = ({ run, chosen: { form } }: PlanPeriodProps): ReactNode => {
  const words = usePage().texts.period;
  const sentences = useSentences(form, true);
  if (sentences.length === 0) return null;
  const hasEnd = form?.end.isGiven === true;
  return (
    <div className="period-promise stack-tight">
      {[...sentences, words.mustRun, ...(hasEnd && run.plan.adds > 0 ? [words.addsStay] : [])].map(
        (sentence) => (
          <p key={sentence}>{sentence}</p>
        ),
      )}
    </div>
  );
};

/** Why a period that was chosen earlier cannot be approved any more. */
export const PeriodProblem = ({ chosen: { form } }: Pick<PlanPeriodProps, "chosen">): ReactNode => {
  const words = usePage().texts.period;
  const problem = findProblem(form);
  return problem === null ? null : <Message tone="error">{words.problems[problem]}</Message>;
};

const findProblem = (form: PeriodForm | null) => {
  if (form === null) return null;
  const problems = checkPeriod(form, { nowMs: Date.now() });
  return isSoundPeriod(problems) ? null : (problems.start ?? problems.end);
};

export const canApprovePeriod = ({ form }: ChosenPeriod): boolean => findProblem(form) === null;

const BADGES: Readonly<Record<PeriodState, string>> = {
  proposed: "badge",
  scheduled: "badge badge-accent",
  open: "badge badge-accent",
  ending: "badge badge-accent",
  started: "badge",
  ended: "badge badge-success",
  idle: "badge",
  late: "badge badge-error",
  left: "badge badge-warning",
  failed: "badge badge-error",
};

/** How the period of a run fares, in a word. */
export const PeriodBadge = ({ period }: Pick<RunSummaryView, "period">): ReactNode => {
  const { texts, format } = usePage();
  if (period === null || period.state === "proposed") return null;
  const { state, start, end } = period;
  const words = texts.period;
  const ahead = {
    scheduled: start === null ? null : words.startsOn(format.date(start.at)),
    open: end === null ? null : words.endsOn(format.date(end.at)),
  };
  const text = state === "scheduled" || state === "open" ? ahead[state] : null;
  return (
    <span className={BADGES[state]} title={period.stateText}>
      {text ?? words.states[state]}
    </span>
  );
};

/** Whether the run that has taken this one back is that of its end, of which the period speaks. */
export const isUndoneByEnd = ({
  undoneBy,
  period,
}: Pick<RunSummaryView, "undoneBy" | "period">): boolean =>
  undoneBy !== null && undoneBy.run === period?.endRun;

/** States in which a process must be there for what is to come. */
const AHEAD: ReadonlySet<PeriodState> = new Set(["scheduled", "open", "late"]);

/** States in which the times say all that there is to say. */
const TIMES_ONLY: ReadonlySet<PeriodState> = new Set(["scheduled", "open"]);

interface OfPeriod {
  readonly run: RunView;
  readonly period: RunPeriodView;
}

/** Moves the start or the end of an approved period. */
const ChangeTime = ({ run, period, name }: OfPeriod & { readonly name: TimeName }): ReactNode => {
  const words = usePage().texts.period;
  const [isOpen, setIsOpen] = useState(false);
  const takeRun = useTakeRun();
  const change = useRunChange<RunView>(run.id);
  const label = name === "start" ? words.changeStart : words.changeEnd;
  const close = (): void => setIsOpen(false);
  const save = (form: PeriodForm): void =>
    change.mutate(
      { path: "/period", body: toChangeBody(form, period) },
      {
        onSuccess: (answer) => {
          takeRun(answer);
          close();
        },
      },
    );
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{label}</Button>
      {isOpen ? (
        <PeriodDialog
          title={label}
          known={toPeriodForm(period)}
          isNew={false}
          only={name}
          isBusy={change.isPending}
          error={change.error}
          onSave={save}
          onClose={close}
        />
      ) : null}
    </>
  );
};

/** Takes the start or the end of an approved period away, once a person has confirmed it. */
const CancelTime = ({ run, period, name }: OfPeriod & { readonly name: TimeName }): ReactNode => {
  const { cancel } = usePage().texts.period;
  const words = cancel[name];
  const [isOpen, setIsOpen] = useState(false);
  const takeRun = useTakeRun();
  const change = useRunChange<RunView>(run.id);
  const close = (): void => setIsOpen(false);
  const form = { ...toPeriodForm(period), [name]: EMPTY_PERIOD[name] };
  const take = (answer: RunView): void => {
    takeRun(answer);
    close();
  };
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{words.go}</Button>
      <Dialog
        title={words.title}
        isOpen={isOpen}
        onClose={close}
        isAboutGivingUp
        confirm={{
          isBusy: change.isPending,
          onPress: () =>
            change.mutate(
              { path: "/period", body: toChangeBody(form, period) },
              { onSuccess: take },
            ),
          children: words.go,
        }}
      >
        <p>{words.text}</p>
        <Failure error={change.error} />
      </Dialog>
    </>
  );
};

/** Whether its end takes back all that the run has changed, and is not over. */
export const takesBackAll = ({ period }: Pick<RunSummaryView, "period">): boolean =>
  period !== null &&
  !isProposed({ period }) &&
  period.end !== null &&
  period.fields === null &&
  period.state !== "ended";

const PeriodActions = ({ run, period }: OfPeriod): ReactNode => {
  const words = usePage().texts.period;
  const { state, can, start, end } = period;
  const canTakeBack = run.can.undo && end !== null && state !== "ended";
  return (
    <div className="line">
      {can.changeStart && start !== null ? (
        <>
          <ChangeTime {...{ run, period }} name="start" />
          <CancelTime {...{ run, period }} name="start" />
        </>
      ) : null}
      {can.changeEnd && end !== null ? (
        <>
          <ChangeTime {...{ run, period }} name="end" />
          <CancelTime {...{ run, period }} name="end" />
        </>
      ) : null}
      {canTakeBack ? (
        <UndoButton run={run} label={words.undoNow} fields={keysOf(period.fields) ?? undefined} />
      ) : null}
    </div>
  );
};

/** How the approved period of a run fares, and what can be done about it. */
export const RunPeriod = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.period;
  const { period } = run;
  const { state = "proposed", endRun = null } = period ?? {};
  const form = formOf(period);
  // What has begun is not going to begin.
  const ahead = form !== null && state === "open" ? { ...form, start: EMPTY_PERIOD.start } : form;
  const sentences = useSentences(ahead, true);
  if (period === null || isProposed(run) || canHavePeriod(run)) return null;
  return (
    <section className="card stack-tight period-card" aria-label={words.title}>
      <p className="line">
        <PeriodBadge period={period} />
        {endRun === null ? null : (
          <Link to={{ page: "run", id: endRun, step: "report" }}>{words.endRun}</Link>
        )}
      </p>
      {(TIMES_ONLY.has(state) ? sentences : [period.stateText]).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {AHEAD.has(state) ? <p className="muted small">{words.mustRun}</p> : null}
      <PeriodActions run={run} period={period} />
    </section>
  );
};

/** States in which the end is still to come. */
const END_AHEAD: ReadonlySet<PeriodState> = new Set(["open", "late", "ending"]);

interface PeriodEndProps {
  readonly run: RunView;
  /** Fields of the product that the run has changed, and that nobody has changed since. */
  readonly changed: readonly string[];
}

/** On a product: that what the run has changed is going to be taken back, and when. */
export const PeriodEnd = ({ run, changed }: PeriodEndProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.period;
  const { period } = run;
  if (period === null || period.end === null || !END_AHEAD.has(period.state)) return null;
  const fields = keysOf(period.fields);
  // One of the fields of a price stands for all of them.
  const isAbout = (field: string): boolean =>
    fields === null || fields.includes(field) || (fields.some(isOfPrice) && isOfPrice(field));
  if (!changed.some(isAbout)) return null;
  const time = format.clockTime(period.end.local);
  return (
    <p className="product-ends">
      {words.productEnds(time, words.zone(period.timeZone), describeWhat(fields, words.what))}{" "}
      <Link to={{ page: "run", id: run.id, step: "report" }}>{run.name}</Link>
    </p>
  );
};

const PRICES: ReadonlySet<string> = new Set([
  "price",
  "has_discount",
  "discount_type",
  "discount_value",
]);

const isOfPrice = (field: string): boolean => PRICES.has(field);
