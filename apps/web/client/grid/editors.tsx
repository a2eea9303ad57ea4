/** How a cell is edited. What was typed is kept when the editor closes, unless Escape closed it. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { RenderEditCellProps } from "react-data-grid";

import { usePage } from "../lib/page.tsx";
import { useLookup } from "../lib/use-lookup.ts";
import { type Choice, ChoiceList, onListKey } from "../ui/choice-list.tsx";
import { useGrid } from "./grid-model.ts";

interface EditorProps extends RenderEditCellProps<number> {
  /** Index of the column in the file. */
  readonly index: number;
  readonly header: string;
}

interface Typing {
  readonly text: string;
  /** Whether the text is still that of the cell. */
  readonly isSame: boolean;
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
    isSame: text === before,
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

interface ChoicesPlace {
  readonly column: number;
  readonly row: number;
  readonly text: string;
  readonly isSame: boolean;
}

/** The names that match; the first ones of the list where none is like what stands in the cell. */
const useChoices = ({ isSame, ...place }: ChoicesPlace) => {
  const { draft } = useGrid();
  const near = useLookup(draft, place);
  const isUnlike = isSame && near.data?.length === 0;
  const all = useLookup(draft, { ...place, text: "", isOpen: isUnlike });
  const found = isUnlike ? all : near;
  return { choices: found.data ?? [], isReading: found.isFetching };
};

/** A name of the store, with those that match what is typed. */
export const NameEditor = ({ row, index, header, onClose }: EditorProps): ReactNode => {
  const { texts } = usePage();
  const { text, isSame, setText, cancel } = useTyping(row, index);
  const [active, setActive] = useState(-1);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const { choices, isReading } = useChoices({ column: index, row, text, isSame });
  const choose = (choice: Choice): void => {
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
        onKeyDown={(event) => onListKey(event, { choices, active, setActive, choose, cancel })}
        onBlur={() => onClose(false, false)}
      />
      <ChoiceList
        id={id}
        label={texts.fix.lookup}
        choices={choices}
        active={active}
        none={isReading ? texts.app.loading : texts.fix.lookupNone}
        onChoose={choose}
        anchor={anchor}
      />
    </>
  );
};
