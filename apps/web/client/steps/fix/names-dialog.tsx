/** Each unknown name once, with those that it may mean. */

import { type ReactNode, useId, useState } from "react";

import type { DraftView, NameChoiceView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useLookup, useNames } from "../../lib/queries.ts";
import { useSearchBox, Combobox, type Choice, onListKey } from "../../ui/choice-list.tsx";
import { Button, Tick } from "../../ui/controls.tsx";
import { Dialog, Failure, Loaded, Message } from "../../ui/messages.tsx";
import type { Edits } from "./edits.ts";

interface NameSearchProps {
  readonly draft: string;
  readonly row: number;
  readonly column: number;
  readonly value: string;
  readonly onChoose: (choice: Choice) => void;
}

/** Searches the names of the store where none of the suggested ones is right. */
const NameSearch = ({ draft, row, column, value, onChoose }: NameSearchProps): ReactNode => {
  const { app, fix } = usePage().texts;
  const box = useSearchBox();
  const { text, active, isOpen } = box;
  const lookup = useLookup(draft, { column, row, text, isOpen });
  const choices = lookup.data ?? [];
  const choose = (choice: Choice): void => {
    box.clear();
    onChoose(choice);
  };
  return (
    <Combobox
      aria-label={`${fix.nameSearch}: ${value}`}
      placeholder={fix.nameSearch}
      value={text}
      isShown={isOpen}
      listLabel={fix.lookup}
      {...{ choices, active }}
      none={lookup.isFetching ? app.loading : fix.lookupNone}
      onChoose={choose}
      onClick={box.open}
      onChange={(event) => box.type(event.target.value)}
      onBlur={box.close}
      onKeyDown={(event) => {
        // Escape closes the list first, then the dialog.
        if (event.key === "Escape" && isOpen) event.stopPropagation();
        if (event.key === "ArrowDown") box.open();
        const { setActive, close: cancel } = box;
        onListKey(event, { choices, active, setActive, choose, cancel });
      }}
    />
  );
};

interface NameOptionsProps {
  readonly draft: string;
  /** The cell whose names are searched; its column is `null` where no column has the name. */
  readonly row: number;
  readonly column: number | null;
  readonly value: string;
  readonly choices: readonly NameChoiceView[];
  readonly target: string | null;
  readonly onTarget: (target: string) => void;
}

/** The suggested names, and one that was searched for. */
const NameOptions = (props: NameOptionsProps): ReactNode => {
  const { draft, row, column, value, choices, target, onTarget } = props;
  const { fix } = usePage().texts;
  const [found, setFound] = useState<NameChoiceView | null>(null);
  const group = useId();
  const isNew = found !== null && !choices.some((choice) => choice.target === found.target);
  return (
    <>
      <fieldset className="name-options">
        <legend className="unseen">{fix.nameChoices(value)}</legend>
        {[...choices, ...(isNew ? [found] : [])].map((choice) => (
          <label key={choice.target} className="name-option">
            <input
              type="radio"
              name={group}
              checked={choice.target === target}
              onChange={() => onTarget(choice.target)}
            />
            <span>
              {choice.label}
              {choice.hint === undefined ? null : (
                <span className="muted small"> · {choice.hint}</span>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      {column === null ? (
        <p className="muted">{fix.nameOther}</p>
      ) : (
        <NameSearch
          draft={draft}
          row={row}
          column={column}
          value={value}
          onChoose={(choice) => {
            setFound({ target: choice.value, label: choice.label });
            onTarget(choice.value);
          }}
        />
      )}
    </>
  );
};

interface NameCategoryProps {
  readonly draft: string;
  readonly name: NameView;
  readonly isBusy: boolean;
  /** Takes another category for the rows of the name. */
  readonly onChange: (target: string) => void;
}

/** The category in which a name is looked up, and the way to another one. */
const NameCategory = ({ draft, name, isBusy, onChange }: NameCategoryProps): ReactNode => {
  const { fix } = usePage().texts;
  const { category } = name;
  const [isOpen, setIsOpen] = useState(false);
  const [target, setTarget] = useState<string | null>(null);
  if (category === null) return null;
  const { path, column, isAnswered, choices } = category;
  return (
    <>
      <p className="small">
        {isAnswered ? fix.nameAnswered(path) : fix.nameCategory(path)}{" "}
        {column === null || isOpen ? null : (
          <Button kind="quiet" onPress={() => setIsOpen(true)}>
            {fix.otherCategory}
          </Button>
        )}
      </p>
      {isOpen ? (
        <div className="card stack-tight">
          <NameOptions
            draft={draft}
            row={name.row}
            column={column}
            value={path}
            choices={choices}
            target={target}
            onTarget={setTarget}
          />
          {target === null ? null : <p className="small">{fix.willMove(name.rows, target)}</p>}
          <div className="name-actions">
            <Button kind="quiet" onPress={() => setIsOpen(false)}>
              {fix.keepCategory}
            </Button>
            <Button
              isBusy={isBusy}
              isDisabled={target === null}
              onPress={() => target !== null && onChange(target)}
            >
              {fix.takeCategory}
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
};

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

const NameItem = ({ draft, name, isBusy, onAnswer }: NameItemProps): ReactNode => {
  const { fix } = usePage().texts;
  // Where several names are likely, or none, the answer may be right for this file alone.
  const only = name.choices.length === 1 ? name.choices[0] : undefined;
  const [target, setTarget] = useState(only?.target ?? null);
  const [isRemembered, setIsRemembered] = useState(only !== undefined);
  const product = [name.product.code, name.product.title].filter((part) => part !== null);
  return (
    <li className="name">
      <div className="name-head">
        <strong>{name.value}</strong>
        <span className="muted">
          {name.label} · {fix.nameRows(name.rows)}
        </span>
      </div>
      {product.length === 0 ? null : (
        <p className="muted small">{fix.nameProduct(String(name.row), product.join(" · "))}</p>
      )}
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
      {target === null ? null : (
        <p className="small">
          {isRemembered
            ? fix.willRead(name.value, target)
            : fix.willWrite(name.value, target, name.rows)}
        </p>
      )}
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
const useAnswers = (edits: Edits) => {
  const { fix } = usePage().texts;
  const [asked, setAsked] = useState<string | null>(null);
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
    const give = async (): Promise<void> => {
      const isMade = await edits.answer([{ field, value, ...given }]);
      setAsked(null);
      if (isMade) setDone(tell(name, given));
    };
    void give();
  };
  return { answer, done, busy: asked };
};

const keyOf = ({ field, value }: Pick<NameView, "field" | "value">): string => `${field}:${value}`;

const Names = ({ draft, edits }: Omit<NamesDialogProps, "isOpen" | "onClose">): ReactNode => {
  const { fix } = usePage().texts;
  const { answer, done, busy } = useAnswers(edits);
  return (
    <>
      <p className="muted">{fix.namesIntro}</p>
      <Failure error={edits.error} />
      <div role="status">{done === null ? null : <Message tone="success">{done}</Message>}</div>
      <Loaded query={useNames(draft.id, draft.version)}>
        {(names) => (
          <ul className="names">
            {names.every(isAnswered) ? <p className="good">{fix.namesDone}</p> : null}
            {names
              .filter((name) => !isAnswered(name))
              .map((name) => (
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

const isAnswered = ({ answer }: NameView): boolean => answer !== null;

interface NamesDialogProps {
  readonly draft: DraftView;
  readonly edits: Edits;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export const NamesDialog = ({ draft, edits, isOpen, onClose }: NamesDialogProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <Dialog title={fix.namesTitle} isOpen={isOpen} onClose={onClose} isWide>
      <Names draft={draft} edits={edits} />
    </Dialog>
  );
};
