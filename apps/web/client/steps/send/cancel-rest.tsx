import { type ReactNode, useState } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange, useTakeRun } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/message.tsx";

/** Gives up the rows of a stopped run that were not sent, once a person has confirmed it. */
export const CancelRest = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const takeRun = useTakeRun();
  const change = useRunChange<RunView>(run.id);
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const rows = format.number(run.counts.waiting);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{words.cancelRest}</Button>
      <Dialog
        title={words.cancelRestTitle}
        isOpen={isOpen}
        onClose={close}
        isAboutGivingUp
        actions={
          <Button
            kind="primary"
            isBusy={change.isPending}
            onPress={() =>
              change.mutate(
                { path: "/cancel-rest" },
                {
                  onSuccess: (answer) => {
                    close();
                    takeRun(answer);
                  },
                },
              )
            }
          >
            {words.cancelRestGo}
          </Button>
        }
      >
        <p>{words.cancelRestText(rows)}</p>
        <p className="muted">{words.cancelRestHint}</p>
        <Failure error={change.error} />
      </Dialog>
    </>
  );
};
