import { type ReactNode, useId, useState } from "react";

import type { ColumnsView, FieldView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useLookup } from "../../lib/queries.ts";
import { explainError } from "../../lib/requests.ts";
import { Combobox, type Choice, onListKey } from "../../ui/choice-list.tsx";
import { type GivenValue, listMissing, type Scope, scopeOf } from "./column-choices.ts";

/** A value that its field does not take, and why. */
export interface RefusedValue extends GivenValue {
  readonly error: Error;
}

interface ConstantsProps {
  readonly draft: string;
  readonly view: ColumnsView;
  readonly refused: Readonly<Record<string, RefusedValue>>;
  /** Whether the file is planned so that it adds no product. */
  readonly isUpdate: boolean;
  readonly onChange: (given: GivenValue) => void;
}

interface ConstantProps extends Omit<ConstantsProps, "isUpdate"> {
  readonly field: FieldView;
}

interface ScopeProps {
  readonly field: FieldView;
  readonly scope: Scope;
  readonly onChange: (scope: Scope) => void;
}

/** Which products a value is for, where a field leaves a choice. */
const ScopeChoice = ({ field, scope, onChange }: ScopeProps): ReactNode => {
  const words = usePage().texts.columns;
  const scopes: readonly Scope[] = field.isForAll ? ["file", "store", "all"] : ["file", "store"];
  if (!field.isForNew) return null;
  return (
    <select
      className="input"
      aria-label={words.scope(field.label)}
      value={scope}
      onChange={({ target: { value } }) => onChange(scopes.find((one) => one === value) ?? "file")}
    >
      {scopes.map((one) => (
        <option key={one} value={one}>
          {words.scopes[one]}
        </option>
      ))}
    </select>
  );
};

interface ValueBoxProps extends Pick<ConstantsProps, "draft"> {
  readonly field: FieldView;
  readonly text: string;
  readonly isWrong: boolean;
  /** Id of what describes the box. */
  readonly note: string;
  readonly onType: (text: string) => void;
  readonly onDone: (text: string) => void;
}

/** A line of text, with the values that its field takes where they are known. */
const ValueBox = (props: ValueBoxProps): ReactNode => {
  const { fix } = usePage().texts;
  const { draft, field, text, isWrong, note, onType, onDone } = props;
  const [active, setActive] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const { data: choices = [] } = useLookup(draft, { field: field.key, text, isOpen });
  const isShown = isOpen && choices.length > 0;
  const close = (): void => {
    setIsOpen(false);
    setActive(-1);
  };
  const choose = ({ value }: Choice): void => {
    close();
    onType(value);
    onDone(value);
  };
  return (
    <Combobox
      name={field.key}
      aria-invalid={isWrong ? true : undefined}
      aria-describedby={note}
      value={text}
      listLabel={fix.lookup}
      {...{ isShown, choices, active }}
      none={fix.lookupNone}
      onChoose={choose}
      onFocus={() => setIsOpen(true)}
      onClick={() => setIsOpen(true)}
      onChange={(event) => {
        setActive(-1);
        setIsOpen(true);
        onType(event.target.value);
      }}
      onBlur={() => {
        close();
        onDone(text);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown") setIsOpen(true);
        if (event.key === "Enter" && !(isShown && active >= 0)) onDone(text);
        if (isShown) onListKey(event, { choices, active, setActive, choose, cancel: close });
      }}
    />
  );
};

const givenFor = ({ constants, defaults }: ColumnsView, { key }: FieldView): string =>
  constants[key] ?? defaults[key] ?? "";

/** What is typed for a field, and for which products; it is kept where it is refused. */
const useTypedValue = ({ view, refused, field, onChange }: Omit<ConstantProps, "draft">) => {
  const wrong = refused[field.key];
  const given = givenFor(view, field);
  const [typed, setTyped] = useState(wrong?.text ?? given);
  const [seen, setSeen] = useState(given);
  const [chosen, setChosen] = useState<Scope | null>(wrong?.scope ?? null);
  const scope = chosen ?? scopeOf(view, field.key) ?? (field.isForNew ? "file" : "all");
  if (seen !== given) {
    setSeen(given);
    // What is being typed stays, whatever was saved meanwhile.
    if (typed.trim() === seen) setTyped(given);
  }
  return {
    typed,
    setTyped,
    scope,
    error: wrong?.error ?? null,
    save: (text: string): void => {
      const next = text.trim();
      if (next !== (wrong?.text ?? given)) onChange({ field: field.key, text: next, scope });
    },
    setScope: (next: Scope): void => {
      setChosen(next);
      const text = typed.trim();
      if (text !== "") onChange({ field: field.key, text, scope: next });
    },
  };
};

const Constant = ({ draft, field, ...props }: ConstantProps): ReactNode => {
  const { texts } = usePage();
  const note = useId();
  const { typed, setTyped, scope, setScope, error, save } = useTypedValue({ field, ...props });
  return (
    <div className="constant">
      <label className="field">
        <span>{field.label}</span>
        <ValueBox
          draft={draft}
          field={field}
          text={typed}
          isWrong={error !== null}
          note={note}
          onType={setTyped}
          onDone={save}
        />
      </label>
      <ScopeChoice field={field} scope={scope} onChange={setScope} />
      {error === null ? (
        // What the first choice means is said by its words.
        <p id={note} className={scope === "file" ? "unseen" : "hint"}>
          {texts.columns.scopeNotes[scope]}
        </p>
      ) : (
        <p id={note} className="hint hint-wrong" role="alert">
          {explainError(error, texts)}
        </p>
      )}
    </div>
  );
};

interface FoldedProps {
  readonly summary: string;
  readonly isOpenFirst: boolean;
  readonly children: ReactNode;
}

const Folded = ({ summary, isOpenFirst, children }: FoldedProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
};

const hasValue =
  ({ constants, defaults }: ColumnsView) =>
  ({ key }: FieldView): boolean =>
    key in constants || key in defaults;

/**
 * Values of missing fields that new products need, and those given before. A file that can add no
 * product, as it lacks fields in which products differ, is not asked for them: they are folded.
 */
export const Constants = ({ isUpdate, ...props }: ConstantsProps): ReactNode => {
  const { view } = props;
  const words = usePage().texts.columns;
  const { own, givable: fields, isFolded } = listMissing(view, isUpdate);
  if (own.length + fields.length === 0) return null;
  const labels = own.map(({ label }) => label).join(", ");
  // What the file can do without them, unless its columns cannot be used at all.
  const updates = view.problems.length > 0 ? "" : ` ${words.missingOwnUpdates}`;
  const list = (
    <div className="constants">
      {fields.map((field) => (
        <Constant key={field.key} field={field} {...props} />
      ))}
    </div>
  );
  return (
    <section className="card stack-tight">
      <h2>{view.missing.length > 0 ? words.missing : words.constants}</h2>
      {isFolded ? (
        <p>{own.length === 0 ? words.onlyUpdates : words.missingOwn(labels) + updates}</p>
      ) : (
        <p className="muted small">{words.missingIntro}</p>
      )}
      {!isFolded || fields.length === 0 ? (
        list
      ) : (
        <Folded summary={words.others(fields.length)} isOpenFirst={fields.some(hasValue(view))}>
          {list}
        </Folded>
      )}
    </section>
  );
};
