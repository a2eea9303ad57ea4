import { type ReactNode, useId, useState } from "react";

import type { DraftView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraftChange, useNames } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import type { Choice } from "../../ui/choice-list.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Tick } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { NameSearch } from "./name-search.tsx";

interface Answer {
  readonly target: string;
  readonly isRemembered: boolean;
}

interface NameItemProps {
  readonly draft: string;
  readonly name: NameView;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

const NameHead = ({ name }: { readonly name: NameView }): ReactNode => {
  const { fix } = usePage().texts;
  const product = [name.product.code, name.product.title].filter((part) => part !== null);
  return (
    <>
      <div className="name-head">
        <strong>{name.value}</strong>
        <span className="muted">
          {name.label} · {fix.nameRows(name.rows)}
        </span>
      </div>
      {product.length === 0 ? null : (
        <p className="muted small">{fix.nameProduct(String(name.row), product.join(" · "))}</p>
      )}
    </>
  );
};

interface NameOptionsProps {
  readonly draft: string;
  readonly name: NameView;
  readonly target: string | null;
  readonly onTarget: (target: string) => void;
}

/** The suggested names, and one that was searched for. */
const NameOptions = ({ draft, name, target, onTarget }: NameOptionsProps): ReactNode => {
  const { fix } = usePage().texts;
  const [found, setFound] = useState<Choice | null>(null);
  const group = useId();
  const isNew = found !== null && !name.choices.some((choice) => choice.target === found.value);
  const other = isNew ? [{ target: found.value, label: found.label }] : [];
  return (
    <>
      <fieldset className="name-options">
        <legend className="unseen">{fix.nameChoices(name.value)}</legend>
        {[...name.choices, ...other].map((choice) => (
          <label key={choice.target} className="name-option">
            <input
              type="radio"
              name={group}
              checked={choice.target === target}
              onChange={() => onTarget(choice.target)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </fieldset>
      {name.column === null ? (
        <p className="muted">{fix.nameOther}</p>
      ) : (
        <NameSearch
          draft={draft}
          row={name.row}
          column={name.column}
          value={name.value}
          onChoose={(choice) => {
            setFound(choice);
            onTarget(choice.value);
          }}
        />
      )}
    </>
  );
};

interface AnswerEffectProps {
  readonly name: NameView;
  readonly target: string | null;
  readonly isRemembered: boolean;
}

/** What the chosen answer does with the cells. */
const AnswerEffect = ({ name, target, isRemembered }: AnswerEffectProps): ReactNode => {
  const { fix } = usePage().texts;
  if (target === null) return null;
  const text = isRemembered
    ? fix.willRead(name.value, target)
    : fix.willWrite(name.value, target, name.rows);
  return <p className="small">{text}</p>;
};

const NameItem = ({ draft, name, isBusy, onAnswer }: NameItemProps): ReactNode => {
  const { fix } = usePage().texts;
  // Where several names are likely, or none, the answer may be right for this file alone.
  const only = name.choices.length === 1 ? name.choices[0] : undefined;
  const [target, setTarget] = useState(only?.target ?? null);
  const [isRemembered, setIsRemembered] = useState(only !== undefined);
  return (
    <li className="name">
      <NameHead name={name} />
      <NameOptions draft={draft} name={name} target={target} onTarget={setTarget} />
      <AnswerEffect name={name} target={target} isRemembered={isRemembered} />
      <div className="name-actions">
        <Tick isTicked={isRemembered} onChange={setIsRemembered}>
          {fix.remember}
        </Tick>
        <Button
          isBusy={isBusy}
          isDisabled={target === null}
          onPress={() => target !== null && onAnswer({ target, isRemembered })}
        >
          {fix.answer}
        </Button>
      </div>
    </li>
  );
};

/** Answers one name at a time, and tells what the last answer has done. */
const useAnswers = (draft: DraftView) => {
  const { fix } = usePage().texts;
  const change = useDraftChange(draft.id);
  const [asked, setAsked] = useState("");
  const [done, setDone] = useState<string | null>(null);
  const answer = ({ field, value }: NameView, { target, isRemembered }: Answer): void => {
    setAsked(keyOf({ field, value }));
    setDone(null);
    change.mutate(
      {
        path: "/names",
        body: { version: draft.version, field, value, target, isRemembered },
      },
      {
        onSuccess: () =>
          setDone(isRemembered ? fix.nameCounts(value, target) : fix.nameWritten(value, target)),
      },
    );
  };
  return { answer, done, busy: change.isPending ? asked : null, error: change.error };
};

const keyOf = ({ field, value }: Pick<NameView, "field" | "value">): string => `${field}:${value}`;

const Names = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { fix } = usePage().texts;
  const { answer, done, busy, error } = useAnswers(draft);
  return (
    <>
      <p className="muted">{fix.namesIntro}</p>
      <Failure error={error} />
      <div role="status">{done === null ? null : <Message tone="success">{done}</Message>}</div>
      <Loaded query={useNames(draft.id, draft.version)}>
        {(names) => (
          <ul className="names">
            {names.length === 0 ? <p className="good">{fix.namesDone}</p> : null}
            {names.map((name) => (
              <NameItem
                key={keyOf(name)}
                draft={draft.id}
                name={name}
                isBusy={busy === keyOf(name)}
                onAnswer={(given) => answer(name, given)}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};

interface NamesDialogProps {
  readonly draft: DraftView;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Each unknown name once, with those that it may mean. */
export const NamesDialog = ({ draft, isOpen, onClose }: NamesDialogProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <Dialog title={fix.namesTitle} isOpen={isOpen} onClose={onClose} isWide>
      <Names draft={draft} />
    </Dialog>
  );
};
