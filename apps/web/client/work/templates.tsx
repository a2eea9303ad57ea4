/** Workbooks to fill in. */

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import type { MadeFile, TemplateBody } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useCategories, useMakeTemplate } from "../lib/work-queries.ts";
import { type Choice, ChoiceList, onListKey } from "../ui/choice-list.tsx";
import { Button, Icon } from "../ui/controls.tsx";
import { Failure, Message } from "../ui/messages.tsx";

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
const CategoryBox = ({ onAdd }: CategoryBoxProps): ReactNode => {
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

type Kind = TemplateBody["kind"];

const KINDS: readonly Kind[] = ["products", "stock-price"];

interface KindChoiceProps {
  readonly kind: Kind;
  readonly onChange: (kind: Kind) => void;
}

const KindChoice = ({ kind, onChange }: KindChoiceProps): ReactNode => {
  const words = usePage().texts.work.templates;
  const group = useId();
  return (
    <fieldset className="stack-tight">
      <legend className="legend">{words.kind}</legend>
      {KINDS.map((one) => (
        <label key={one} className="name-option">
          <input type="radio" name={group} checked={one === kind} onChange={() => onChange(one)} />
          <span>
            {words.kinds[one]}
            <span className="hint block">{words.kindHints[one]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
};

interface ChosenProps {
  readonly categories: readonly string[];
  readonly onRemove: (category: string) => void;
}

const Chosen = ({ categories, onRemove }: ChosenProps): ReactNode => {
  const words = usePage().texts.work.templates;
  if (categories.length === 0) return null;
  return (
    <ul className="chosen" aria-label={words.chosen}>
      {categories.map((category) => (
        <li key={category}>
          {category}
          <Button
            kind="quiet"
            icon="close"
            label={words.remove(category)}
            onPress={() => onRemove(category)}
          >
            {""}
          </Button>
        </li>
      ))}
    </ul>
  );
};

const Ready = ({ file }: { readonly file: MadeFile }): ReactNode => {
  const words = usePage().texts.work.templates;
  return (
    <Message
      tone="success"
      title={words.ready}
      actions={
        <a
          className="button button-primary"
          href={`/api/files/${encodeURIComponent(file.id)}/${encodeURIComponent(file.name)}`}
          download
        >
          <Icon name="download" />
          {words.download}
        </a>
      }
    >
      {file.name}
    </Message>
  );
};

/** Workbooks to fill in. */
export const Templates = (): ReactNode => {
  const words = usePage().texts.work.templates;
  const [kind, setKind] = useState<Kind>("products");
  const [categories, setCategories] = useState<readonly string[]>([]);
  const make = useMakeTemplate();
  const choose = (next: readonly string[]): void => {
    setCategories(next);
    make.reset();
  };
  return (
    <section className="stack wide-narrow">
      <h1>{words.title}</h1>
      <p className="lead">{words.intro}</p>
      <div className="card stack">
        <KindChoice
          kind={kind}
          onChange={(next) => {
            setKind(next);
            make.reset();
          }}
        />
        {kind === "products" ? (
          <div className="stack-tight">
            <CategoryBox onAdd={(added) => choose([...new Set([...categories, added])])} />
            <Chosen
              categories={categories}
              onRemove={(removed) => choose(categories.filter((one) => one !== removed))}
            />
          </div>
        ) : null}
        <Failure error={make.error} />
        <Button
          kind="primary"
          isBusy={make.isPending}
          onPress={() => make.mutate({ kind, categories: kind === "products" ? categories : [] })}
        >
          {make.isPending ? words.making : words.go}
        </Button>
        {make.data === undefined ? null : <Ready file={make.data} />}
      </div>
    </section>
  );
};
