/** Whether a rule is that of this store or of all, and the way to change it. */

import type { ReactNode } from "react";

import type { ShareBody } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useRulesChange } from "../lib/queries.ts";
import { Button } from "../ui/controls.tsx";
import { Failure } from "../ui/messages.tsx";

interface SharingProps {
  readonly what: ShareBody;
  /** The rule, as people call it. */
  readonly name: string;
  readonly isShared: boolean;
}

/** Nothing on a page of one person, unless a rule is shared. */
export const Sharing = ({ what, name, isShared }: SharingProps): ReactNode => {
  const { me, account, texts } = usePage();
  const words = texts.work.rules.sharing;
  const change = useRulesChange();
  if (account === null && !isShared) return null;
  const [path, label, text] = isShared
    ? (["/unshare", words.unshareName(name), words.unshare] as const)
    : (["/share", words.shareName(name), words.share] as const);
  return (
    <>
      <span className="badge">{isShared ? words.all : words.own}</span>
      {me.isOverAll ? (
        <Button
          kind="quiet"
          label={label}
          isBusy={change.isPending}
          onPress={() => change.mutate({ path, body: what })}
        >
          {text}
        </Button>
      ) : null}
      <Failure error={change.error} />
    </>
  );
};
