/**
 * The store's products as they were read last: found, sorted and chosen. Filter and sort are in the
 * address, so that the way back, a reload and a link show the same list.
 */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo, useRef } from "react";

import type {
  ProductFilter,
  ProductsView,
  ProductView,
  ProductViews,
} from "../../src/api/index.ts";
import { ListGrid, type ListSort } from "../grid/list-grid.tsx";
import { useListedRows } from "../grid/row-window.ts";
import { useTicked } from "../grid/ticks.ts";
import { usePage } from "../lib/page.tsx";
import {
  readProducts,
  useProductOrder,
  useProducts,
  useProductViews,
  useReadProducts,
  useStopReading,
} from "../lib/products.ts";
import { useSavePriceUnit } from "../lib/queries.ts";
import { goTo, setSearch, useSearch } from "../lib/route.ts";
import { useMay } from "../lib/team.ts";
import { OnlyFor, WhoMay } from "../team/may.tsx";
import { Button, Link, SelectField } from "../ui/controls.tsx";
import { Drop } from "../ui/drop.tsx";
import { Failure, Loaded, Message, Progress } from "../ui/messages.tsx";
import { ChosenBar } from "./chosen-bar.tsx";
import { ActiveFilters, FilterFields, ProductSearch } from "./filter-bar.tsx";
import { ColumnsMenu, SavedMenu, shownColumns } from "./list-menus.tsx";
import { useProductCard, useProductColumns } from "./product-columns.tsx";
import {
  COLUMNS,
  countParts,
  formatProductQuery,
  parseQuery,
  type ProductQuery,
  trimFilter,
} from "./product-filter.ts";

const show = (query: ProductQuery, isReplaced: boolean): void =>
  setSearch(formatProductQuery(query), isReplaced);

const useAddress = () => {
  const search = useSearch();
  const query = useMemo(() => parseQuery(search), [search]);
  return {
    query,
    onFilter: (filter: ProductFilter, isReplaced: boolean): void =>
      show({ ...query, filter: trimFilter(filter) }, isReplaced),
  };
};

interface ViewProps {
  readonly view: ProductsView;
}

const ReadingProgress = ({ view: { reading } }: ViewProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.products;
  const stop = useStopReading();
  if (reading === null) return null;
  const { done, total } = reading;
  const counts =
    total === null ? format.number(done) : words.ofTotal(format.number(done), format.number(total));
  return (
    <div className="products-reading">
      <Progress
        label={words.reading}
        part={total === null ? null : done / Math.max(1, total)}
        text={counts}
      />
      <Button kind="quiet" isBusy={stop.isPending} onPress={() => stop.mutate()}>
        {words.stop}
      </Button>
      <Failure error={stop.error} />
    </div>
  );
};

/** The most that the marketplace lists in one answer. */
const PRODUCTS_A_CALL = 50;

/** Before the first reading: what will be here, what it takes, and the button. */
const FirstReading = ({ view }: ViewProps): ReactNode => {
  const words = usePage().texts.products;
  const read = useReadProducts();
  const isReading = view.reading !== null;
  return (
    <section className="narrow card stack first-reading">
      <h1>{words.first.title}</h1>
      <ul className="points">
        {words.first.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <Failure error={read.error} />
      {view.problem === null || isReading ? null : <Message tone="error">{view.problem}</Message>}
      {isReading ? (
        <ReadingProgress view={view} />
      ) : (
        <>
          <p className="muted">
            {words.first.harmless} {words.first.perCall(PRODUCTS_A_CALL)}
          </p>
          <div className="line">
            <OnlyFor role="editor">
              <Button kind="primary" isBusy={read.isPending} onPress={() => read.mutate()}>
                {words.first.read}
              </Button>
            </OnlyFor>
            <OnlyFor role="editor" isSaid={false}>
              <Link to={{ page: "upload" }}>{words.first.upload}</Link>
            </OnlyFor>
          </div>
        </>
      )}
    </section>
  );
};

const ListHead = ({ view }: ViewProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.products;
  const read = useReadProducts();
  const mayRead = useMay("editor");
  const { readAt, reading, problem, total, calls } = view;
  return (
    <>
      <div className="products-head">
        <h1>{words.title}</h1>
        <p className="muted products-age">
          {words.count(total)}
          {readAt === null ? null : (
            <>
              {" · "}
              <time dateTime={readAt} title={format.date(readAt)}>
                {words.readAgo(format.ago(readAt, Date.now()))}
              </time>
            </>
          )}
        </p>
        {reading === null && mayRead ? (
          <span
            className="products-read"
            title={calls === null ? undefined : words.readAgainCalls(calls)}
          >
            <Button isBusy={read.isPending} onPress={() => read.mutate()}>
              {words.readAgain}
            </Button>
          </span>
        ) : null}
      </div>
      <ReadingProgress view={view} />
      <Failure error={read.error} />
      {problem === null || reading !== null ? null : <Message tone="warning">{problem}</Message>}
    </>
  );
};

const UNITS = ["minor", "major"] as const;

/** Asks for the unit of the store's prices, without which none can be shown. */
const UnitQuestion = ({ view }: ViewProps): ReactNode => {
  const { priceUnit: asked, products: words } = usePage().texts;
  const save = useSavePriceUnit();
  const maySave = useMay("administrator");
  if (view.priceUnit !== null) return null;
  const example = view.priceUnitExample;
  return (
    <Message
      tone="info"
      title={words.noPrices}
      actions={
        maySave ? (
          UNITS.map((unit) => (
            <Button key={unit} isBusy={save.isPending} onPress={() => save.mutate({ unit })}>
              {example === null ? asked.openUnit[unit] : example[unit]}
            </Button>
          ))
        ) : (
          <WhoMay role="administrator" />
        )
      }
    >
      <p>{example === null ? asked.openQuestion : asked.question(example.code, example.shown)}</p>
      <Failure error={save.error} />
    </Message>
  );
};

interface ToolsProps extends ViewProps {
  readonly query: ProductQuery;
  readonly views: ProductViews;
  readonly found: number | undefined;
  readonly onQuery: (query: ProductQuery, isReplaced: boolean) => void;
  readonly onFilter: (filter: ProductFilter, isReplaced: boolean) => void;
}

/** The order, where no header is in sight to press. */
const SortField = ({ query, onQuery }: Pick<ToolsProps, "query" | "onQuery">): ReactNode => {
  const words = usePage().texts.products;
  const choices = COLUMNS.filter((column) => column !== "image").flatMap((column) =>
    [false, true].map((isDescending) => ({
      value: formatProductQuery({ filter: {}, sort: { column, isDescending } }),
      label: words.sorted(words.column[column], isDescending),
    })),
  );
  return (
    <div className="narrow-only">
      <SelectField
        label={words.sort}
        value={formatProductQuery({ filter: {}, sort: query.sort })}
        choices={[{ value: "", label: words.unsorted }, ...choices]}
        onChange={(value) => onQuery({ ...query, sort: parseQuery(value).sort }, false)}
      />
    </div>
  );
};

const Tools = ({ view, query, views, found, onQuery, onFilter }: ToolsProps): ReactNode => {
  const words = usePage().texts.products;
  const parts = countParts(query.filter);
  return (
    <div className="product-tools">
      <ProductSearch filter={query.filter} onFilter={onFilter} />
      <Drop
        label={parts === 0 ? words.filters : words.filtersOn(parts)}
        title={words.filters}
        done={found === undefined ? undefined : words.showFound(found)}
        size="wide"
      >
        {() => (
          <>
            <FilterFields filter={query.filter} onFilter={onFilter} view={view} />
            <SortField query={query} onQuery={onQuery} />
          </>
        )}
      </Drop>
      <OnlyFor role="editor" isSaid={false}>
        <SavedMenu views={views} query={query} onQuery={(next) => onQuery(next, false)} />
        <div className="wide-only">
          <ColumnsMenu views={views} />
        </div>
      </OnlyFor>
    </div>
  );
};

/** The version to show: while the store is read again the list stays, and the first one grows. */
const useVersion = ({ version, reading, readAt, total, priceUnit }: ProductsView): string => {
  const settled = useRef(version);
  if (reading === null || readAt === null || total === 0) settled.current = version;
  return `${settled.current} ${priceUnit ?? ""}`;
};

const PLACE_KEY = "products-place";

/** Where the list was when a product was opened, for the way back to it. */
const usePlace = (search: string) => {
  const client = useQueryClient();
  return {
    startAt: client.getQueryData<number>([PLACE_KEY, search]),
    leaveAt: (position: number): void => {
      client.removeQueries({ queryKey: [PLACE_KEY] });
      client.setQueryDefaults([PLACE_KEY], { gcTime: Infinity });
      client.setQueryData([PLACE_KEY, search], position);
    },
  };
};

/** The query of the list from which a product was opened; empty where it was opened elsewhere. */
export const useListSearch = (): string => {
  const [place] = useQueryClient().getQueriesData({ queryKey: [PLACE_KEY] });
  const search: unknown = place?.[0][1];
  return typeof search === "string" ? search : "";
};

const isColumn = (text: string): text is (typeof COLUMNS)[number] =>
  COLUMNS.some((column) => column === text);

interface ListProps extends ViewProps {
  readonly views: ProductViews;
}

const ProductList = ({ view, views }: ListProps): ReactNode => {
  const words = usePage().texts.products;
  const { query, onFilter } = useAddress();
  const search = formatProductQuery(query);
  const version = useVersion(view);
  const order = useProductOrder(search, version);
  const rows = useListedRows(version, readProducts);
  const place = usePlace(search);
  const shown = useMemo(() => shownColumns(views), [views]);
  const columns = useProductColumns(shown);
  const card = useProductCard();
  const mayChange = useMay("editor");
  const { ticked, ticks, clear } = useTicked(order.data);
  const named = useMemo(
    () => ({
      ...ticks,
      label: ({ title }: ProductView) => words.tick(title),
      allLabel: words.tickAll,
    }),
    [ticks, words],
  );
  const onSort = (sort: ListSort | null): void =>
    show(
      {
        ...query,
        sort: sort !== null && isColumn(sort.column) ? { ...sort, column: sort.column } : null,
      },
      false,
    );
  const open = (number: number, position: number): void => {
    place.leaveAt(position);
    goTo({ page: "product", id: String(number) });
  };
  const found = order.data?.length;
  return (
    <section className="products" aria-busy={order.isFetching}>
      <ListHead view={view} />
      <UnitQuestion view={view} />
      <Tools {...{ view, query, views, found, onFilter }} onQuery={show} />
      <ActiveFilters filter={query.filter} onFilter={onFilter} />
      <Failure error={order.error} />
      <ListGrid
        label={words.title}
        rows={rows}
        order={order.data}
        columns={columns}
        card={card}
        sort={query.sort}
        onSort={onSort}
        ticks={mayChange ? named : undefined}
        onOpen={open}
        startAt={place.startAt}
        empty={search === "" ? <NoProducts /> : words.noneFound}
        loading={words.loading}
      />
      <OnlyFor role="editor" isSaid={false}>
        <ChosenBar
          ticked={ticked}
          order={order.data ?? NOTHING}
          filter={query.filter}
          total={view.total}
          onClear={clear}
        />
      </OnlyFor>
    </section>
  );
};

const NOTHING = new Uint32Array(0);

const NoProducts = (): ReactNode => {
  const words = usePage().texts.products;
  return (
    <p>
      {words.none} <Link to={{ page: "upload" }}>{words.first.upload}</Link>
    </p>
  );
};

export const Products = (): ReactNode => {
  const products = useProducts();
  const views = useProductViews();
  return (
    <Loaded query={products}>
      {(view) =>
        view.readAt === null && view.total === 0 ? (
          <FirstReading view={view} />
        ) : (
          <Loaded query={views}>{(kept) => <ProductList view={view} views={kept} />}</Loaded>
        )
      }
    </Loaded>
  );
};
