/** Buttons, links and fields. */

import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { Button as AriaButton } from "react-aria-components";

import { usePage } from "../lib/page.tsx";
import { goTo, type Route, toAddress } from "../lib/route.ts";

interface Controls {
  /** Each kind of control is a stop of its own. */
  readonly selectors: readonly string[];
  /** How far each key goes. */
  readonly steps: Readonly<Record<string, number>>;
}

const CONTROLS = {
  buttons: { selectors: ["button:not([disabled])"], steps: { ArrowLeft: -1, ArrowRight: 1 } },
  boxes: { selectors: ["input:not([disabled])", "summary"], steps: { ArrowUp: -1, ArrowDown: 1 } },
} as const satisfies Readonly<Record<string, Controls>>;

/**
 * Makes the buttons of a group one stop of the Tab key, or the boxes and folded parts of a list, each
 * kind apart; the arrow keys go from one to the next. The stop is the one that had the focus last, or
 * else that is pressed.
 */
export const useOneStop = <Group extends HTMLElement = HTMLDivElement>(
  kind: keyof typeof CONTROLS = "buttons",
): RefObject<Group | null> => {
  const { selectors, steps }: Controls = CONTROLS[kind];
  const group = useRef<Group>(null);
  const kindsOf = (element: HTMLElement): readonly (readonly HTMLElement[])[] =>
    selectors.map((selector) => Array.from(element.querySelectorAll<HTMLElement>(selector)));
  const last = useRef(new Set<EventTarget>());
  const mark = (): void => {
    if (group.current === null) return;
    for (const buttons of kindsOf(group.current)) {
      const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true");
      const stop = buttons.find((button) => last.current.has(button)) ?? pressed ?? buttons[0];
      for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
    }
  };
  // Any change may add a button or disable the stop.
  useEffect(mark);
  useEffect(() => {
    const { current } = group;
    if (current === null) return undefined;
    const onFocus = ({ target }: FocusEvent): void => {
      const others = kindsOf(current).find((buttons) => buttons.some((one) => one === target));
      for (const other of others ?? []) last.current.delete(other);
      if (target !== null) last.current.add(target);
      mark();
    };
    const onKey = (event: KeyboardEvent): void => {
      const step = steps[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const buttons = kindsOf(current).find((each) => each.some((one) => one === event.target));
      if (buttons === undefined) return;
      const at = buttons.findIndex((button) => button === event.target);
      event.preventDefault();
      buttons.at((at + step) % buttons.length)?.focus();
    };
    current.addEventListener("focusin", onFocus);
    current.addEventListener("keydown", onKey);
    return () => {
      current.removeEventListener("focusin", onFocus);
      current.removeEventListener("keydown", onKey);
    };
  });
  return group;
};

const SHAPES = {
  check: "M4 10.5l4 4 8-9",
  error: "M10 5.5v6M10 14.2v.3M10 2a8 8 0 100 16 8 8 0 000-16z",
  warning: "M10 7v4.5M10 14v.3M10 2.8L1.8 17h16.4z",
  info: "M10 9v5M10 6v.3M10 2a8 8 0 100 16 8 8 0 000-16z",
  upload: "M10 13.5V3.5M6 7l4-4 4 4M3.5 13v3.5h13V13",
  down: "M5 8l5 5 5-5",
  up: "M5 12l5-5 5 5",
  left: "M12 5l-5 5 5 5",
  right: "M8 5l5 5-5 5",
  close: "M5 5l10 10M15 5L5 15",
  undo: "M7 4L3.5 7.5 7 11M4 7.5h8a4.5 4.5 0 010 9H9",
  redo: "M13 4l3.5 3.5L13 11M16 7.5H8a4.5 4.5 0 000 9h3",
  search: "M9 3.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM13 13l4 4",
  download: "M10 3v10M6 9.5l4 4 4-4M3.5 17h13",
  file: "M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4",
  pause: "M7 4.5v11M13 4.5v11",
  play: "M6 4l10 6-10 6z",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  replace: "M4 7.5h11M12 4.5l3 3-3 3M16 13H5M8 10l-3 3 3 3",
} as const;

export type IconName = keyof typeof SHAPES;

/** A drawing beside a text; it says nothing by itself. */
export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={SHAPES[name]} />
  </svg>
);

interface LinkProps {
  readonly to: Route;
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly isCurrent?: "page" | "step" | undefined;
  /** Whether it is in a table that is one stop of the Tab key. @default false */
  readonly isInTable?: boolean;
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link within the page; it opens in a new tab as any link does. */
export const Link = ({
  to,
  className,
  children,
  isCurrent,
  isInTable = false,
}: LinkProps): ReactNode => (
  <a
    href={toAddress(to)}
    className={className}
    aria-current={isCurrent}
    tabIndex={isInTable ? -1 : undefined}
    onClick={(event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      goTo(to);
    }}
  >
    {children}
  </a>
);

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: (() => void) | undefined;
  /** `accent` is what to do first on a screen whose primary button leads on. @default "plain" */
  readonly kind?: "primary" | "accent" | "plain" | "quiet" | "danger";
  readonly icon?: IconName | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isBusy?: boolean | undefined;
  readonly type?: "submit" | "button";
  readonly label?: string | undefined;
  readonly isPressed?: boolean | undefined;
}

/** A busy button keeps the focus, and does nothing. */
const BUSY = { type: "button", "aria-busy": true, onPress: () => undefined } as const;

/** Attributes that are there only where they have a value. */
const given = ({ onPress, label, isPressed }: ButtonProps) => ({
  ...(onPress === undefined ? {} : { onPress }),
  ...(label === undefined ? {} : { "aria-label": label }),
  ...(isPressed === undefined ? {} : { "aria-pressed": isPressed }),
});

/** A button; a busy one keeps its width and cannot be pressed. */
export const Button = (props: ButtonProps): ReactNode => {
  const { kind = "plain", icon, isBusy = false, isDisabled = false, type = "button" } = props;
  return (
    <AriaButton
      className={`button button-${kind}`}
      type={type}
      isDisabled={isDisabled}
      {...given(props)}
      {...(isBusy ? BUSY : {})}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
      {icon === undefined || isBusy ? null : <Icon name={icon} />}
      {props.children}
    </AriaButton>
  );
};

interface IconButtonProps {
  readonly icon: IconName;
  /** Its name, which the mouse shows as well. */
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

/** A button of a toolbar whose drawing is known, such as that of undoing. */
export const IconButton = ({
  icon,
  label,
  isDisabled = false,
  onPress,
}: IconButtonProps): ReactNode => (
  <button
    type="button"
    className="button button-icon"
    aria-label={label}
    title={label}
    disabled={isDisabled}
    onClick={onPress}
  >
    <Icon name={icon} />
  </button>
);

export interface Chip<Key extends string> {
  readonly key: Key;
  readonly label: string;
  readonly count?: number | undefined;
  readonly tone?: "error" | "warning" | undefined;
}

interface ChipsProps<Key extends string> {
  readonly label: string;
  readonly chips: readonly Chip<Key>[];
  readonly chosen: Key | undefined;
  readonly onChoose: (key: Key) => void;
}

/** Views of a table to choose one from. */
export const Chips = <Key extends string>({
  label,
  chips,
  chosen,
  onChoose,
}: ChipsProps<Key>): ReactNode => {
  const { format } = usePage();
  return (
    <div ref={useOneStop()} className="chips" role="group" aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.key}
          type="button"
          className={chip.tone === undefined ? "chip" : `chip chip-${chip.tone}`}
          aria-pressed={chip.key === chosen}
          onClick={() => onChoose(chip.key)}
        >
          {chip.label}
          {chip.count === undefined ? null : <b className="count">{format.number(chip.count)}</b>}
        </button>
      ))}
    </div>
  );
};

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly type?: "text" | "password" | "url" | "search" | "number" | "date" | "time";
  readonly isLabelHidden?: boolean;
  /** @default the label where that is hidden */
  readonly placeholder?: string | undefined;
  readonly isRequired?: boolean;
  /** Whether the hint says what is wrong with the value. */
  readonly isWrong?: boolean;
  readonly autoComplete?: string;
  /** For the one field of a dialog: it has the focus when the dialog opens. */
  readonly isFocused?: boolean;
}

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
        placeholder={props.placeholder ?? (props.isLabelHidden === true ? label : undefined)}
        required={props.isRequired}
        aria-invalid={props.isWrong === true ? true : undefined}
        autoComplete={props.autoComplete ?? "off"}
        autoFocus={props.isFocused}
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

/** A line of text that filters what is shown. */
export const SearchField = (
  props: Pick<TextFieldProps, "label" | "value" | "onChange">,
): ReactNode => <TextField {...props} isLabelHidden type="search" />;

interface SelectFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly mark?: ReactNode;
  readonly hint?: string | undefined;
}

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

interface EncodingChoicesProps {
  /** Each encoding with words of the file as it reads them. */
  readonly encodings: readonly { readonly encoding: string; readonly sample: string }[];
  readonly chosen: string | undefined;
  /** Stands behind the title. */
  readonly mark?: ReactNode;
  readonly onChoose: (encoding: string) => void;
}

/** Asks for the encoding of a file by the words that each one gives. */
export const EncodingChoices = ({
  encodings,
  chosen,
  mark,
  onChoose,
}: EncodingChoicesProps): ReactNode => {
  const { file } = usePage().texts;
  const name = useId();
  return (
    <fieldset className="field encodings">
      <legend className="field-label">
        {file.encoding} {mark}
      </legend>
      <small className="hint">{file.encodingHint}</small>
      <div className="encoding-choices">
        {encodings.map(({ encoding, sample }) => (
          <label key={encoding} className="encoding">
            <input
              type="radio"
              name={name}
              checked={chosen === encoding}
              onChange={() => onChoose(encoding)}
            />
            <span className="encoding-sample">{sample}</span>
            <span className="muted small">{encoding}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
