import { type ReactNode, useId, useState } from "react";

import type { ColumnsView, FieldView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import type { StartTexts } from "../../texts/tr.ts";
import { type GivenValue, type Scope, scopeOf } from "./given-value.ts";
import { listMissing } from "./missing-fields.ts";

interface ConstantsProps {
  readonly view: ColumnsView;
  /** Whether the file is planned so that it adds no product. */
  readonly isUpdate: boolean;
  readonly onChange: (given: GivenValue) => void;
}

interface ConstantProps extends Pick<ConstantsProps, "view" | "onChange"> {
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

const Constant = ({ view, field, onChange }: ConstantProps): ReactNode => {
  const words = usePage().texts.columns;
  const note = useId();
  const given = view.constants[field.key] ?? view.defaults[field.key] ?? "";
  const [typed, setTyped] = useState(given);
  const [seen, setSeen] = useState(given);
  const [chosen, setChosen] = useState<Scope | null>(null);
  const scope = chosen ?? scopeOf(view, field.key) ?? (field.isForNew ? "file" : "all");
  if (seen !== given) {
    setSeen(given);
    // What is being typed stays, whatever was saved meanwhile.
    if (typed.trim() === seen) setTyped(given);
  }
  const save = (): void => {
    if (typed.trim() !== given) onChange({ field: field.key, text: typed.trim(), scope });
  };
  return (
    <div className="stack-tight">
      <label className="field">
        <span>{field.label}</span>
        <input
          className="input"
          value={typed}
          aria-describedby={note}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === "Enter") save();
          }}
        />
      </label>
      <ScopeChoice
        field={field}
        scope={scope}
        onChange={(next) => {
          setChosen(next);
          const text = typed.trim();
          if (text !== "") onChange({ field: field.key, text, scope: next });
        }}
      />
      <p id={note} className="muted small">
        {words.scopeNotes[scope]}
      </p>
    </div>
  );
};

interface FieldsProps extends Pick<ConstantsProps, "view" | "onChange"> {
  readonly fields: readonly FieldView[];
}

const Fields = ({ view, fields, onChange }: FieldsProps): ReactNode => (
  <div className="constants">
    {fields.map((field) => (
      <Constant key={field.key} view={view} field={field} onChange={onChange} />
    ))}
  </div>
);

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

/** Says what the file can do without them, unless its columns cannot be used at all. */
const describeMissing = (
  { problems }: ColumnsView,
  labels: string,
  words: Pick<StartTexts["columns"], "missingOwn" | "missingOwnUpdates">,
): string =>
  problems.length > 0
    ? words.missingOwn(labels)
    : `${words.missingOwn(labels)} ${words.missingOwnUpdates}`;

/**
 * Values of missing fields that new products need, and those given before. A file that can add no
 * product, as it lacks fields in which products differ, is not asked for them: they are folded.
 */
export const Constants = ({ view, isUpdate, onChange }: ConstantsProps): ReactNode => {
  const words = usePage().texts.columns;
  const { own, givable: fields, isFolded } = listMissing(view, isUpdate);
  if (own.length + fields.length === 0) return null;
  const list = <Fields view={view} fields={fields} onChange={onChange} />;
  return (
    <section className="card stack-tight">
      <h2>{view.missing.length > 0 ? words.missing : words.constants}</h2>
      {isFolded ? (
        <p>{own.length === 0 ? words.onlyUpdates : describeMissing(view, nameAll(own), words)}</p>
      ) : (
        <p className="muted">{words.missingIntro}</p>
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

const nameAll = (fields: readonly FieldView[]): string =>
  fields.map(({ label }) => label).join(", ");
