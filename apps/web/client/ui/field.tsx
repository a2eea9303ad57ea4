import { type ReactNode, useId } from "react";

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly type?: "text" | "password" | "url" | "search" | "number" | "date" | "time";
  readonly isLabelHidden?: boolean;
  readonly isRequired?: boolean;
  /** Whether the hint says what is wrong with the value. */
  readonly isWrong?: boolean;
  readonly autoComplete?: string;
}

/** A line of text with its label. */
export const TextField = ({
  label,
  value,
  onChange,
  hint,
  ...props
}: TextFieldProps): ReactNode => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className={props.isLabelHidden === true ? "unseen" : undefined}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        type={props.type ?? "text"}
        value={value}
        placeholder={props.isLabelHidden === true ? label : undefined}
        required={props.isRequired}
        aria-invalid={props.isWrong === true ? true : undefined}
        autoComplete={props.autoComplete ?? "off"}
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint === undefined ? null : (
        <small id={`${id}-hint`} className={props.isWrong === true ? "hint hint-wrong" : "hint"}>
          {hint}
        </small>
      )}
    </div>
  );
};

interface SelectFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly mark?: ReactNode;
  readonly hint?: string | undefined;
}

/** A choice among few. */
export const SelectField = ({
  label,
  isLabelHidden = false,
  value,
  onChange,
  choices,
  mark,
  hint,
}: SelectFieldProps): ReactNode => {
  const id = useId();
  return (
    <div className="field">
      <span className={isLabelHidden ? "unseen" : "field-label"}>
        <label htmlFor={id}>{label}</label>
        {mark}
      </span>
      <select
        id={id}
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {hint === undefined ? null : <small className="hint">{hint}</small>}
    </div>
  );
};

interface TickProps {
  readonly children: ReactNode;
  readonly isTicked: boolean;
  /** Whether some of what it stands for is ticked, and some is not. @default false */
  readonly isMixed?: boolean;
  /** `isRange` where the Shift key was held: all from the box before to this one are meant. */
  readonly onChange: (isTicked: boolean, isRange: boolean) => void;
  readonly isLabelHidden?: boolean;
  readonly isDisabled?: boolean;
}

/** A box to tick, with its label. */
export const Tick = ({
  children,
  isTicked,
  isMixed = false,
  onChange,
  isLabelHidden = false,
  isDisabled,
}: TickProps): ReactNode => (
  <label className="tick">
    <input
      ref={(input) => {
        if (input !== null) input.indeterminate = isMixed;
      }}
      type="checkbox"
      checked={isTicked}
      disabled={isDisabled}
      onChange={({ target, nativeEvent }) =>
        onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
    <span className={isLabelHidden ? "unseen" : undefined}>{children}</span>
  </label>
);
