import { type ReactNode, useId, useState } from "react";

import type { ColumnView, FieldView } from "../../../src/api/index.ts";
import { foldText } from "../../lib/fold-text.ts";
import { usePage } from "../../lib/page.tsx";
import { type Choice, ChoiceList, onListKey } from "../../ui/choice-list.tsx";
import { Icon } from "../../ui/icon.tsx";

interface FieldBoxProps {
  readonly label: string;
  readonly column: ColumnView;
  readonly fields: readonly FieldView[];
  readonly onChoose: (field: string) => void;
}

/** Every field, one of the column's own among them, and the way to leave the column out. */
const useChoices = (column: ColumnView, fields: readonly FieldView[]): readonly Choice[] => {
  const { columns: words } = usePage().texts;
  const { field, label } = column;
  const known = fields.map((one) => ({
    value: one.key,
    label: one.label,
    note: one.isRequired ? words.required : undefined,
  }));
  const isOwn = field !== null && field !== "-" && !fields.some(({ key }) => key === field);
  const own = isOwn ? [{ value: field, label }] : [];
  return [{ value: "-", label: words.leaveOut }, ...own, ...known];
};

/** What is typed, which choices match it, and which of them Enter takes. */
const useSearch = (choices: readonly Choice[], chosen: string | null) => {
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const shown = choices.find(({ value }) => value === chosen)?.label ?? "";
  const isOpen = typed !== null;
  const matching =
    typed === null || typed === shown
      ? choices
      : choices.filter(({ label }) => foldText(label).includes(foldText(typed)));
  return {
    text: typed ?? shown,
    isOpen,
    matching,
    active,
    setActive,
    open: () => setTyped((text) => text ?? shown),
    close: () => setTyped(null),
    type: (text: string) => {
      setTyped(text);
      setActive(0);
    },
  };
};

/** Chooses a field by a search in its name. */
export const FieldBox = ({ label, column, fields, onChoose }: FieldBoxProps): ReactNode => {
  const { columns: words, fix } = usePage().texts;
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const {
    matching: choices,
    active,
    setActive,
    ...search
  } = useSearch(useChoices(column, fields), column.field);
  const choose = ({ value }: Choice): void => {
    search.close();
    if (value !== column.field) onChoose(value);
  };
  return (
    <div className="combo-line">
      <input
        ref={setAnchor}
        className="input"
        role="combobox"
        aria-label={label}
        aria-expanded={search.isOpen}
        aria-autocomplete="list"
        aria-controls={search.isOpen ? id : undefined}
        aria-activedescendant={search.isOpen && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={words.choose}
        value={search.text}
        onClick={search.open}
        onFocus={(event) => event.target.select()}
        onBlur={search.close}
        onChange={(event) => search.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key.startsWith("Arrow")) search.open();
          onListKey(event, { choices, active, setActive, choose, cancel: search.close });
        }}
      />
      <Icon name="down" />
      <ChoiceList
        id={id}
        label={label}
        choices={choices}
        active={active}
        none={fix.lookupNone}
        onChoose={choose}
        anchor={search.isOpen ? anchor : null}
      />
    </div>
  );
};
