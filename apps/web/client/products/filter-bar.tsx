/** How the list of products is filtered: the search, the panel, and what is active as chips. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import type { ProductFacet, ProductFilter, ProductsView } from "../../src/api/index.ts";
import { foldText } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { useDebounced } from "../lib/queries.ts";
import type { ProductsTexts } from "../texts/products-tr.ts";
import { Combobox, onListKey, useSearchBox } from "../ui/choice-list.tsx";
import { Icon, SearchField, SelectField, TextField, Tick, useOneStop } from "../ui/controls.tsx";
import { isAmount, isCount, MARKS, STATUSES, trimFilter } from "./product-filter.ts";

const TYPING_MS = 250;

/** A text that is typed here and also changed from outside, such as by the browser's way back. */
const useTyped = (
  value: string,
  isRight: (text: string) => boolean,
  onChange: (value: string) => void,
) => {
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed, TYPING_MS);
  const known = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (known.current === value) return;
    known.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const text = settled.trim();
    if (text === known.current || !(text === "" || isRight(text))) return;
    known.current = text;
    latest.current(text);
  }, [settled, isRight]);
  const text = typed.trim();
  return { typed, setTyped, isWrong: text !== "" && !isRight(text) };
};

interface FilterProps {
  readonly filter: ProductFilter;
  readonly onFilter: (filter: ProductFilter, isReplaced: boolean) => void;
}

const isText = (text: string): boolean => text.length <= 1_000;

export const ProductSearch = ({ filter, onFilter }: FilterProps): ReactNode => {
  const { products } = usePage().texts;
  const { typed, setTyped } = useTyped(filter.text ?? "", isText, (text) =>
    onFilter({ ...filter, text }, true),
  );
  return <SearchField label={products.search} value={typed} onChange={setTyped} />;
};

interface RangeEndProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly isRight: (text: string) => boolean;
  readonly onChange: (value: string) => void;
}

const RangeEnd = ({ label, value, hint, isRight, onChange }: RangeEndProps): ReactNode => {
  const { typed, setTyped, isWrong } = useTyped(value, isRight, onChange);
  return (
    <TextField
      label={label}
      value={typed}
      onChange={setTyped}
      isWrong={isWrong}
      hint={isWrong ? hint : undefined}
    />
  );
};

const MAX_CHOICES = 50;

interface FacetFieldProps {
  readonly label: string;
  readonly facets: readonly ProductFacet[];
  readonly value: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

/** A brand or category to choose, those of most products first. */
const FacetField = ({ label, facets, value, onChoose }: FacetFieldProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.products;
  const id = useId();
  const box = useSearchBox();
  const sought = foldText(box.text);
  const found = facets.filter((facet) => foldText(facet.value).includes(sought));
  const all = value === undefined ? [] : [{ value: "", label: words.any }];
  const choices = [
    ...all,
    ...found.slice(0, MAX_CHOICES).map((facet) => ({
      value: facet.value,
      label: facet.value,
      note: format.number(facet.products),
    })),
  ];
  const choose = (choice: { readonly value: string }): void => {
    onChoose(choice.value === "" ? undefined : choice.value);
    box.clear();
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="combo-line">
        <Combobox
          id={id}
          isShown={box.isOpen}
          listLabel={label}
          choices={choices}
          active={box.active}
          none={words.noChoice}
          onChoose={choose}
          placeholder={value ?? words.any}
          value={box.isOpen ? box.text : (value ?? "")}
          onFocus={(event) => event.target.select()}
          onClick={box.open}
          onBlur={box.clear}
          onChange={(event) => box.type(event.target.value)}
          onKeyDown={(event) => {
            // The first Escape closes the list, the next one the panel.
            if (event.key === "Escape" && box.isOpen) event.stopPropagation();
            if (event.key === "ArrowDown") box.open();
            onListKey(event, {
              choices,
              active: box.active,
              setActive: box.setActive,
              choose,
              cancel: box.clear,
            });
          }}
        />
        <Icon name="down" />
      </div>
    </div>
  );
};

interface FilterFieldsProps extends FilterProps {
  readonly view: ProductsView;
}

const StatusField = ({ filter, onFilter, view }: FilterFieldsProps): ReactNode => {
  const words = usePage().texts.products;
  const counts = new Map(view.statuses.map(({ value, products }) => [value, products]));
  return (
    <SelectField
      label={words.column.status}
      value={filter.status ?? ""}
      choices={[
        { value: "", label: words.any },
        ...STATUSES.map((value) => ({
          value,
          label: words.choice(words.statuses[value], counts.get(value) ?? 0),
        })),
      ]}
      onChange={(value) =>
        onFilter({ ...filter, status: STATUSES.find((one) => one === value) }, false)
      }
    />
  );
};

const toCount = (text: string): number | undefined => (text === "" ? undefined : Number(text));

const Ranges = ({ filter, onFilter }: FilterProps): ReactNode => {
  const words = usePage().texts.products;
  const { stock } = words.column;
  const price = words.paidPrice;
  const take = (part: ProductFilter): void => onFilter({ ...filter, ...part }, true);
  const amount = { hint: words.amountHint, isRight: isAmount };
  const count = { hint: words.countHint, isRight: isCount };
  return (
    <div className="range-fields">
      <RangeEnd
        {...amount}
        label={words.from(price)}
        value={filter.priceFrom ?? ""}
        onChange={(priceFrom) => take({ priceFrom })}
      />
      <RangeEnd
        {...amount}
        label={words.to(price)}
        value={filter.priceTo ?? ""}
        onChange={(priceTo) => take({ priceTo })}
      />
      <RangeEnd
        {...count}
        label={words.from(stock)}
        value={String(filter.stockFrom ?? "")}
        onChange={(text) => take({ stockFrom: toCount(text) })}
      />
      <RangeEnd
        {...count}
        label={words.to(stock)}
        value={String(filter.stockTo ?? "")}
        onChange={(text) => take({ stockTo: toCount(text) })}
      />
    </div>
  );
};

/** What is asked of the products besides the text. */
export const FilterFields = (props: FilterFieldsProps): ReactNode => {
  const { filter, onFilter, view } = props;
  const words = usePage().texts.products;
  const marks = filter.marks ?? [];
  return (
    <>
      <div className="filter-fields">
        <FacetField
          label={words.column.brand}
          facets={view.brands}
          value={filter.brand}
          onChoose={(brand) => onFilter({ ...filter, brand }, false)}
        />
        {view.categories.length === 0 ? null : (
          <FacetField
            label={words.column.category}
            facets={view.categories}
            value={filter.category}
            onChoose={(category) => onFilter({ ...filter, category }, false)}
          />
        )}
        <StatusField {...props} />
      </div>
      <Ranges filter={filter} onFilter={onFilter} />
      <fieldset className="mark-fields">
        <legend className="field-label">{words.marksTitle}</legend>
        {MARKS.map((mark) => (
          <Tick
            key={mark}
            isTicked={marks.includes(mark)}
            onChange={(isTicked) => {
              const others = marks.filter((one) => one !== mark);
              onFilter({ ...filter, marks: isTicked ? [...others, mark] : others }, false);
            }}
          >
            {words.marks[mark]}
          </Tick>
        ))}
      </fieldset>
    </>
  );
};

interface ActivePart {
  readonly label: string;
  /** The filter without it. */
  readonly without: ProductFilter;
}

const describeRange = (
  label: string,
  [from, to]: readonly [string | number | undefined, string | number | undefined],
  words: ProductsTexts,
): string | null => {
  if (from !== undefined && to !== undefined) return words.between(label, String(from), String(to));
  if (from !== undefined) return words.atLeast(label, String(from));
  return to === undefined ? null : words.atMost(label, String(to));
};

/** The parts of a filter in words, without the text, which its own field shows. */
export const listActiveParts = (
  filter: ProductFilter,
  words: ProductsTexts,
): readonly ActivePart[] => {
  const { brand, category, status, priceFrom, priceTo, stockFrom, stockTo, marks = [] } = filter;
  const { column, is } = words;
  const parts: readonly (readonly [string | null, ProductFilter])[] = [
    [brand === undefined ? null : is(column.brand, brand), { brand: undefined }],
    [category === undefined ? null : is(column.category, category), { category: undefined }],
    [
      status === undefined ? null : is(column.status, words.statuses[status]),
      { status: undefined },
    ],
    [
      describeRange(words.paidPrice, [priceFrom, priceTo], words),
      { priceFrom: undefined, priceTo: undefined },
    ],
    [
      describeRange(column.stock, [stockFrom, stockTo], words),
      { stockFrom: undefined, stockTo: undefined },
    ],
    ...marks.map(
      (mark) => [words.marks[mark], { marks: marks.filter((one) => one !== mark) }] as const,
    ),
  ];
  return parts.flatMap(([label, without]) =>
    label === null ? [] : [{ label, without: trimFilter({ ...filter, ...without }) }],
  );
};

/** What the list is filtered by; a press takes a part away. */
export const ActiveFilters = ({ filter, onFilter }: FilterProps): ReactNode => {
  const words = usePage().texts.products;
  const parts = listActiveParts(filter, words);
  const group = useOneStop();
  if (parts.length === 0) return null;
  return (
    <div ref={group} className="chips active-filters" role="group" aria-label={words.active}>
      {parts.map(({ label, without }) => (
        <button
          key={label}
          type="button"
          className="chip"
          aria-label={words.remove(label)}
          onClick={() => onFilter(without, false)}
        >
          {label}
          <Icon name="close" />
        </button>
      ))}
      <button type="button" className="link" onClick={() => onFilter({}, false)}>
        {words.clearFilters}
      </button>
    </div>
  );
};
