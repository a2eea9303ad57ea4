/** Who answers for a schedule on a server of several people, and handing it over. */

import { allows } from "@catalog/team/roles";
import { type ReactNode, useState } from "react";

import type { ScheduleView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useHandOver, useMembers } from "../lib/team.ts";
import { SelectField } from "../ui/controls.tsx";
import { Dialog, Failure, Message } from "../ui/messages.tsx";

interface OwnerProps {
  readonly schedule: Pick<ScheduleView, "id" | "owner">;
}

/** The owner; of one who is gone, that nobody answers for the schedule. Nothing on the page of one person. */
export const FeedOwner = ({ schedule: { owner } }: OwnerProps): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.owner;
  if (account === null) return null;
  if (owner?.isGone === true) {
    return (
      <Message tone="warning" title={words.gone}>
        <p>{words.goneText(owner.name)}</p>
      </Message>
    );
  }
  return (
    <span className="file-facts">
      <span>{owner === null ? words.none : words.is(owner.name)}</span>
    </span>
  );
};

interface HandOverProps extends OwnerProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** Chooses who answers for the schedule from now on, among those who may. */
export const HandOverDialog = ({ schedule, name, onClose }: HandOverProps): ReactNode => {
  const words = usePage().texts.team.owner;
  const members = (useMembers(true).data ?? []).filter(
    ({ id, role }) => allows(role, "approver") && id !== schedule.owner?.person,
  );
  const [chosen, setChosen] = useState("");
  const person = members.find(({ id }) => String(id) === chosen)?.id ?? members[0]?.id;
  const handOver = useHandOver(schedule.id);
  const save = (): void => {
    if (person !== undefined) handOver.mutate({ person }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={words.title(name)}
      isOpen
      onClose={onClose}
      confirm={{
        isBusy: handOver.isPending,
        isDisabled: person === undefined,
        onPress: save,
        children: words.save,
      }}
    >
      <p>{words.intro}</p>
      {person === undefined ? (
        <p>{words.nobody}</p>
      ) : (
        <SelectField
          label={words.who}
          value={String(person)}
          onChange={setChosen}
          choices={members.map(({ id, name: label }) => ({ value: String(id), label }))}
        />
      )}
      <Failure error={handOver.error} />
    </Dialog>
  );
};
