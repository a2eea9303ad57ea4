import { type ComponentProps, useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly note?: string | undefined;
}

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** Position of the choice that Enter takes; -1 for none. */
  readonly active: number;
  /** What is said where there is no choice. */
  readonly none: string;
  readonly onChoose: (choice: Choice) => void;
  /** The text box that the list belongs to; `null` while the list is closed. */
  readonly anchor: HTMLElement | null;
}

const LIST_HEIGHT = 240;
const LIST_WIDTH = 260;

/** Below the anchor, or above it where the window ends. */
const placeAt = (anchor: HTMLElement): Readonly<Record<string, number>> => {
  const { left, top, bottom, width } = anchor.getBoundingClientRect();
  const place = {
    left: Math.max(8, Math.min(left, innerWidth - Math.max(width, LIST_WIDTH) - 8)),
    minWidth: width,
  };
  return bottom + LIST_HEIGHT < innerHeight
    ? { ...place, top: bottom + 2 }
    : { ...place, bottom: innerHeight - top + 2 };
};

/** The choices of a text box, over the page so that no table cuts them off. */
export const ChoiceList = (props: ChoiceListProps): ReactNode => {
  const { id, label, choices, active, anchor } = props;
  if (anchor === null) return null;
  return createPortal(
    <ul id={id} role="listbox" aria-label={label} className="list" style={placeAt(anchor)}>
      {choices.map((choice, position) => (
        <li
          key={choice.value}
          id={`${id}-${position}`}
          ref={(item) => {
            if (position === active) item?.scrollIntoView({ block: "nearest" });
          }}
          role="option"
          aria-selected={position === active}
          className="list-choice"
          onMouseDown={(event) => {
            // The text box keeps the focus.
            event.preventDefault();
            props.onChoose(choice);
          }}
        >
          {choice.label}
          {choice.note === undefined ? null : <span className="muted small"> · {choice.note}</span>}
        </li>
      ))}
      {choices.length === 0 ? (
        <li role="option" aria-selected={false} aria-disabled="true" className="list-none">
          {props.none}
        </li>
      ) : null}
    </ul>,
    // Only what is inside an open dialog can be reached.
    anchor.closest(".dialog") ?? document.querySelector("main") ?? document.body,
  );
};

interface ComboboxProps
  extends Omit<ChoiceListProps, "id" | "label" | "anchor">, Omit<ComponentProps<"input">, "list"> {
  readonly isShown: boolean;
  readonly listLabel: string;
}

export const Combobox = (props: ComboboxProps): ReactNode => {
  const { isShown, listLabel, choices, active, none, onChoose, ...input } = props;
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <input
        ref={setAnchor}
        className="input"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        {...input}
      />
      <ChoiceList
        {...{ id, choices, active, none, onChoose }}
        label={listLabel}
        anchor={isShown ? anchor : null}
      />
    </>
  );
};

/** What is typed in a box that searches, whether its list is open, and which choice Enter takes. */
export const useSearchBox = () => {
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  return {
    text,
    active,
    setActive,
    isOpen,
    open: () => setIsOpen(true),
    close: () => setIsOpen(false),
    clear: () => {
      setText("");
      setActive(-1);
      setIsOpen(false);
    },
    type: (typed: string) => {
      setText(typed);
      setActive(-1);
      setIsOpen(true);
    },
  };
};

interface ListKeys {
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly setActive: (active: number) => void;
  readonly choose: (choice: Choice) => void;
  readonly cancel: () => void;
}

/** Arrows move in the list, Enter takes a choice, Escape leaves it. */
export const onListKey = (event: KeyboardEvent, keys: ListKeys): void => {
  const { choices, active } = keys;
  if (event.key === "Escape") keys.cancel();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    event.stopPropagation();
    const step = event.key === "ArrowDown" ? 1 : -1;
    keys.setActive(Math.min(Math.max(active + step, -1), choices.length - 1));
  }
  const choice = choices[active];
  if (event.key === "Enter" && choice !== undefined) keys.choose(choice);
};
