/** One name in full: its products, its category, what it may mean and why, and a search. */

import { type ReactNode, useId, useState } from "react";

import type { NameChoiceView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useLookup } from "../../lib/queries.ts";
import { type Choice, Combobox, onListKey, useSearchBox } from "../../ui/choice-list.tsx";
import { Button, Icon } from "../../ui/controls.tsx";
import { isOpen } from "./names-list.ts";
import { NAME_PANEL_ID } from "./names-table.tsx";

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  /** What was found for the text, asked for while the list is open. */
  readonly useFound: (
    text: string,
    isOpen: boolean,
  ) => { readonly data?: readonly Choice[] | undefined; readonly isFetching: boolean };
  readonly onChoose: (choice: Choice) => void;
}

/** A box that searches the names of the store as one types. */
export const SearchBox = ({
  label,
  placeholder,
  useFound,
  onChoose,
}: SearchBoxProps): ReactNode => {
  const { app, fix } = usePage().texts;
  const box = useSearchBox();
  const { text, active, isOpen: isShown } = box;
  const lookup = useFound(text, isShown);
  const choices = lookup.data ?? [];
  const choose = (choice: Choice): void => {
    box.clear();
    onChoose(choice);
  };
  return (
    <Combobox
      aria-label={label}
      placeholder={placeholder}
      value={text}
      isShown={isShown}
      listLabel={fix.lookup}
      {...{ choices, active }}
      none={lookup.isFetching ? app.loading : fix.lookupNone}
      onChoose={choose}
      onClick={box.open}
      onChange={(event) => box.type(event.target.value)}
      onBlur={box.close}
      onKeyDown={(event) => {
        // Escape closes the list first, then the dialog.
        if (event.key === "Escape" && isShown) event.stopPropagation();
        if (event.key === "ArrowDown") box.open();
        const { setActive, close: cancel } = box;
        onListKey(event, { choices, active, setActive, choose, cancel });
      }}
    />
  );
};

interface NameSearchProps extends Pick<SearchBoxProps, "label" | "onChoose"> {
  readonly draft: string;
  /** The cell whose names are searched, or the field where no column has the name. */
  readonly place: { readonly column: number; readonly row: number } | { readonly field: string };
}

/** Searches the names of the store where none of the suggested ones is right. */
export const NameSearch = ({ draft, place, ...box }: NameSearchProps): ReactNode => (
  <SearchBox
    placeholder={usePage().texts.fix.nameSearch}
    {...box}
    useFound={(text, isShown) => useLookup(draft, { ...place, text, isOpen: isShown })}
  />
);

interface NameOptionsProps {
  readonly value: string;
  readonly choices: readonly NameChoiceView[];
  readonly target: string | null;
  readonly onTarget: (target: string) => void;
}

/** Choices of which one is chosen before anything is done. */
const NameOptions = ({ value, choices, target, onTarget }: NameOptionsProps): ReactNode => {
  const { fix } = usePage().texts;
  const group = useId();
  return (
    <fieldset className="name-options">
      <legend className="unseen">{fix.nameChoices(value)}</legend>
      {choices.map((choice) => (
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
  const [isChanging, setIsChanging] = useState(false);
  const [found, setFound] = useState<NameChoiceView | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  if (category === null) return null;
  const { path, column, isAnswered, choices } = category;
  const isNew = found !== null && !choices.some((choice) => choice.target === found.target);
  return (
    <>
      <p className="small">
        {isAnswered ? fix.nameAnswered(path) : fix.nameCategory(path)}{" "}
        {column === null || isChanging ? null : (
          <Button kind="quiet" onPress={() => setIsChanging(true)}>
            {fix.otherCategory}
          </Button>
        )}
      </p>
      {isChanging && column !== null ? (
        <div className="card stack-tight">
          <NameOptions
            value={path}
            choices={[...choices, ...(isNew ? [found] : [])]}
            target={target}
            onTarget={setTarget}
          />
          <NameSearch
            draft={draft}
            place={{ column, row: name.row }}
            label={`${fix.nameSearch}: ${path}`}
            onChoose={({ value, label }) => {
              setFound({ target: value, label });
              setTarget(value);
            }}
          />
          {target === null ? null : <p className="small">{fix.willMove(name.rows, target)}</p>}
          <div className="name-actions">
            <Button kind="quiet" onPress={() => setIsChanging(false)}>
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

interface NamePanelProps {
  readonly draft: string;
  /** The name of the active row; `undefined` where no row is active. */
  readonly name: NameView | undefined;
  readonly isRemembered: boolean;
  readonly isBusy: boolean;
  readonly onChoose: (name: NameView, target: string) => void;
  readonly onCategory: (name: NameView, target: string) => void;
}

/** What every suggestion says for itself; pressing one answers. */
const Answers = ({
  draft,
  name,
  isBusy,
  onChoose,
}: Omit<Required<NamePanelProps>, "name" | "isRemembered" | "onCategory"> & {
  readonly name: NameView;
}): ReactNode => {
  const { fix } = usePage().texts;
  const { value, choices, column, row, field } = name;
  return (
    <>
      <ul className="name-choices" aria-label={fix.nameChoices(value)}>
        {choices.map(({ target, label, hint }) => (
          <li key={target}>
            <button
              type="button"
              className="name-choice"
              disabled={isBusy}
              onClick={() => onChoose(name, target)}
            >
              {label}
              {hint === undefined ? null : <span className="muted small">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
      <NameSearch
        key={value}
        draft={draft}
        place={column === null ? { field } : { column, row }}
        label={`${fix.nameSearch}: ${value}`}
        onChoose={(choice) => onChoose(name, choice.value)}
      />
    </>
  );
};

export const NamePanel = ({ name, ...props }: NamePanelProps): ReactNode => {
  const { texts } = usePage();
  const { fix } = texts;
  return (
    <section id={NAME_PANEL_ID} className="panel name-panel" aria-label={fix.nameDetails}>
      {name === undefined ? (
        <p className="muted small">{fix.nameKeys}</p>
      ) : (
        <>
          <p className="panel-title">
            {name.value}
            <span className="muted small">
              {name.label} · {fix.nameRows(name.rows)}
            </span>
          </p>
          {name.titles.map((title) => (
            <p key={title} className="muted small">
              {title}
            </p>
          ))}
          {isOpen(name) ? (
            <>
              <NameCategory
                key={`${name.field}:${name.value}`}
                draft={props.draft}
                name={name}
                isBusy={props.isBusy}
                onChange={(target) => props.onCategory(name, target)}
              />
              <Answers {...props} name={name} />
              <p className="muted small">
                {props.isRemembered ? fix.willRemember : fix.willWrite(name.rows)}
              </p>
            </>
          ) : (
            <p>
              <Icon name="check" /> {name.answer?.target}
            </p>
          )}
        </>
      )}
    </section>
  );
};
