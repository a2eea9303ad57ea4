import { type ReactNode, useState } from "react";

import type { ApproveBody, DecisionResult, RunView } from "../../../src/api/index.ts";
import { countRows, type Decisions } from "../../lib/decisions.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange, useTakeRun } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextField, Tick } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { Cost } from "../preview/cost.tsx";
import { RefusedRows } from "../report/refused-rows.tsx";
import { ConfirmSending } from "./confirm-sending.tsx";

interface ApproveProps {
  readonly run: RunView;
  readonly decisions: Decisions;
}

const DEFAULT_CANARY = "3";

const Numbers = ({ run, decisions }: ApproveProps): ReactNode => {
  const words = usePage().texts.send;
  const { adds, updates, released, stock, heldBack } = countRows(run.plan, decisions);
  const lines = [
    { count: adds, text: words.confirmAdds },
    { count: updates, text: words.confirmUpdates },
    { count: released, text: words.confirmReleased },
    { count: stock, text: words.confirmStock },
    { count: heldBack, text: words.confirmHeld },
  ];
  return (
    <ul className="confirm-lines">
      {lines
        .filter(({ count }) => count > 0)
        .map(({ count, text }) => (
          <li key={text(count)}>{text(count)}</li>
        ))}
    </ul>
  );
};

interface CanaryProps {
  readonly canary: string | null;
  readonly onChange: (canary: string | null) => void;
}

const Canary = ({ canary, onChange }: CanaryProps): ReactNode => {
  const words = usePage().texts.send;
  return (
    <div className="stack-tight">
      <Tick
        isTicked={canary !== null}
        onChange={(isTicked) => onChange(isTicked ? DEFAULT_CANARY : null)}
      >
        {words.canary}
      </Tick>
      <p className="muted small indent">{words.canaryHint}</p>
      {canary === null ? null : (
        <TextField label={words.canaryCount} type="number" value={canary} onChange={onChange} />
      )}
    </div>
  );
};

const toBody = (run: RunView, decisions: Decisions, canary: string | null): ApproveBody => ({
  planHash: run.planHash,
  release: [...decisions.release],
  hold: [...decisions.hold.keys()],
  ...(canary === null || countRows(run.plan, decisions).adds === 0
    ? {}
    : { canary: Math.min(1_000, Math.max(1, Math.floor(Number(canary)) || 1)) }),
});

const useSend = (run: RunView) => {
  const takeRun = useTakeRun();
  const change = useRunChange<DecisionResult>(run.id);
  const send = (body: ApproveBody, onDone: () => void): void =>
    change.mutate(
      { path: "/send", body },
      {
        onSuccess: (result) => takeRun(result.run),
        onSettled: onDone,
      },
    );
  return {
    send,
    refused: change.data?.refused ?? [],
    error: change.error,
    isPending: change.isPending,
  };
};

/** Asks for the approval of the plan that was shown. */
export const Approve = ({ run, decisions }: ApproveProps): ReactNode => {
  const words = usePage().texts.send;
  const [isOpen, setIsOpen] = useState(false);
  const [canary, setCanary] = useState<string | null>(null);
  const { send, refused, error, isPending } = useSend(run);
  const close = (): void => setIsOpen(false);
  const { rows, adds } = countRows(run.plan, decisions);
  const canSend = run.can.send && rows > 0;
  return (
    <section className="narrow card stack">
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      <Numbers run={run} decisions={decisions} />
      <Cost plan={run.plan} />
      {adds === 0 ? null : <Canary canary={canary} onChange={setCanary} />}
      {run.problem === null ? null : <Message tone="error">{run.problem.message}</Message>}
      <Failure error={error} />
      <RefusedRows refused={refused} />
      {run.can.send || run.problem !== null || run.state !== "planned" ? null : (
        <p className="muted">{words.onlyReading}</p>
      )}
      <div className="line">
        <Button kind="primary" isDisabled={!canSend} onPress={() => setIsOpen(true)}>
          {words.open}
        </Button>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.toPreview}</Link>
      </div>
      <ConfirmSending
        rows={rows}
        changes={{ adds, updates: rows - adds }}
        isOpen={isOpen}
        isPending={isPending}
        onClose={close}
        onConfirm={() => send(toBody(run, decisions, canary), close)}
      >
        <Numbers run={run} decisions={decisions} />
        <Cost plan={run.plan} />
      </ConfirmSending>
    </section>
  );
};
