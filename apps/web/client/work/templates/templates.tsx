import { type ReactNode, useId, useState } from "react";

import type { MadeFile, TemplateBody } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useMakeTemplate } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { CategoryBox } from "./category-box.tsx";

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
