import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { usePage } from "../../lib/page.tsx";
import { useCategories } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { type Choice, ChoiceList, onListKey } from "../../ui/choice-list.tsx";

interface CategoryBoxProps {
  readonly onAdd: (category: string) => void;
}

/** What is typed, the categories that have it, and which of them Enter takes. */
const useSearch = (onAdd: (category: string) => void) => {
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const lookup = useCategories(text);
  const choices = lookup.data ?? [];
  const add = (category: string): void => {
    if (category.trim() !== "") onAdd(category.trim());
    setText("");
    setIsOpen(false);
    setActive(-1);
  };
  const choose = ({ value }: Choice): void => add(value);
  return {
    text,
    active,
    choices,
    add,
    choose,
    isReading: lookup.isFetching,
    // A name may be added unseen where categories cannot be read.
    isShown: isOpen && text.trim() !== "" && !lookup.isError,
    close: () => setIsOpen(false),
    type: (typed: string): void => {
      setText(typed);
      setActive(-1);
      setIsOpen(true);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.key === "Enter") event.preventDefault();
      if (event.key === "Enter" && choices[active] === undefined) add(text);
      else onListKey(event, { choices, active, setActive, choose, cancel: () => setIsOpen(false) });
    },
  };
};

/** Asks for a category by a search as one types; a name that is not listed may be added too. */
export const CategoryBox = ({ onAdd }: CategoryBoxProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.work.templates;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const { text, active, choices, isShown, ...search } = useSearch(onAdd);
  return (
    <div className="field">
      <label htmlFor={`${id}-input`}>{words.category}</label>
      <div className="add-line">
        <input
          ref={setAnchor}
          id={`${id}-input`}
          className="input"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          placeholder={words.search}
          value={text}
          onChange={(event) => search.type(event.target.value)}
          onBlur={search.close}
          onKeyDown={search.onKeyDown}
        />
        <Button isDisabled={text.trim() === ""} onPress={() => search.add(text)}>
          {words.add}
        </Button>
      </div>
      <small id={`${id}-hint`} className="hint">
        {words.categoryHint}
      </small>
      <ChoiceList
        id={id}
        label={words.category}
        choices={choices}
        active={active}
        none={search.isReading ? texts.app.loading : words.none}
        onChoose={search.choose}
        anchor={isShown ? anchor : null}
      />
    </div>
  );
};
