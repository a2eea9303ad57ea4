import { type ReactNode, useState } from "react";

import type { DraftView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraftChange, useNames } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Tick } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { NameCategory } from "./name-category.tsx";
import { NameOptions } from "./name-options.tsx";

interface Answer {
  readonly target: string;
  readonly isRemembered: boolean;
  /** Whether the answer is another category for the rows. */
  readonly isCategory?: boolean;
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
      <NameCategory
        draft={draft}
        name={name}
        isBusy={isBusy}
        onChange={(category) =>
          onAnswer({ target: category, isRemembered: false, isCategory: true })
        }
      />
      <NameOptions
        draft={draft}
        row={name.row}
        column={name.column}
        value={name.value}
        choices={name.choices}
        target={target}
        onTarget={setTarget}
      />
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
  const tell = ({ value, rows }: NameView, given: Answer): string => {
    const { target, isRemembered, isCategory = false } = given;
    if (isCategory) return fix.moved(rows, target);
    return isRemembered ? fix.nameCounts(value, target) : fix.nameWritten(value, target);
  };
  const answer = (name: NameView, given: Answer): void => {
    const { field, value } = name;
    setAsked(keyOf(name));
    setDone(null);
    change.mutate(
      { path: "/names", body: { version: draft.version, field, value, ...given } },
      { onSuccess: () => setDone(tell(name, given)) },
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
