/** Takes back what a run has changed: a preview first, and nothing without approval. */

import { type ReactNode, useState } from "react";

import type { PlannedRunId, RunView, UndoBody } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { useMay } from "../../lib/team.ts";
import { Button, Tick } from "../../ui/controls.tsx";
import { Dialog, Failure, Message } from "../../ui/messages.tsx";

/** Shows a plan that was made of another run. */
export const openPlan = ({ run }: PlannedRunId): void =>
  goTo({ page: "run", id: run, step: "preview" });

interface UndoButtonProps {
  readonly run: RunView;
  /** @default the word for taking back */
  readonly label?: string | undefined;
  /** What is taken back. @default all that the run has changed */
  readonly fields?: readonly string[] | undefined;
}

/** Plans to take back what a run has changed, once a person has read what becomes of it. */
export const UndoButton = ({ run, label, fields }: UndoButtonProps): ReactNode => {
  const words = usePage().texts.report;
  const [isOpen, setIsOpen] = useState(false);
  const [zeroStock, setZeroStock] = useState(false);
  const body: UndoBody = { zeroStock, ...(fields === undefined ? {} : { fields }) };
  const undo = useRunChange<PlannedRunId>(run.id);
  const { added, updated } = run.counts;
  const may = useMay("approver");
  if (!may) return null;
  const isRefused = added > 0 && updated === 0 && !zeroStock;
  return (
    <>
      <Button icon="undo" isDisabled={!run.can.undo} onPress={() => setIsOpen(true)}>
        {label ?? words.undo}
      </Button>
      <Dialog
        title={words.undoTitle}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        isAboutGivingUp
        confirm={{
          isBusy: undo.isPending,
          isDisabled: isRefused,
          onPress: () => undo.mutate({ path: "/undo", body }, { onSuccess: openPlan }),
          children: undo.isPending ? words.preparing : words.undoGo,
        }}
      >
        <p>{words.undoText}</p>
        {added === 0 || fields !== undefined ? null : (
          <>
            <Tick isTicked={zeroStock} onChange={setZeroStock}>
              {words.zeroStock(added)}
            </Tick>
            <p className="muted small indent">{words.zeroStockHint}</p>
          </>
        )}
        {isRefused ? <Message tone="info">{words.onlyAdds}</Message> : null}
        <Failure error={undo.error} />
      </Dialog>
    </>
  );
};
