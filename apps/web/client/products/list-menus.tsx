/** Which columns the list of products shows, and the filters that a person has kept. */

import { type FormEvent, type ReactNode, useState } from "react";

import type { ProductColumn, ProductViews } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useKeepViews } from "../lib/products.ts";
import { Button, IconButton, TextField, Tick } from "../ui/controls.tsx";
import { Drop } from "../ui/drop.tsx";
import { Failure } from "../ui/messages.tsx";
import { DEFAULT_COLUMNS } from "./product-columns.tsx";
import { COLUMNS, isSameQuery, type ProductQuery } from "./product-filter.ts";

/** The columns of a view, or those of the beginning. */
export const shownColumns = ({
  columns,
}: Pick<ProductViews, "columns">): readonly ProductColumn[] =>
  columns.length === 0 ? DEFAULT_COLUMNS : columns;

/** The columns with one more, before the first that usually follows it. */
const addColumn = (
  shown: readonly ProductColumn[],
  column: ProductColumn,
): readonly ProductColumn[] => {
  const place = COLUMNS.indexOf(column);
  const next = shown.findIndex((one) => COLUMNS.indexOf(one) > place);
  return next === -1 ? [...shown, column] : shown.toSpliced(next, 0, column);
};

/** The columns after one was ticked or unticked; an added one comes at its usual place. */
export const tickColumn = (
  shown: readonly ProductColumn[],
  column: ProductColumn,
  isTicked: boolean,
): readonly ProductColumn[] => {
  const others = shown.filter((one) => one !== column);
  return isTicked ? addColumn(others, column) : others;
};

/** The columns after one changed places with the one before or after it. */
export const moveColumn = (
  shown: readonly ProductColumn[],
  column: ProductColumn,
  step: 1 | -1,
): readonly ProductColumn[] => {
  const from = shown.indexOf(column);
  const to = from + step;
  const other = shown[to];
  return from === -1 || other === undefined ? shown : shown.with(from, other).with(to, column);
};

/** All columns: those that are shown in their order, the others at their usual places. */
const listColumns = (shown: readonly ProductColumn[]): readonly ProductColumn[] =>
  COLUMNS.filter((one) => !shown.includes(one)).reduce(addColumn, shown);

interface MenuProps {
  readonly views: ProductViews;
}

const STEPS = [
  [-1, "up"],
  [1, "down"],
] as const;

export const ColumnsMenu = ({ views }: MenuProps): ReactNode => {
  const words = usePage().texts.products;
  const keep = useKeepViews();
  // A box follows its press at once, and not only once the server has answered.
  const [latest, setLatest] = useState<readonly ProductColumn[] | null>(null);
  const shown = latest ?? shownColumns(views);
  const show = (columns: readonly ProductColumn[]): void => {
    setLatest(columns.length === 0 ? null : columns);
    keep.mutate({ ...views, columns });
  };
  return (
    <Drop label={words.columns} title={words.columnsTitle}>
      {() => (
        <>
          <Failure error={keep.error} />
          <ul className="column-choices">
            {listColumns(shown).map((column) => (
              <li key={column}>
                <Tick
                  isTicked={shown.includes(column)}
                  // Without its title, nobody knows a product.
                  isDisabled={column === "title"}
                  onChange={(isTicked) => show(tickColumn(shown, column, isTicked))}
                >
                  {words.column[column]}
                </Tick>
                {STEPS.map(([step, icon]) => (
                  <IconButton
                    key={step}
                    icon={icon}
                    label={words.moveColumn(words.column[column], step)}
                    isDisabled={moveColumn(shown, column, step) === shown}
                    onPress={() => show(moveColumn(shown, column, step))}
                  />
                ))}
              </li>
            ))}
          </ul>
          <Button kind="quiet" onPress={() => show([])}>
            {words.resetColumns}
          </Button>
        </>
      )}
    </Drop>
  );
};

interface SavedMenuProps extends MenuProps {
  readonly query: ProductQuery;
  readonly onQuery: (query: ProductQuery) => void;
}

/** The views with a filter kept under a name, in place of an earlier one of that name. */
export const keepFilter = (
  views: ProductViews,
  name: string,
  { filter, sort }: ProductQuery,
): ProductViews => {
  const others = views.saved.filter((saved) => saved.name !== name);
  return { ...views, saved: [...others, { name, filter, sort }] };
};

const SaveForm = ({ views, query }: Omit<SavedMenuProps, "onQuery">): ReactNode => {
  const words = usePage().texts.products;
  const [name, setName] = useState("");
  const keep = useKeepViews();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === "") return;
    keep.mutate(keepFilter(views, trimmed, query), { onSuccess: () => setName("") });
  };
  return (
    <form className="save-filter" onSubmit={submit}>
      <Failure error={keep.error} />
      <TextField label={words.saveName} value={name} onChange={setName} />
      <Button type="submit" isBusy={keep.isPending} isDisabled={name.trim() === ""}>
        {words.save}
      </Button>
    </form>
  );
};

export const SavedMenu = ({ views, query, onQuery }: SavedMenuProps): ReactNode => {
  const words = usePage().texts.products;
  const keep = useKeepViews();
  return (
    <Drop label={words.saved} title={words.savedTitle}>
      {(close) => (
        <>
          <Failure error={keep.error} />
          {views.saved.length === 0 ? <p className="muted">{words.savedNone}</p> : null}
          <ul className="saved-filters">
            {views.saved.map(({ name, filter, sort }) => (
              <li key={name}>
                <button
                  type="button"
                  className="saved-filter"
                  aria-current={isSameQuery({ filter, sort }, query)}
                  onClick={() => {
                    onQuery({ filter, sort });
                    close();
                  }}
                >
                  {name}
                </button>
                <IconButton
                  icon="close"
                  label={words.removeSaved(name)}
                  onPress={() => {
                    const saved = views.saved.filter((one) => one.name !== name);
                    keep.mutate({ ...views, saved });
                  }}
                />
              </li>
            ))}
          </ul>
          <SaveForm views={views} query={query} />
        </>
      )}
    </Drop>
  );
};
