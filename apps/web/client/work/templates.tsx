/** Workbooks to fill in. */

import { type ReactNode, useId, useState } from "react";

import type { TemplateBody } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useCategories, useMakeTemplate } from "../lib/queries.ts";
import { OnlyFor } from "../team/may.tsx";
import { useSearchBox, Combobox, type Choice, onListKey } from "../ui/choice-list.tsx";
import { Button } from "../ui/controls.tsx";
import { Failure, Message } from "../ui/messages.tsx";
import { TitledScreen, Download } from "../ui/sections.tsx";

/** Asks for a category by a search as one types; a name that is not listed may be added too. */
const CategoryBox = ({ onAdd }: { readonly onAdd: (category: string) => void }): ReactNode => {
  const { app, work } = usePage().texts;
  const words = work.templates;
  const id = useId();
  const box = useSearchBox();
  const { text, active } = box;
  const lookup = useCategories(text);
  const choices = lookup.data ?? [];
  const add = (category: string): void => {
    if (category.trim() !== "") onAdd(category.trim());
    box.clear();
  };
  const choose = ({ value }: Choice): void => add(value);
  return (
    <div className="field">
      <label htmlFor={`${id}-input`}>{words.category}</label>
      <div className="add-line">
        <Combobox
          id={`${id}-input`}
          aria-describedby={`${id}-hint`}
          placeholder={words.search}
          value={text}
          // A name may be added unseen where categories cannot be read.
          isShown={box.isOpen && text.trim() !== "" && !lookup.isError}
          listLabel={words.category}
          {...{ choices, active }}
          none={lookup.isFetching ? app.loading : words.none}
          onChoose={choose}
          onChange={(event) => box.type(event.target.value)}
          onBlur={box.close}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
            const { setActive, close: cancel } = box;
            if (event.key === "Enter" && choices[active] === undefined) add(text);
            else onListKey(event, { choices, active, setActive, choose, cancel });
          }}
        />
        <Button isDisabled={text.trim() === ""} onPress={() => add(text)}>
          {words.add}
        </Button>
      </div>
      <small id={`${id}-hint`} className="hint">
        {words.categoryHint}
      </small>
    </div>
  );
};

type Kind = TemplateBody["kind"];

const KINDS: readonly Kind[] = ["products", "stock-price"];

const Chosen = ({
  categories,
  onRemove,
}: {
  readonly categories: readonly string[];
  readonly onRemove: (category: string) => void;
}): ReactNode => {
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

export const Templates = (): ReactNode => {
  const words = usePage().texts.work.templates;
  const group = useId();
  const [kind, setKind] = useState<Kind>("products");
  const [categories, setCategories] = useState<readonly string[]>([]);
  const make = useMakeTemplate();
  const choose = (next: readonly string[]): void => {
    setCategories(next);
    make.reset();
  };
  const chooseKind = (next: Kind): void => {
    setKind(next);
    make.reset();
  };
  const { id, name } = make.data ?? { id: "", name: "" };
  return (
    <TitledScreen title={words.title} intro={words.intro} isNarrow>
      <div className="card stack">
        <fieldset className="stack-tight">
          <legend className="legend">{words.kind}</legend>
          {KINDS.map((one) => (
            <label key={one} className="name-option">
              <input
                type="radio"
                name={group}
                checked={one === kind}
                onChange={() => chooseKind(one)}
              />
              <span>
                {words.kinds[one]}
                <span className="hint block">{words.kindHints[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
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
        <OnlyFor role="editor">
          <Button
            kind={make.data === undefined ? "primary" : "plain"}
            isBusy={make.isPending}
            onPress={() => make.mutate({ kind, categories: kind === "products" ? categories : [] })}
          >
            {make.isPending ? words.making : words.go}
          </Button>
        </OnlyFor>
        {make.data === undefined ? null : (
          <Message
            tone="success"
            title={words.ready}
            actions={
              <Download
                kind="primary"
                href={`/api/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}`}
              >
                {words.download}
              </Download>
            }
          >
            {name}
          </Message>
        )}
      </div>
    </TitledScreen>
  );
};
