import { type ReactNode, useState } from "react";

import type { ColumnsView, FieldView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";

interface ConstantsProps {
  readonly view: ColumnsView;
  readonly onChange: (field: string, text: string) => void;
}

interface ConstantProps {
  readonly field: FieldView;
  readonly text: string;
  readonly onChange: (field: string, text: string) => void;
}

const Constant = ({ field, text, onChange }: ConstantProps): ReactNode => {
  const words = usePage().texts.columns;
  const [typed, setTyped] = useState(text);
  const save = (): void => {
    if (typed.trim() !== text) onChange(field.key, typed.trim());
  };
  return (
    <label className="field">
      <span>{field.label}</span>
      <input
        className="input"
        value={typed}
        aria-label={words.constant(field.label)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") save();
        }}
      />
    </label>
  );
};

/** Values for all rows: of missing fields that new products need, and those given before. */
export const Constants = ({ view, onChange }: ConstantsProps): ReactNode => {
  const words = usePage().texts.columns;
  const missing = new Set(view.missing.map(({ key }) => key));
  const shown = view.fields.filter(({ key }) => missing.has(key) || key in view.constants);
  const fields = shown.filter(({ key, isForAll }) => isForAll || key in view.constants);
  const own = shown.filter((field) => !fields.includes(field));
  if (shown.length === 0) return null;
  return (
    <section className="card stack-tight">
      <h2>{view.missing.length > 0 ? words.missing : words.constants}</h2>
      {own.length === 0 ? null : (
        <p>{words.missingOwn(own.map(({ label }) => label).join(", "))}</p>
      )}
      {fields.length === 0 ? null : <p className="muted">{words.missingIntro}</p>}
      <div className="constants">
        {fields.map((field) => (
          <Constant
            key={`${field.key}:${view.constants[field.key] ?? ""}`}
            field={field}
            text={view.constants[field.key] ?? ""}
            onChange={onChange}
          />
        ))}
      </div>
    </section>
  );
};
