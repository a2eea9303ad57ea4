import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";

import type { RunRowFilter, RunView } from "../../../src/api/index.ts";
import { countRows, releaseRows } from "../../lib/decisions.ts";
import { usePage } from "../../lib/page.tsx";
import { readAllRunRows } from "../../lib/queries.ts";
import { countUncompared, isUncompared } from "../../lib/uncompared.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Tick } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import type { PreviewProps } from "./preview.tsx";
import { RunRowsTable, type RowColumn } from "./run-rows.tsx";

type Guard = RunView["guards"][number];

/** A box for each held row. */
const useReleaseColumn = ({ decisions, onDecide }: PreviewProps): RowColumn => {
  const words = usePage().texts.preview;
  return useMemo(
    () => ({
      key: "tick",
      header: words.send,
      render: (row) =>
        isUncompared(row) ? null : (
          <Tick
            isLabelHidden
            isTicked={decisions.release.has(row.row)}
            onChange={(isTicked) => onDecide((now) => releaseRows(now, [row.row], isTicked))}
          >
            {words.sendRow(row.name)}
          </Tick>
        ),
    }),
    [words, decisions, onDecide],
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
        <RunRowsTable run={props.run.id} filter={{ ...filter, sort: "changes" }} first={column} />
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
