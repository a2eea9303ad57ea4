import { type ReactNode, useState } from "react";

import type { ResumeBody, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange, useTakeRun } from "../../lib/queries.ts";
import { isTypedCount } from "../../lib/typed-count.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";

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
  return <p className="muted">{hints.join(" ")}</p>;
};

const useTitle = (): string => {
  const { me, texts } = usePage();
  const words = texts.send;
  const id = me.store?.storeId ?? "";
  if (me.store?.isSandbox === true) return words.confirmSandbox;
  return me.store?.isLocal === true ? words.confirmLocal(id) : words.confirmLive(id);
};

interface ConfirmSendingProps {
  /** Rows that go, which a person types where the store may be a live one. */
  readonly rows: number;
  readonly changes: Changes;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** What goes, in words. */
  readonly children: ReactNode;
}

/** Asks before rows go to the store. */
export const ConfirmSending = ({
  rows,
  changes,
  isOpen,
  isPending,
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
      actions={
        <Button kind="primary" isBusy={isPending} isDisabled={!isTyped} onPress={on.onConfirm}>
          {words.confirm}
        </Button>
      }
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
