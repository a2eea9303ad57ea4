import { type ReactNode, useState } from "react";

import type { PlannedRunId, RunView, UndoBody } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { runPath, useRunChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Tick } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failure, Message } from "../../ui/message.tsx";

const open = ({ run }: PlannedRunId): void => goTo({ page: "run", id: run, step: "preview" });

const UndoButton = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const [isOpen, setIsOpen] = useState(false);
  const [zeroStock, setZeroStock] = useState(false);
  const body: UndoBody = { zeroStock };
  const undo = useRunChange<PlannedRunId>(run.id);
  const { added, updated } = run.counts;
  const isRefused = added > 0 && updated === 0 && !zeroStock;
  return (
    <>
      <Button icon="undo" isDisabled={!run.can.undo} onPress={() => setIsOpen(true)}>
        {words.undo}
      </Button>
      <Dialog
        title={words.undoTitle}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        isAboutGivingUp
        actions={
          <Button
            kind="primary"
            isBusy={undo.isPending}
            isDisabled={isRefused}
            onPress={() => undo.mutate({ path: "/undo", body }, { onSuccess: open })}
          >
            {undo.isPending ? words.preparing : words.undoGo}
          </Button>
        }
      >
        <p>{words.undoText}</p>
        {added === 0 ? null : (
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

const RetryButton = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const retry = useRunChange<PlannedRunId>(run.id);
  if (!run.can.retry && !retry.isPending) return null;
  return (
    <>
      <Button
        icon="redo"
        isBusy={retry.isPending}
        onPress={() => retry.mutate({ path: "/retry" }, { onSuccess: open })}
      >
        {words.retry}
      </Button>
      <Failure error={retry.error} />
    </>
  );
};

const Files = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format, lang } = usePage();
  if (run.files.length === 0) return null;
  return (
    <ul className="files" aria-label={texts.report.files}>
      {run.files.map(({ name, label, bytes }) => (
        <li key={name}>
          <a
            className="button button-plain"
            href={`${runPath(run.id)}/files/${encodeURIComponent(name)}?lang=${lang}`}
            download
          >
            <Icon name="download" />
            {label} <span className="muted">{format.bytes(bytes)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
};

/** Downloads, printing, taking back, trying again. */
export const ReportActions = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  return (
    <div className="report-actions">
      <Files run={run} />
      <div className="line">
        <Button onPress={() => print()}>{words.print}</Button>
        <RetryButton run={run} />
        <UndoButton run={run} />
      </div>
    </div>
  );
};
