import { type ReactNode, useMemo, useState } from "react";

import type {
  DecisionResult,
  ReleaseBody,
  RunRowFilter,
  RunRowView,
  RunView,
} from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { readAllRunRows, useRunChange } from "../../lib/queries.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Tick } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { type RowColumn, RunRowsTable } from "../preview/run-rows.tsx";
import { RefusedRows } from "./refused-rows.tsx";

const HELD: RunRowFilter = { show: "held" };

type Chosen = ReadonlyMap<number, RunRowView>;

const without = (chosen: Chosen, row: number): Chosen =>
  new Map([...chosen].filter(([one]) => one !== row));

const useTickColumn = (chosen: Chosen, onChoose: (chosen: Chosen) => void): RowColumn => {
  const words = usePage().texts.report;
  return useMemo(
    () => ({
      key: "tick",
      header: words.chooseHeader,
      render: (row) => (
        <Tick
          isLabelHidden
          isTicked={chosen.has(row.row)}
          onChange={(isTicked) =>
            onChoose(isTicked ? new Map([...chosen, [row.row, row]]) : without(chosen, row.row))
          }
        >
          {words.choose(row.name)}
        </Tick>
      ),
    }),
    [words, chosen, onChoose],
  );
};

/** Rows that the last question names. */
const MAX_NAMED = 5;

/** What is about to be decided, by product and by what would change. */
const ChosenRows = ({ chosen }: { readonly chosen: Chosen }): ReactNode => {
  const words = usePage().texts.report;
  const named = [...chosen.values()].slice(0, MAX_NAMED);
  return (
    <ul className="confirm-lines">
      {named.map(({ row, code, name, title, changes }) => (
        <li key={row}>
          <strong>{code ?? name}</strong> {title}
          {changes.map(({ field, label, before, after }) => (
            <div key={field} className="muted">
              {label}: {before === null ? after : `${before} → ${after}`}
            </div>
          ))}
        </li>
      ))}
      {chosen.size > MAX_NAMED ? <li>{words.moreChosen(chosen.size - MAX_NAMED)}</li> : null}
    </ul>
  );
};

interface DecideProps {
  readonly run: RunView;
  readonly chosen: Chosen;
  readonly onDone: () => void;
}

const Decide = ({ run, chosen, onDone }: DecideProps): ReactNode => {
  const words = usePage().texts.report;
  const [decision, setDecision] = useState<ReleaseBody["decision"] | null>(null);
  const change = useRunChange<DecisionResult>(run.id);
  const close = (): void => setDecision(null);
  const decide = (): void => {
    if (decision === null) return;
    const body: ReleaseBody = { rows: [...chosen.keys()], decision };
    change.mutate({ path: "/release", body }, { onSuccess: onDone, onSettled: close });
  };
  const goes = run.kind === "sync" ? words.releaseTextSync : words.releaseText;
  const label = decision === "cancel" ? words.giveUp(chosen.size) : words.release(chosen.size);
  return (
    <div className="line">
      <Button kind="primary" isDisabled={chosen.size === 0} onPress={() => setDecision("send")}>
        {words.release(chosen.size)}
      </Button>
      <Button isDisabled={chosen.size === 0} onPress={() => setDecision("cancel")}>
        {words.giveUp(chosen.size)}
      </Button>
      <Failure error={change.error} />
      <RefusedRows refused={change.data?.refused ?? []} />
      <Dialog
        title={decision === "cancel" ? words.giveUpTitle : words.releaseTitle}
        isOpen={decision !== null}
        onClose={close}
        isAboutGivingUp={decision === "cancel"}
        actions={
          <Button kind="primary" isBusy={change.isPending} onPress={decide}>
            {label}
          </Button>
        }
      >
        <p>{decision === "cancel" ? words.giveUpText(chosen.size) : goes(chosen.size)}</p>
        <ChosenRows chosen={chosen} />
      </Dialog>
    </div>
  );
};

/** Rows of a run that wait for a person: send them, or give them up. */
export const WaitingRows = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.report;
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const column = useTickColumn(chosen, setChosen);
  const chooseAll = useAction(async (isTicked: boolean) => {
    const rows = isTicked ? await readAllRunRows(run.id, HELD, lang) : [];
    setChosen(new Map(rows.map((row) => [row.row, row])));
  });
  return (
    <section className="card stack-tight held">
      <h2>{words.held}</h2>
      <p className="muted">{words.heldText(run.counts.held)}</p>
      <Tick
        isTicked={chosen.size > 0 && chosen.size === run.counts.held}
        isDisabled={chooseAll.isRunning}
        onChange={chooseAll.run}
      >
        {words.chooseAll}
      </Tick>
      <Failure error={chooseAll.error} />
      <RunRowsTable run={run.id} filter={HELD} first={column} />
      <Decide run={run} chosen={chosen} onDone={() => setChosen(new Map())} />
    </section>
  );
};
