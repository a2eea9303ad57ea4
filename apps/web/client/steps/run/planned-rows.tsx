/** The rows of a plan, and the boxes with which a person decides what goes. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useRef, useState } from "react";

import type { RunRowFilter, RunRowView, RunView } from "../../../src/api/index.ts";
import type { Lang } from "../../lib/format.ts";
import { usePage } from "../../lib/page.tsx";
import { readAllRunRows, useDebounced } from "../../lib/queries.ts";
import { useAction } from "../../lib/requests.ts";
import {
  type ChangeDecisions,
  countRows,
  countUncompared,
  type Decisions,
  holdRows,
  isUncompared,
  releaseRows,
  tickOfGoing,
  type TickState,
} from "../../lib/runs.ts";
import { SearchField, Button, type Chip, Chips, Tick } from "../../ui/controls.tsx";
import { Failure } from "../../ui/messages.tsx";
import type { PreviewProps } from "./preview.tsx";
import { toTickColumn, type RowColumn, RunRowsTable } from "./run-rows.tsx";

const BIGGEST = { column: "changes", isDescending: true } as const;

type Guard = RunView["guards"][number];

/** A box for each held row. */
const useReleaseColumn = ({ decisions, onDecide }: PreviewProps): RowColumn => {
  const { send: header, sendRow: label } = usePage().texts.preview;
  return useMemo(
    () =>
      toTickColumn({
        header,
        label,
        canTick: (row) => !isUncompared(row),
        isTicked: ({ row }) => decisions.release.has(row),
        onTick: ({ row }, isTicked) => onDecide((now) => releaseRows(now, [row], isTicked)),
      }),
    [header, label, decisions, onDecide],
  );
};

/** Whether all rows of the group wait for the unit of the prices, so that none can be let go. */
const isUnitGroup = ({ guard, rows }: Guard, run: RunView): boolean =>
  guard === "price-scale" && countUncompared(run) >= rows;

/** Whether all rows of a group are ticked, or some; its rows are read once one is ticked. */
const useGroupTicks = (
  { run, decisions }: PreviewProps,
  { guard }: Guard,
): { readonly isTicked: boolean; readonly isMixed: boolean } => {
  const { lang } = usePage();
  const { release } = decisions;
  const { data: rows = [] } = useQuery({
    queryKey: ["guard-rows", run.id, run.planHash, guard, lang],
    queryFn: () => readAllRunRows(run.id, { show: "held", guard }, lang),
    enabled: release.size > 0,
    staleTime: Infinity,
  });
  const free = rows.filter((row) => !isUncompared(row));
  const ticked = release.size === 0 ? [] : free.filter(({ row }) => release.has(row));
  const isTicked = ticked.length > 0 && ticked.length === free.length;
  return { isTicked, isMixed: ticked.length > 0 && !isTicked };
};

const GuardGroup = ({ guard, ...props }: PreviewProps & { readonly guard: Guard }): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.preview;
  const [isOpen, setIsOpen] = useState(false);
  const ticks = useGroupTicks(props, guard);
  const column = useReleaseColumn(props);
  const filter: RunRowFilter = { show: "held", guard: guard.guard };
  const releaseAll = useAction(async (isReleased: boolean) => {
    const rows = await readAllRunRows(props.run.id, filter, lang);
    const free = rows.filter((row) => !isUncompared(row)).map(({ row }) => row);
    props.onDecide((now) => releaseRows(now, free, isReleased));
  });
  return (
    <li className="guard">
      <div className="guard-head">
        <strong>{guard.label}</strong>
        <span className="badge badge-warning">{words.rowCount(guard.rows)}</span>
        <Button kind="quiet" icon={isOpen ? "up" : "down"} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? words.hide : words.show}
        </Button>
      </div>
      {isUnitGroup(guard, props.run) ? (
        <p className="muted">{texts.priceUnit.first}</p>
      ) : (
        <Tick {...ticks} isDisabled={releaseAll.isRunning} onChange={releaseAll.run}>
          {words.allOfGuard(guard.rows)}
        </Tick>
      )}
      <Failure error={releaseAll.error} />
      {isOpen ? (
        <RunRowsTable run={props.run.id} filter={filter} sort={BIGGEST} first={column} />
      ) : null}
    </li>
  );
};

/** Rows that a guard holds, by guard, to be let go one by one or all at once. */
export const HeldRows = (props: PreviewProps): ReactNode => {
  const words = usePage().texts.preview;
  const { stock } = countRows(props.run.plan, props.decisions);
  return (
    <section className="card stack-tight held">
      <h2>{words.heldTitle}</h2>
      <p className="muted">
        {words.heldIntro} {stock === 0 ? null : words.heldStock(stock)}
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
  /** `null` where nothing can be decided any more. */
  readonly onDecide: ChangeDecisions | null;
}

const canTick = (row: RunRowView): boolean => row.canSend || (row.isHeld && !isUncompared(row));

/** The rows from one to another that have a box, in the order of the table. */
const rowsBetween = (
  rows: readonly RunRowView[],
  [one, other]: readonly [number, number],
): readonly RunRowView[] => {
  const ends = [one, other].map((row) => rows.findIndex((each) => each.row === row));
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  return rows.slice(Math.max(first, 0), last + 1).filter(canTick);
};

/** A box for each row that would go; with the Shift key it stands for all from the box before. */
const useSendColumn = (
  view: View,
  decisions: Decisions,
  onDecide: PlannedRowsProps["onDecide"],
): RowColumn | undefined => {
  const { send: header, sendRow: label } = usePage().texts.preview;
  const latest = useRef<number>(undefined);
  return useMemo(() => {
    if (onDecide === null || view === "unchanged" || view === "failed") return undefined;
    const tick = (rows: readonly RunRowView[], isTicked: boolean): void => {
      const held = rows.filter(({ isHeld }) => isHeld).map(({ row }) => row);
      const going = rows.filter(({ isHeld }) => !isHeld);
      onDecide((now) => holdRows(releaseRows(now, held, isTicked), going, !isTicked));
    };
    return toTickColumn({
      header,
      label,
      canTick,
      isTicked: ({ row, isHeld }) =>
        isHeld ? decisions.release.has(row) : !decisions.hold.has(row),
      onTick: ({ row }, isTicked, { rows, isRange }) => {
        const from = isRange ? (latest.current ?? row) : row;
        latest.current = row;
        tick(rowsBetween(rows, [from, row]), isTicked);
      },
    });
  }, [view, decisions, onDecide, header, label]);
};

const useViews = ({ state, plan }: RunView): readonly Chip<View>[] => {
  const { view, added, updated } = usePage().texts.preview;
  const isDone = state === "finished";
  const chips: readonly Chip<View>[] = [
    { key: "update", label: isDone ? updated : view.update, count: plan.updates },
    { key: "add", label: isDone ? added : view.add, count: plan.adds },
    { key: "held", label: view.held, count: plan.held, tone: "warning" },
    { key: "failed", label: view.failed, count: plan.invalid + plan.duplicate, tone: "error" },
    { key: "unchanged", label: view.unchanged, count: plan.unchanged },
  ];
  return chips.filter(({ count }) => count !== 0);
};

const readGoingRows = async (
  run: string,
  filter: RunRowFilter,
  lang: Lang,
): Promise<readonly RunRowView[]> => {
  const rows = await readAllRunRows(run, filter, lang);
  return rows.filter(({ canSend }) => canSend);
};

interface AllRowsProps extends PlannedRowsProps {
  readonly filter: RunRowFilter;
}

/** Whether all listed rows go, or some; they are read once any row stays. */
const useListTick = ({ run, decisions, filter }: Omit<AllRowsProps, "onDecide">): TickState => {
  const { lang } = usePage();
  const { data: rows = [] } = useQuery({
    queryKey: ["going-rows", run.id, run.planHash, filter, lang],
    queryFn: () => readGoingRows(run.id, filter, lang),
    enabled: decisions.hold.size > 0,
    staleTime: Infinity,
  });
  return useMemo(
    () =>
      tickOfGoing(
        decisions,
        rows.map(({ row }) => row),
      ),
    [decisions, rows],
  );
};

/** A box for all rows that are listed. */
const AllRows = ({ run, decisions, onDecide, filter }: AllRowsProps): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.preview;
  const tick = useListTick({ run, decisions, filter });
  const decide = useAction(async (isSent: boolean) => {
    const going = await readGoingRows(run.id, filter, lang);
    onDecide?.((now) => holdRows(now, going, !isSent));
  });
  const field = run.fields.find((one) => one.field === filter.field);
  const all = filter.show === "add" ? words.allAdds(run.plan.adds) : words.all(run.plan.updates);
  const label = field === undefined ? all : words.allOfField(field.label, field.rows);
  return (
    <>
      <Tick {...tick} isDisabled={decide.isRunning} onChange={decide.run}>
        {filter.text === undefined ? label : words.allFound}
      </Tick>
      <Failure error={decide.error} />
    </>
  );
};

interface FieldsProps {
  readonly run: RunView;
  readonly field: string | undefined;
  readonly onField: (field: string | undefined) => void;
}

const Fields = ({ run, field, onField }: FieldsProps): ReactNode => {
  const words = usePage().texts.preview;
  const chips = [
    { key: "", label: words.anyField },
    ...run.fields.map((one) => ({ key: one.field, label: one.label, count: one.rows })),
  ];
  return (
    <Chips
      label={words.field}
      chips={chips}
      chosen={field ?? ""}
      onChoose={(key) => onField(key === "" ? undefined : key)}
    />
  );
};

const SENT_VIEWS: ReadonlySet<View> = new Set(["update", "add"]);

const toFilter = (view: View, field: string | undefined, text: string): RunRowFilter => ({
  show: view,
  ...(view === "update" && field !== undefined ? { field } : {}),
  ...(text === "" ? {} : { text }),
});

interface RowsProps extends PlannedRowsProps {
  readonly views: readonly Chip<View>[];
}

const Rows = ({ run, decisions, onDecide, views }: RowsProps): ReactNode => {
  const words = usePage().texts.preview;
  const [chosen, setChosen] = useState<View | null>(null);
  const [field, setField] = useState<string | undefined>();
  const [text, setText] = useState("");
  const view = chosen ?? views[0]?.key ?? "update";
  const settled = useDebounced(text, 250);
  const column = useSendColumn(view, decisions, onDecide);
  const isUpdate = view === "update";
  const filter = toFilter(view, field, settled);
  return (
    <section className="stack-tight">
      <div className="filters-line">
        <Chips label={words.views} chips={views} chosen={view} onChoose={setChosen} />
        <SearchField label={words.search} value={text} onChange={setText} />
      </div>
      {isUpdate && run.fields.length > 1 ? (
        <Fields run={run} field={field} onField={setField} />
      ) : null}
      {SENT_VIEWS.has(view) && onDecide !== null ? (
        <AllRows {...{ run, decisions, onDecide, filter }} />
      ) : null}
      {isUpdate && run.plan.updates > 1 ? (
        <p className="muted small">{words.biggestFirst}</p>
      ) : null}
      <RunRowsTable
        run={run.id}
        filter={filter}
        {...(isUpdate ? { sort: BIGGEST } : {})}
        first={column}
      />
    </section>
  );
};

/** The rows of a plan, by what becomes of them; nothing where an undo has nothing to undo. */
export const PlannedRows = (props: PlannedRowsProps): ReactNode => {
  const views = useViews(props.run);
  return views.length === 0 ? null : <Rows {...props} views={views} />;
};
