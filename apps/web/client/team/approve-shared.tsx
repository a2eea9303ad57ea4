/** One confirmation for several stores, each of which is approved by its own rules. */

import { type ReactNode, useState } from "react";

import type { SharedFileView, SharedStoreView } from "../../src/api/index.ts";
import { isTypedCount } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { useAction } from "../lib/requests.ts";
import { countSent, type StoreResult } from "../lib/shared-files.ts";
import { Button, TextField, Tick } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";

type Refusal = NonNullable<NonNullable<SharedStoreView["run"]>["refusal"]> | "none";

/** Why the person cannot approve the store's plan; `null` where they can. */
export const refusalOf = ({ run, step }: SharedStoreView): Refusal | null => {
  if (run === null) return "none";
  if (run.refusal !== null) return run.refusal;
  return step === "planned" ? null : "stale";
};

interface StoreLineProps {
  readonly store: SharedStoreView;
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}

const StoreLine = ({ store, isTicked, onTick }: StoreLineProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.shared;
  const refusal = refusalOf(store);
  const { run } = store;
  return (
    <li>
      <Tick isTicked={isTicked && refusal === null} isDisabled={refusal !== null} onChange={onTick}>
        <strong>{store.store}</strong>
        <span className="shared-counts">
          {refusal === null && run !== null
            ? words.confirmStore(run.updates, run.adds, run.stock)
            : words.refusals[refusal ?? "none"]}
          {refusal === null && run !== null && run.held > run.stock
            ? `; ${words.confirmHeld(run.held - run.stock)}`
            : null}
        </span>
      </Tick>
    </li>
  );
};

interface ApproveSharedProps {
  readonly file: SharedFileView;
  readonly approve: (stores: readonly SharedStoreView[]) => Promise<readonly StoreResult[]>;
  /** Takes what became of each store. */
  readonly onResults: (results: readonly StoreResult[]) => void;
}

/** The button, and the stores as they were when it was pressed: what is approved is what is read there. */
export const ApproveShared = ({ file, ...props }: ApproveSharedProps): ReactNode => {
  const words = usePage().texts.shared;
  const [asked, setAsked] = useState<readonly SharedStoreView[] | null>(null);
  const canApprove = file.stores.some((store) => refusalOf(store) === null);
  if (file.stores.every(({ run }) => run === null)) return null;
  return (
    <>
      <Button kind="primary" isDisabled={!canApprove} onPress={() => setAsked(file.stores)}>
        {words.approve}
      </Button>
      {canApprove ? null : <span className="muted">{words.approveNothing}</span>}
      {asked === null ? null : <Confirm stores={asked} {...props} onClose={() => setAsked(null)} />}
    </>
  );
};

interface ConfirmProps extends Omit<ApproveSharedProps, "file"> {
  readonly stores: readonly SharedStoreView[];
  readonly onClose: () => void;
}

const Confirm = ({ stores, approve, onResults, onClose }: ConfirmProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.shared;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState("");
  const chosen = stores.filter((store) => refusalOf(store) === null && !left.has(store.store));
  const rows = chosen.reduce((sum, store) => sum + countSent(store), 0);
  const adds = chosen.some(({ run }) => (run?.adds ?? 0) > 0);
  const sending = useAction(async () => {
    onResults(await approve(chosen));
    onClose();
  });
  const tick = (store: string, isTicked: boolean): void => {
    const others = [...left].filter((each) => each !== store);
    setLeft(new Set(isTicked ? others : [...others, store]));
  };
  return (
    <Dialog
      title={words.confirmTitle}
      isOpen
      onClose={onClose}
      confirm={{
        isBusy: sending.isRunning,
        isDisabled: chosen.length === 0 || !isTypedCount(typed, rows),
        onPress: () => sending.run(),
        children: words.confirm,
      }}
    >
      <ul className="shared-confirm">
        {stores.map((store) => (
          <StoreLine
            key={store.store}
            store={store}
            isTicked={!left.has(store.store)}
            onTick={(isTicked) => tick(store.store, isTicked)}
          />
        ))}
      </ul>
      <p className="muted">
        {words.confirmText} {adds ? texts.send.confirmNoUndo : null}
      </p>
      {chosen.length === 0 ? null : (
        <TextField
          label={words.confirmType(format.number(rows))}
          value={typed}
          onChange={setTyped}
          isFocused
        />
      )}
      <Failure error={sending.error} />
    </Dialog>
  );
};
