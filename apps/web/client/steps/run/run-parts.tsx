/**
 * Parts that several screens of a run show: numbers, costs, the question before rows go, and the
 * question for the unit of the store's prices.
 */

import { type ReactNode, useId, useState } from "react";

import type {
  PlanBody,
  RefusedRow,
  ResumeBody,
  RunCounts,
  RunView,
} from "../../../src/api/index.ts";
import { isTypedCount } from "../../lib/format.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraft, useDraftChange, useRunChange, useTakeRun } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { countUncompared, isOutdated } from "../../lib/runs.ts";
import { useMay } from "../../lib/team.ts";
import { OnlyFor } from "../../team/may.tsx";
import { Button, Link, TextField } from "../../ui/controls.tsx";
import { Dialog, Failure, Message } from "../../ui/messages.tsx";

type Tone = "good" | "warning" | "error";

interface Fact {
  /** `null` where there is nothing to say. */
  readonly text: string | null;
  /** @default muted */
  readonly tone?: Tone | undefined;
}

/** Facts in one line, each where it is true. */
export const FactLine = ({ facts }: { readonly facts: readonly Fact[] }): ReactNode => {
  const shown = facts.filter(({ text }) => text !== null);
  if (shown.length === 0) return null;
  return (
    <ul className="fact-line">
      {shown.map(({ text, tone }) => (
        <li key={text} className={tone === undefined ? "muted" : `fact-${tone}`}>
          {text}
        </li>
      ))}
    </ul>
  );
};

const TONES: Readonly<Partial<Record<keyof RunCounts, Tone>>> = {
  added: "good",
  updated: "good",
  held: "warning",
  rejected: "error",
  invalid: "error",
  duplicate: "error",
};

const NAMES = [
  "added",
  "updated",
  "held",
  "rejected",
  "waiting",
  "unchanged",
  "invalid",
  "duplicate",
  "cancelled",
  "excluded",
] as const;

interface CountFactsProps {
  readonly counts: RunCounts;
  /** Held rows whose stock was sent. @default 0 */
  readonly stockSent?: number;
  /** What the rows came from. @default a file */
  readonly kind?: RunView["kind"];
  /** Counts that are said elsewhere. @default none */
  readonly without?: readonly (keyof RunCounts)[];
}

/** What became of the rows, in numbers. */
export const CountFacts = ({
  counts,
  stockSent = 0,
  kind,
  without = [],
}: CountFactsProps): ReactNode => {
  const { texts, format } = usePage();
  const words = kind === "sync" ? { ...texts.counts, ...texts.syncCounts } : texts.counts;
  const facts = NAMES.filter((name) => counts[name] > 0 && !without.includes(name)).map((name) => ({
    text: `${words[name]} ${format.number(counts[name])}`,
    tone: TONES[name],
  }));
  const stock = stockSent === 0 ? [] : [{ text: `${words.stockSent} ${format.number(stockSent)}` }];
  return <FactLine facts={[...facts, ...stock]} />;
};

/** The calls of a plan, and how long they take here where that is known. */
export const Cost = ({
  plan: { calls, duration, callsPerHour },
}: Pick<RunView, "plan">): ReactNode => {
  const words = usePage().texts.preview;
  if (calls === 0) return null;
  return (
    <p className="cost">
      <strong>{words.cost}:</strong>{" "}
      {duration === null ? words.calls(calls) : words.callsTake(calls, duration)}
      {callsPerHour === null ? null : (
        <span className="muted"> · {words.perHour(callsPerHour)}</span>
      )}
    </p>
  );
};

const MAX_SHOWN = 5;

/** Rows on which a decision could not be recorded, and why; nothing where there is none. */
export const RefusedRows = ({
  refused,
}: {
  readonly refused: readonly RefusedRow[];
}): ReactNode => {
  const { texts, format } = usePage();
  if (refused.length === 0) return null;
  return (
    <Message tone="error" title={texts.report.refused(refused.length)}>
      <ul>
        {refused.slice(0, MAX_SHOWN).map(({ row, message }) => (
          <li key={row}>
            {texts.preview.row} {format.number(row)}: {message}
          </li>
        ))}
      </ul>
    </Message>
  );
};

/** Says that the draft of a plan has changed since, and makes the preview anew. */
export const PlanAgain = ({ draft }: { readonly draft: string }): ReactNode => {
  const words = usePage().texts.preview;
  const view = useDraft(draft).data;
  const { mutate, isPending } = useDraftChange(draft);
  // The preview of the draft tells how far it is, or why it cannot be made.
  const open = (): void => goTo({ page: "draft", id: draft, step: "preview" });
  const plan = (): void => {
    if (view?.state !== "ready" || view.progress !== null) open();
    else mutate({ path: "/plan", body: { version: view.version } }, { onSettled: open });
  };
  return (
    <Message
      tone="warning"
      title={words.staleTitle}
      actions={
        <OnlyFor role="editor">
          <Button kind="primary" isBusy={isPending} onPress={plan}>
            {words.planAgain}
          </Button>
        </OnlyFor>
      }
    >
      {words.staleText}
    </Message>
  );
};

/** The step of sending where its plan is out of date: nothing can be sent. */
export const OutdatedPlan = ({ run }: { readonly run: RunView }): ReactNode => {
  const { send, preview } = usePage().texts;
  return (
    <section className="narrow card stack">
      <h1>{send.title}</h1>
      {run.draft === null ? (
        <Message tone="error">{run.problem?.message ?? preview.staleText}</Message>
      ) : (
        <PlanAgain draft={run.draft} />
      )}
      <p className="muted">{preview.nothingSent}</p>
      <div className="line">
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{send.toPreview}</Link>
      </div>
    </section>
  );
};

/** Whether the draft of a plan was changed after the plan was made. */
export const useOutdated = (run: RunView): boolean =>
  isOutdated(run, useDraft(run.draft ?? "", run.draft !== null).data);

/** What can be undone later, and what cannot. */
interface Changes {
  readonly adds: number;
  readonly updates: number;
}

/** What a person should know before a store changes that may be a live one. */
const LiveHints = ({ adds, updates }: Changes): ReactNode => {
  const { me, texts } = usePage();
  const words = texts.send;
  const hints = [
    me.store?.isLocal === true ? words.confirmLocalHint : words.confirmLiveHint,
    ...(updates > 0 ? [words.confirmUndo] : []),
    ...(adds > 0 ? [words.confirmNoUndo] : []),
  ];
  return <p className="muted">{hints.filter(Boolean).join(" ")}</p>;
};

const useTitle = (): string => {
  const { me, texts } = usePage();
  const words = texts.send;
  const { storeId: id = "", name = null } = me.store ?? {};
  if (me.store?.isSandbox === true) return words.confirmSandbox;
  return me.store?.isLocal === true ? words.confirmLocal(id, name) : words.confirmLive(id, name);
};

interface ConfirmSendingProps {
  /** Rows that go, which a person types where the store may be a live one. */
  readonly rows: number;
  readonly changes: Changes;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** @default that the rows go now */
  readonly confirm?: string | undefined;
  /** What goes, in words. */
  readonly children: ReactNode;
}

/** Asks before rows go to the store. */
export const ConfirmSending = ({
  rows,
  changes,
  isOpen,
  isPending,
  confirm,
  children,
  ...on
}: ConfirmSendingProps): ReactNode => {
  const { texts, format, me } = usePage();
  const words = texts.send;
  const [typed, setTyped] = useState("");
  const isSandbox = me.store?.isSandbox === true;
  const isTyped = isSandbox || rows === 0 || isTypedCount(typed, rows);
  return (
    <Dialog
      title={useTitle()}
      isOpen={isOpen}
      onClose={() => {
        setTyped("");
        on.onClose();
      }}
      confirm={{
        isBusy: isPending,
        isDisabled: !isTyped,
        onPress: on.onConfirm,
        children: confirm ?? words.confirm,
      }}
    >
      {children}
      {isSandbox ? (
        <p className="muted">{texts.app.sandboxHint}</p>
      ) : (
        <>
          <LiveHints {...changes} />
          {rows === 0 ? null : (
            <TextField
              label={words.confirmType(format.number(rows))}
              value={typed}
              onChange={setTyped}
              isFocused
            />
          )}
        </>
      )}
    </Dialog>
  );
};

interface ConfirmGoingOnProps {
  readonly run: RunView;
  /** The unit of the store's prices, where the person has said it; its rows are compared then. */
  readonly priceUnit?: ResumeBody["priceUnit"];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before the rows that are left of a run go to the store. */
export const ConfirmGoingOn = ({
  run,
  priceUnit,
  isOpen,
  onClose,
}: ConfirmGoingOnProps): ReactNode => {
  const words = usePage().texts.send;
  const takeRun = useTakeRun();
  const change = useRunChange<RunView>(run.id);
  const { rows: waiting, withUnit } = run.left;
  const rows = priceUnit === undefined ? waiting : withUnit;
  const resume = (): void => {
    const body: ResumeBody = { planHash: run.planHash, rows, ...(priceUnit && { priceUnit }) };
    change.mutate({ path: "/resume", body }, { onSuccess: takeRun, onSettled: onClose });
  };
  return (
    <>
      <Failure error={change.error} />
      <ConfirmSending
        rows={rows}
        changes={run.plan}
        isOpen={isOpen}
        isPending={change.isPending}
        onClose={onClose}
        onConfirm={resume}
      >
        <ul className="confirm-lines">
          {rows === 0 ? <li>{words.confirmNone}</li> : null}
          {waiting === 0 ? null : <li>{words.confirmLeft(waiting)}</li>}
          {rows === waiting ? null : <li>{words.confirmCompared(rows - waiting)}</li>}
        </ul>
      </ConfirmSending>
    </>
  );
};

type Unit = NonNullable<PlanBody["priceUnit"]>;

const UNITS: readonly Unit[] = ["minor", "major"];

interface UnitChoiceProps {
  readonly rows: number;
  readonly example: RunView["priceUnitExample"];
  readonly goes: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onChoose: (unit: Unit) => void;
}

const UnitChoice = ({
  rows,
  example,
  goes,
  isBusy,
  error,
  onChoose,
}: UnitChoiceProps): ReactNode => {
  const words = usePage().texts.priceUnit;
  const [unit, setUnit] = useState<Unit | null>(null);
  const group = useId();
  return (
    <section className="card stack-tight held">
      <h2 id={`${group}-title`}>{words.title}</h2>
      <p className="muted">
        {words.text(rows)}{" "}
        {example === null ? words.openQuestion : words.question(example.code, example.shown)}
      </p>
      <div role="radiogroup" aria-labelledby={`${group}-title`}>
        {UNITS.map((one) => (
          <label key={one} className="name-option">
            <input type="radio" name={group} checked={one === unit} onChange={() => setUnit(one)} />
            <span>{example === null ? words.openUnit[one] : words.unit[one](example[one])}</span>
          </label>
        ))}
      </div>
      <p className="muted small">{goes}</p>
      <Failure error={error} />
      <Button
        kind="primary"
        isDisabled={unit === null}
        isBusy={isBusy}
        onPress={() => unit !== null && onChoose(unit)}
      >
        {words.go}
      </Button>
    </section>
  );
};

const PlanWithUnit = ({
  id,
  ...asked
}: Pick<UnitChoiceProps, "rows" | "example"> & { readonly id: string }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const draft = useDraft(id).data;
  const change = useDraftChange(id);
  if (draft === undefined) return null;
  const plan = (priceUnit: Unit): void => {
    const body: PlanBody = { version: draft.version, priceUnit };
    change.mutate(
      { path: "/plan", body },
      { onSuccess: () => goTo({ page: "draft", id, step: "preview" }) },
    );
  };
  const { isPending: isBusy, error } = change;
  return <UnitChoice {...asked} {...{ isBusy, error }} goes={words.previewAgain} onChoose={plan} />;
};

/** Asks before sending for the unit of the prices, and plans again with it. */
export const PlanUnit = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const rows = countUncompared(run);
  const mayPlan = useMay("editor");
  if (rows === 0 || run.state !== "planned") return null;
  const example = run.priceUnitExample;
  if (run.draft !== null && mayPlan)
    return <PlanWithUnit id={run.draft} rows={rows} example={example} />;
  return (
    <Message tone="info" title={words.title}>
      {words.text(rows)}{" "}
      {example === null ? words.openQuestion : words.question(example.code, example.shown)}{" "}
      {words.later}
    </Message>
  );
};

/** Asks after sending for the unit of the prices, and compares the rows that wait for it. */
export const RunUnit = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const [unit, setUnit] = useState<Unit>();
  const rows = countUncompared(run);
  const may = useMay("approver");
  if (!may || rows === 0 || run.counts.held === 0 || run.state === "sending") return null;
  return (
    <>
      <UnitChoice
        rows={rows}
        example={run.priceUnitExample}
        goes={words.remembered}
        isBusy={false}
        error={null}
        onChoose={setUnit}
      />
      <ConfirmGoingOn
        run={run}
        priceUnit={unit}
        isOpen={unit !== undefined}
        onClose={() => setUnit(undefined)}
      />
    </>
  );
};
