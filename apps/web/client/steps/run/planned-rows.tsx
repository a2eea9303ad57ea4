/** The rows of a plan, and the boxes with which a person decides what goes. */

import { type ReactNode, useMemo, useState } from "react";

import type { RunRowFilter, RunRowSort, RunRowView, RunView } from "../../../src/api/index.ts";
import { type ListTicks, tickState } from "../../grid/ticks.ts";
import { usePage } from "../../lib/page.tsx";
import { readRunOrder, useDebounced, useRunOrder } from "../../lib/queries.ts";
import { useAction } from "../../lib/requests.ts";
import {
  type ChangeDecisions,
  countRows,
  countUncompared,
  type Decisions,
  holdRows,
  isUncompared,
  releaseRows,
  sendOnly,
  tickOfGoing,
} from "../../lib/runs.ts";
import { Button, type Chip, Chips, SearchField, SelectField, Tick } from "../../ui/controls.tsx";
import { Failure } from "../../ui/messages.tsx";
import { type ListedFields, RunList, type RunListKind } from "./run-list.tsx";

const BIGGEST: RunRowSort = { column: "changes", isDescending: true };

type Guard = RunView["guards"][number];

interface DecidableProps {
  readonly run: RunView;
  readonly decisions: Decisions;
  /** `null` where the person sees the rows, and others decide. */
  readonly onDecide: ChangeDecisions | null;
}

/** Whether all rows of the group wait for the unit of the prices, so that none can be let go. */
const isUnitGroup = ({ guard, rows }: Guard, run: RunView): boolean =>
  guard === "price-scale" && countUncompared(run) >= rows;

const isStock = ({ field }: { readonly field: string }): boolean => field === "stock_count";
const isPrice = ({ field }: { readonly field: string }): boolean => field === "price";

/** Columns of the rows that are not held; those are not among the fields of a run. */
const listedFields = ({ fields, actions }: RunView, kind: RunListKind): ListedFields => ({
  hasCodes: actions === null,
  // Packages and templates are not all treated alike.
  hasDeeds: kind === "update" && (actions === "packages" || actions === "templates"),
  hasPrices: kind === "add" || fields.some(isPrice),
  hasStock: kind === "add" || fields.some(isStock),
});

const GuardGroup = ({
  guard,
  run,
  decisions,
  onDecide,
}: DecidableProps & { readonly guard: Guard }): ReactNode => {
  const { texts } = usePage();
  const words = texts.preview;
  const [isOpen, setIsOpen] = useState(true);
  const filter: RunRowFilter = { show: "held", guard: guard.guard };
  const { data: free, error } = useRunOrder(run.id, { ...filter, can: "release" });
  const known = useMemo(() => new Set(free), [free]);
  const all = tickState(decisions.release, free ?? []);
  const release = (rows: readonly number[], isReleased: boolean): void =>
    onDecide?.((now) =>
      releaseRows(
        now,
        rows.filter((row) => known.has(row)),
        isReleased,
      ),
    );
  const ticks: ListTicks<RunRowView> = {
    has: (row) => decisions.release.has(row),
    all,
    onTick: release,
    onTickAll: (isTicked) => release([...known], isTicked),
    label: ({ name }) => words.sendRow(name),
    allLabel: `${guard.label}: ${words.allListed}`,
    canTick: (row) => !isUncompared(row),
  };
  return (
    <li className="guard">
      <div className="guard-head">
        <strong>{guard.label}</strong>
        <span className="badge badge-warning">{words.rowCount(guard.rows)}</span>
        {isUnitGroup(guard, run) ? (
          <span className="muted">{texts.priceUnit.first}</span>
        ) : onDecide === null ? null : (
          <Tick {...all} onChange={(isTicked) => release([...known], isTicked)}>
            {words.allOfGuard(guard.rows)}
          </Tick>
        )}
        <Button kind="quiet" icon={isOpen ? "up" : "down"} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? words.hide : words.show}
        </Button>
      </div>
      <Failure error={error} />
      {isOpen ? (
        <RunList
          run={run.id}
          planHash={run.planHash}
          label={guard.label}
          kind="update"
          filter={filter}
          firstSort={BIGGEST}
          hasPrices={run.actions === null}
          hasCodes={run.actions === null}
          hasStock={run.plan.stock > 0 || run.fields.some(isStock)}
          toTicks={onDecide === null ? undefined : () => ticks}
          isShort
        />
      ) : null}
    </li>
  );
};

/** Rows that a guard holds, by guard, to be let go one by one or all at once. */
export const HeldRows = (props: DecidableProps): ReactNode => {
  const words = usePage().texts.preview;
  const { stock } = countRows(props.run.plan, props.decisions);
  const isSeen = props.onDecide === null;
  return (
    <section className="card stack-tight held">
      <h2>{(isSeen ? words.heldSeenTitle : words.heldTitle)(props.run.plan.held)}</h2>
      <p className="muted">
        {isSeen ? words.heldIntroSeen : words.heldIntro}{" "}
        {stock === 0 ? null : words.heldStock(stock)}
      </p>
      <ul className="guards">
        {props.run.guards.map((guard) => (
          <GuardGroup key={guard.guard} guard={guard} {...props} />
        ))}
      </ul>
    </section>
  );
};

type View = "add" | "update" | "held" | "unchanged" | "failed";

interface PlannedRowsProps {
  readonly run: RunView;
  readonly decisions: Decisions;
  /** `null` where the person cannot decide, or nothing can be decided any more. */
  readonly onDecide: ChangeDecisions | null;
}

/** Held rows stand above in their groups as long as the run is a plan. */
const useViews = ({ run }: PlannedRowsProps): readonly Chip<View>[] => {
  const { view, added, updated } = usePage().texts.preview;
  const { plan } = run;
  const isDone = run.state === "finished";
  const chips: readonly Chip<View>[] = [
    { key: "update", label: isDone ? updated : view.update, count: plan.updates },
    { key: "add", label: isDone ? added : view.add, count: plan.adds },
    {
      key: "held",
      label: view.held,
      count: run.state === "planned" ? 0 : plan.held,
      tone: "warning",
    },
    { key: "failed", label: view.failed, count: plan.invalid + plan.duplicate, tone: "error" },
    { key: "unchanged", label: view.unchanged, count: plan.unchanged },
  ];
  return chips.filter(({ count }) => count !== 0);
};

interface FieldsProps {
  readonly run: RunView;
  readonly field: string | undefined;
  readonly onField: (field: string | undefined) => void;
}

const Fields = ({ run, field, onField }: FieldsProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.preview;
  return (
    <SelectField
      label={words.field}
      isLabelHidden
      value={field ?? ""}
      onChange={(key) => onField(key === "" ? undefined : key)}
      choices={[
        { value: "", label: words.anyField },
        ...run.fields.map((one) => ({
          value: one.field,
          label: `${one.label} (${format.number(one.rows)})`,
        })),
      ]}
    />
  );
};

type Action = "add" | "update";

const toAction = (view: View): Action | null => (view === "add" || view === "update" ? view : null);

const KINDS: Readonly<Record<View, RunListKind>> = {
  add: "add",
  update: "update",
  held: "update",
  failed: "failed",
  unchanged: "failed",
};

/** What the box of all rows that are listed is called. */
const useAllLabel = (run: RunView, { show, field, text }: RunRowFilter): string => {
  const words = usePage().texts.preview;
  const changed = run.fields.find((one) => one.field === field);
  if (text !== undefined) return words.allFound;
  if (changed !== undefined) return words.allOfField(changed.label, changed.rows);
  return show === "add" ? words.allAdds(run.plan.adds) : words.all(run.plan.updates);
};

interface OnlyTheseProps {
  readonly run: string;
  readonly filter: RunRowFilter;
  readonly onDecide: ChangeDecisions;
}

/** Unticks every row that is not listed. */
const OnlyThese = ({ run, filter, onDecide }: OnlyTheseProps): ReactNode => {
  const { texts, lang } = usePage();
  const only = useAction(async () => {
    const [listed, adds, updates] = await Promise.all([
      readRunOrder(run, { ...filter, can: "send" }, lang),
      readRunOrder(run, { show: "add", can: "send" }, lang),
      readRunOrder(run, { show: "update", can: "send" }, lang),
    ]);
    onDecide(() => sendOnly(listed, { adds, updates }));
  });
  return (
    <>
      <Button isBusy={only.isRunning} onPress={() => only.run()}>
        {texts.preview.onlyThese}
      </Button>
      <Failure error={only.error} />
    </>
  );
};

const toFilter = (view: View, field: string | undefined, text: string): RunRowFilter => ({
  show: view,
  ...(view === "update" && field !== undefined ? { field } : {}),
  ...(text === "" ? {} : { text }),
});

/** A box for each row that would go. */
const useGoingTicks = (
  { decisions, onDecide }: PlannedRowsProps,
  view: View,
  allLabel: string,
): ((order: Uint32Array) => ListTicks<RunRowView>) | undefined => {
  const words = usePage().texts.preview;
  const action = toAction(view);
  if (onDecide === null || action === null) return undefined;
  const send = (rows: readonly number[], isSent: boolean): void =>
    onDecide((now) =>
      holdRows(
        now,
        rows.map((row) => ({ row, action })),
        !isSent,
      ),
    );
  return (order) => ({
    has: (row) => !decisions.hold.has(row),
    all: tickOfGoing(decisions, order),
    onTick: send,
    onTickAll: (isTicked) => send([...order], isTicked),
    label: ({ name }) => words.sendRow(name),
    allLabel,
    canTick: ({ canSend }) => canSend,
  });
};

interface RowsProps extends PlannedRowsProps {
  readonly views: readonly Chip<View>[];
}

const Rows = ({ views, ...props }: RowsProps): ReactNode => {
  const { run, onDecide } = props;
  const words = usePage().texts.preview;
  const [chosen, setChosen] = useState<View | null>(null);
  const [field, setField] = useState<string | undefined>();
  const [text, setText] = useState("");
  const view = chosen ?? views[0]?.key ?? "update";
  const settled = useDebounced(text.trim(), 250);
  const filter = toFilter(view, field, settled);
  const toTicks = useGoingTicks(props, view, useAllLabel(run, filter));
  const isFiltered = filter.text !== undefined || filter.field !== undefined;
  return (
    <section className="stack-tight">
      <div className="filters-line">
        <Chips label={words.views} chips={views} chosen={view} onChoose={setChosen} />
        {view === "update" && run.fields.length > 1 ? (
          <Fields run={run} field={field} onField={setField} />
        ) : null}
        <SearchField label={words.search} value={text} onChange={setText} />
        {toTicks === undefined || !isFiltered || onDecide === null ? null : (
          <OnlyThese run={run.id} filter={filter} onDecide={onDecide} />
        )}
      </div>
      <RunList
        key={view}
        run={run.id}
        planHash={run.planHash}
        label={words.views}
        kind={KINDS[view]}
        filter={filter}
        {...(view === "held" && run.actions === null
          ? { hasPrices: true, hasStock: true }
          : listedFields(run, KINDS[view]))}
        toTicks={toTicks}
      />
    </section>
  );
};

/** The rows of a plan, by what becomes of them; nothing where an undo has nothing to undo. */
export const PlannedRows = (props: PlannedRowsProps): ReactNode => {
  const views = useViews(props);
  return views.length === 0 ? null : <Rows {...props} views={views} />;
};
