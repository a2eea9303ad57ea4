import { type ReactNode, useId, useState } from "react";

import type { DraftView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraftChange, useNames } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Tick } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure } from "../../ui/message.tsx";

interface Answer {
  readonly target: string;
  readonly isRemembered: boolean;
}

interface NameItemProps {
  readonly name: NameView;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

const NameItem = ({ name, isBusy, onAnswer }: NameItemProps): ReactNode => {
  const { fix } = usePage().texts;
  // One name among several is a person's choice.
  const only = name.choices.length === 1 ? name.choices[0] : undefined;
  const [target, setTarget] = useState(only?.target ?? null);
  const [isRemembered, setIsRemembered] = useState(true);
  const group = useId();
  return (
    <li className="name">
      <div className="name-head">
        <strong>{name.value}</strong>
        <span className="muted">
          {name.label} · {fix.nameRows(name.rows)}
        </span>
      </div>
      {name.choices.length === 0 ? <p className="muted">{fix.nameOther}</p> : null}
      <fieldset className="name-options">
        <legend className="unseen">{fix.nameChoices(name.value)}</legend>
        {name.choices.map((choice) => (
          <label key={choice.target} className="name-option">
            <input
              type="radio"
              name={group}
              checked={choice.target === target}
              onChange={() => setTarget(choice.target)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </fieldset>
      {name.choices.length === 0 ? null : (
        <div className="name-actions">
          <Tick isTicked={isRemembered} onChange={setIsRemembered}>
            {fix.remember}
            {isRemembered ? "" : ` (${fix.onlyNow})`}
          </Tick>
          <Button
            isBusy={isBusy}
            isDisabled={target === null}
            onPress={() => target !== null && onAnswer({ target, isRemembered })}
          >
            {fix.answer}
          </Button>
        </div>
      )}
    </li>
  );
};

interface NamesDialogProps {
  readonly draft: DraftView;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const Names = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { fix } = usePage().texts;
  const change = useDraftChange(draft.id);
  const [answered, setAnswered] = useState("");
  return (
    <>
      <p className="muted">{fix.namesIntro}</p>
      <Failure error={change.error} />
      <Loaded query={useNames(draft.id, draft.version)}>
        {(names) => (
          <ul className="names">
            {names.length === 0 ? <p className="good">{fix.namesDone}</p> : null}
            {names.map((name) => (
              <NameItem
                key={`${name.field}:${name.value}`}
                name={name}
                isBusy={change.isPending && answered === `${name.field}:${name.value}`}
                onAnswer={(answer) => {
                  setAnswered(`${name.field}:${name.value}`);
                  const { field, value } = name;
                  change.mutate({
                    path: "/names",
                    body: { version: draft.version, field, value, ...answer },
                  });
                }}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};

/** Each unknown name once, with those that it may mean. */
export const NamesDialog = ({ draft, isOpen, onClose }: NamesDialogProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <Dialog title={fix.namesTitle} isOpen={isOpen} onClose={onClose} isWide>
      <Names draft={draft} />
    </Dialog>
  );
};
