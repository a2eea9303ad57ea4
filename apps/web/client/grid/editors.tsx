/** How a cell is edited. What was typed is kept when the editor closes, unless Escape closed it. */

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { RenderEditCellProps } from "react-data-grid";
import { createPortal } from "react-dom";

import type { LookupView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { draftPath } from "../lib/queries.ts";
import { formatParts } from "../lib/query-text.ts";
import { requestJson } from "../lib/requests.ts";
import { useDebounced } from "../lib/use-debounced.ts";
import { useGrid } from "./grid-model.ts";

interface EditorProps extends RenderEditCellProps<number> {
  /** Index of the column in the file. */
  readonly index: number;
  readonly header: string;
}

interface Typing {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly cancel: () => void;
}

/** The text of an editor; it is written to the cell when the editor goes away. */
const useTyping = (row: number, index: number): Typing => {
  const { rows, edit } = useGrid();
  const before = rows.peek(row)?.cells[index] ?? "";
  const [text, setText] = useState(before);
  const last = useRef({ text: before, before, isCancelled: false, edit });
  last.current.edit = edit;
  useEffect(() => {
    const state = last.current;
    return () => {
      if (!state.isCancelled && state.text !== state.before) {
        state.edit([{ row, column: index, value: state.text }]);
      }
    };
  }, [row, index]);
  return {
    text,
    setText: (next) => {
      last.current.text = next;
      setText(next);
    },
    cancel: () => {
      last.current.isCancelled = true;
    },
  };
};

const focusAll = (input: HTMLInputElement | null): void => {
  if (input === null || document.activeElement === input) return;
  input.focus();
  input.select();
};

/** A line of text. */
export const TextEditor = ({ row, index, header, onClose }: EditorProps): ReactNode => {
  const { text, setText, cancel } = useTyping(row, index);
  return (
    <input
      ref={focusAll}
      className="cell-input"
      aria-label={header}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") cancel();
      }}
      onBlur={() => onClose(false, false)}
    />
  );
};

const useLookup = (row: number, column: number, text: string) => {
  const { draft } = useGrid();
  const { lang } = usePage();
  const settled = useDebounced(text, 150);
  return useQuery({
    queryKey: ["lookup", draft, row, column, settled],
    queryFn: ({ signal }) =>
      requestJson<readonly LookupView[]>(
        `${draftPath(draft)}/lookup${formatParts({ column, row, text: settled })}`,
        { lang, signal },
      ),
    placeholderData: (earlier) => earlier,
  });
};

interface NameKeys {
  readonly choices: readonly LookupView[];
  readonly active: number;
  readonly setActive: (active: number) => void;
  readonly choose: (choice: LookupView) => void;
  readonly cancel: () => void;
}

const onNameKey = (event: KeyboardEvent, keys: NameKeys): void => {
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

interface NameListProps {
  readonly id: string;
  readonly choices: readonly LookupView[];
  readonly active: number;
  readonly isLoading: boolean;
  readonly onChoose: (choice: LookupView) => void;
  /** The input that the list belongs to. */
  readonly anchor: HTMLElement | null;
}

const LIST_HEIGHT = 240;

/** Below the anchor, or above it where the window ends. */
const placeAt = (anchor: HTMLElement): Readonly<Record<string, number | string>> => {
  const { left, top, bottom, width } = anchor.getBoundingClientRect();
  const place = { left: Math.min(left, innerWidth - Math.max(width, 260) - 8), minWidth: width };
  return bottom + LIST_HEIGHT < innerHeight
    ? { ...place, top: bottom + 2 }
    : { ...place, bottom: innerHeight - top + 2 };
};

const NameList = ({ id, choices, active, anchor, ...props }: NameListProps): ReactNode => {
  const { texts } = usePage();
  const { isLoading, onChoose } = props;
  if (anchor === null) return null;
  return createPortal(
    <ul
      id={id}
      role="listbox"
      aria-label={texts.fix.lookup}
      className="name-choices"
      style={placeAt(anchor)}
    >
      {choices.map((choice, position) => (
        <li
          key={choice.value}
          id={`${id}-${position}`}
          role="option"
          aria-selected={position === active}
          className="name-choice"
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
        >
          {choice.label}
        </li>
      ))}
      {choices.length === 0 ? (
        <li role="option" aria-selected={false} aria-disabled="true" className="name-none">
          {isLoading ? texts.app.loading : texts.fix.lookupNone}
        </li>
      ) : null}
    </ul>,
    document.body,
  );
};

/** A name of the store, with those that match what is typed. */
export const NameEditor = ({ row, index, header, onClose }: EditorProps): ReactNode => {
  const { text, setText, cancel } = useTyping(row, index);
  const [active, setActive] = useState(-1);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const lookup = useLookup(row, index, text);
  const choices = lookup.data ?? [];
  const choose = (choice: LookupView): void => {
    setText(choice.value);
    onClose(false, true);
  };
  return (
    <>
      <input
        ref={(input) => {
          focusAll(input);
          if (input !== null) setAnchor(input);
        }}
        className="cell-input"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        aria-label={header}
        value={text}
        onChange={(event) => {
          setActive(-1);
          setText(event.target.value);
        }}
        onKeyDown={(event) => onNameKey(event, { choices, active, setActive, choose, cancel })}
        onBlur={() => onClose(false, false)}
      />
      <NameList
        id={id}
        choices={choices}
        active={active}
        isLoading={lookup.isFetching}
        onChoose={choose}
        anchor={anchor}
      />
    </>
  );
};
