import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";

import type { RunRowFilter, RunRowView, RunView } from "../../../src/api/index.ts";
import {
  type Decisions,
  holdRows,
  releaseRows,
  tickOfHeldBack,
  type TickState,
} from "../../lib/decisions.ts";
import type { Lang } from "../../lib/language.ts";
import { usePage } from "../../lib/page.tsx";
import { readAllRunRows } from "../../lib/queries.ts";
import { isUncompared } from "../../lib/uncompared.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDebounced } from "../../lib/use-debounced.ts";
import type { ChangeDecisions } from "../../lib/use-decisions.ts";
import { type Chip, Chips } from "../../ui/chips.tsx";
import { TextField, Tick } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { RunRowsTable, type RowColumn } from "./run-rows.tsx";

type View = "add" | "update" | "held" | "unchanged" | "failed";

interface PlannedRowsProps {
  readonly run: RunView;
  readonly decisions: Decisions;
  /** `null` where nothing can be decided any more. */
  readonly onDecide: ChangeDecisions | null;
}

/** A box for each row that would go. */
const useSendColumn = (
  view: View,
  decisions: Decisions,
  onDecide: PlannedRowsProps["onDecide"],
): RowColumn | undefined => {
  const words = usePage().texts.preview;
  return useMemo(() => {
    if (onDecide === null || view === "unchanged" || view === "failed") return undefined;
    return {
      key: "tick",
      header: words.send,
      render: (row) =>
        row.canSend || (row.isHeld && !isUncompared(row)) ? (
          <Tick
            isLabelHidden
            isTicked={row.isHeld ? decisions.release.has(row.row) : !decisions.hold.has(row.row)}
            onChange={(isTicked) =>
              onDecide((now) =>
                row.isHeld
                  ? releaseRows(now, [row.row], isTicked)
                  : holdRows(now, [row], !isTicked),
              )
            }
          >
            {words.sendRow(row.name)}
          </Tick>
        ) : null,
    };
  }, [view, decisions, onDecide, words]);
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

/** The rows of one changed field that would go. */
const readGoingRows = async (
  run: string,
  field: string,
  lang: Lang,
): Promise<readonly RunRowView[]> => {
  const rows = await readAllRunRows(run, { show: "update", field }, lang);
  return rows.filter(({ canSend }) => canSend);
};

/** Whether all rows of the chosen field stay, or some; they are read once any row stays. */
const useFieldTick = ({
  run,
  decisions,
  field,
}: Omit<PlannedRowsProps, "onDecide"> & { readonly field: string | undefined }): TickState => {
  const { lang } = usePage();
  const { data: rows = [] } = useQuery({
    queryKey: ["field-rows", run.id, run.planHash, field, lang],
    queryFn: () => readGoingRows(run.id, field ?? "", lang),
    enabled: field !== undefined && decisions.hold.size > 0,
    staleTime: Infinity,
  });
  return useMemo(
    () =>
      tickOfHeldBack(
        decisions,
        rows.map(({ row }) => row),
      ),
    [decisions, rows],
  );
};

interface FieldsProps extends PlannedRowsProps {
  readonly field: string | undefined;
  readonly onField: (field: string | undefined) => void;
}

/** Which field the updates change; all of one field can stay. */
const Fields = ({ run, decisions, onDecide, field, onField }: FieldsProps): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.preview;
  const tick = useFieldTick({ run, decisions, field });
  const hold = useAction(async (key: string, isHeld: boolean) => {
    const going = await readGoingRows(run.id, key, lang);
    onDecide?.((now) => holdRows(now, going, isHeld));
  });
  const chosen = run.fields.find((one) => one.field === field);
  const chips = [
    { key: "", label: words.anyField },
    ...run.fields.map((one) => ({ key: one.field, label: one.label, count: one.rows })),
  ];
  return (
    <div className="stack-tight">
      <Chips
        label={words.field}
        chips={chips}
        chosen={field ?? ""}
        onChoose={(key) => onField(key === "" ? undefined : key)}
      />
      {chosen === undefined || onDecide === null ? null : (
        <Tick
          {...tick}
          isDisabled={hold.isRunning}
          onChange={(isTicked) => hold.run(chosen.field, isTicked)}
        >
          {words.allOfField(chosen.label, chosen.rows)}
        </Tick>
      )}
      <Failure error={hold.error} />
    </div>
  );
};

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
  const filter: RunRowFilter = {
    show: view,
    ...(isUpdate ? { sort: "changes" } : {}),
    ...(isUpdate && field !== undefined ? { field } : {}),
    ...(settled === "" ? {} : { text: settled }),
  };
  return (
    <section className="stack-tight">
      <div className="filters-line">
        <Chips label={words.views} chips={views} chosen={view} onChoose={setChosen} />
        <TextField
          label={words.search}
          isLabelHidden
          type="search"
          value={text}
          onChange={setText}
        />
      </div>
      {isUpdate && run.fields.length > 1 ? (
        <Fields {...{ run, decisions, onDecide, field }} onField={setField} />
      ) : null}
      <RunRowsTable run={run.id} filter={filter} first={column} />
    </section>
  );
};

/** The rows of a plan, by what becomes of them; nothing where an undo has nothing to take back. */
export const PlannedRows = (props: PlannedRowsProps): ReactNode => {
  const views = useViews(props.run);
  return views.length === 0 ? null : <Rows {...props} views={views} />;
};
