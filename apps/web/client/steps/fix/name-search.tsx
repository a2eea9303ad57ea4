import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { usePage } from "../../lib/page.tsx";
import { useLookup } from "../../lib/use-lookup.ts";
import { type Choice, ChoiceList, onListKey } from "../../ui/choice-list.tsx";

interface NameSearchProps {
  readonly draft: string;
  /** The cell whose names are searched. */
  readonly row: number;
  readonly column: number;
  /** The name that is not known. */
  readonly value: string;
  readonly onChoose: (choice: Choice) => void;
}

/** What is typed, the names that have it, and which of them Enter takes. */
const useSearch = ({ draft, row, column, onChoose }: NameSearchProps) => {
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const lookup = useLookup(draft, { column, row, text, isOpen });
  const choices = lookup.data ?? [];
  const choose = (choice: Choice): void => {
    setText("");
    setActive(-1);
    setIsOpen(false);
    onChoose(choice);
  };
  return {
    text,
    active,
    choices,
    choose,
    isShown: isOpen,
    isReading: lookup.isFetching,
    open: () => setIsOpen(true),
    close: () => setIsOpen(false),
    type: (typed: string): void => {
      setText(typed);
      setActive(-1);
      setIsOpen(true);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      // Escape closes the list first, then the dialog.
      if (event.key === "Escape" && isOpen) event.stopPropagation();
      if (event.key === "ArrowDown") setIsOpen(true);
      onListKey(event, { choices, active, setActive, choose, cancel: () => setIsOpen(false) });
    },
  };
};

/** Searches the names of the store where none of the suggested ones is right. */
export const NameSearch = (props: NameSearchProps): ReactNode => {
  const { texts } = usePage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const { text, active, choices, isShown, ...search } = useSearch(props);
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
        aria-label={`${texts.fix.nameSearch}: ${props.value}`}
        autoComplete="off"
        placeholder={texts.fix.nameSearch}
        value={text}
        onClick={search.open}
        onChange={(event) => search.type(event.target.value)}
        onBlur={search.close}
        onKeyDown={search.onKeyDown}
      />
      <ChoiceList
        id={id}
        label={texts.fix.lookup}
        choices={choices}
        active={active}
        none={search.isReading ? texts.app.loading : texts.fix.lookupNone}
        onChoose={search.choose}
        anchor={isShown ? anchor : null}
      />
    </>
  );
};
