/** The rows of a run in a table: sorted by its headers, ticked, and shown in full beside it. */

import { type ReactNode, useEffect, useMemo, useState } from "react";

import type { RunRowColumn, RunRowFilter, RunRowSort, RunRowView } from "../../../src/api/index.ts";
import { type ListCard, type ListColumn, ListGrid, type ListSort } from "../../grid/list-grid.tsx";
import { RowWindow } from "../../grid/row-window.ts";
import type { ListTicks } from "../../grid/ticks.ts";
import { type Page, usePage } from "../../lib/page.tsx";
import { readRunRows, useRunOrder } from "../../lib/queries.ts";
import { Button } from "../../ui/controls.tsx";
import { Loaded } from "../../ui/messages.tsx";
import { Picture } from "../../ui/picture.tsx";
import { FromTo, RowPanel } from "./row-panel.tsx";

type Change = RunRowView["changes"][number];

/** What a table of rows is about, which decides on its columns. */
export type RunListKind = "update" | "add" | "failed" | "result";

/** What the buyer pays. */
export const priceOf = ({ changes }: RunRowView): Change | undefined =>
  changes.find(({ field }) => field === "paid_price") ??
  changes.find(({ field }) => field === "price");

export const stockOf = ({ changes }: RunRowView): Change | undefined =>
  changes.find(({ field }) => field === "stock_count");

/** Columns of their own, or what every table says of a product. */
const SHOWN_APART: ReadonlySet<string> = new Set(["title", "product_code", "stock_count"]);

/** What changes beside the price and the stock. */
export const othersOf = (row: RunRowView): readonly Change[] => {
  const price = priceOf(row);
  return row.changes.filter((one) => one !== price && !SHOWN_APART.has(one.field));
};

const titleChange = ({ action, changes }: RunRowView): readonly Change[] =>
  action === "add" ? [] : changes.filter(({ field }) => field === "title");

/** So many characters of a number stand in its column; a longer one is written smaller. */
const MAX_DIGITS = 13;

/** A number in whole: where one must see what is wrong with it, no digit may be cut off. */
const Digits = ({ text }: { readonly text: string }): ReactNode => (
  <span className={text.length > MAX_DIGITS ? "digits-many" : undefined} title={text}>
    {text}
  </span>
);

const Percent = ({ row }: { readonly row: RunRowView }): ReactNode => {
  const { format } = usePage();
  const percent = priceOf(row)?.percent ?? null;
  return percent === null ? null : (
    <span className="percent">
      <Digits text={format.percent(percent)} />
    </span>
  );
};

/** Whether somebody else has answered meanwhile. */
const hasTwoAnswers = ({ changes }: RunRowView): boolean =>
  changes.some(({ field, before }) => field === "answer" && before !== null);

/** Fields that the header of their column names already. */
const UNLABELED: ReadonlySet<string> = new Set(["answer", "status"]);

/** Why a row is where it is, or what else it changes. */
export const More = ({ row }: { readonly row: RunRowView }): ReactNode => {
  const words = usePage().texts.preview;
  const [issue] = row.issues;
  // A price speaks for itself, and so do two answers.
  const isPlain = row.isHeld && (priceOf(row) !== undefined || hasTwoAnswers(row));
  if (issue !== undefined && !isPlain) return <span title={issue.message}>{issue.message}</span>;
  const others = [...titleChange(row), ...othersOf(row)];
  if (others.length === 0) return null;
  if (row.action === "add") return <span className="muted">{words.moreFields(others.length)}</span>;
  return (
    <span className="run-others">
      {others.map((change) => (
        <span
          key={change.field}
          title={`${change.label}: ${change.before ?? ""} → ${change.after}`}
        >
          {UNLABELED.has(change.field) ? null : <span className="muted">{change.label} </span>}
          {change.field === "price" ? (
            <ins className="new">{change.after}</ins>
          ) : (
            <FromTo change={change} />
          )}
        </span>
      ))}
    </span>
  );
};

const TONES: Readonly<Record<string, string>> = {
  added: "badge badge-success",
  updated: "badge badge-success",
  held: "badge badge-warning",
  unknown: "badge badge-warning",
  unsendable: "badge badge-warning",
  rejected: "badge badge-error",
  invalid: "badge badge-error",
  duplicate: "badge badge-error",
};

const Result = ({ row }: { readonly row: RunRowView }): ReactNode => (
  <span className={TONES[row.state] ?? "badge"} title={row.stateText}>
    {row.stateText}
  </span>
);

type Words = Page["texts"]["preview"];
type RunColumn = ListColumn<RunRowView> & { readonly key: RunRowColumn };

const NUMBER = { align: "end", isSortable: true, isGreatestFirst: true } as const;

interface ColumnWords {
  readonly result: string;
  readonly more: string;
  readonly hasDeeds: boolean;
}

const toColumns = (
  words: Words,
  { result, more, hasDeeds }: ColumnWords,
): Readonly<Record<RunRowColumn, RunColumn>> => ({
  row: {
    key: "row",
    header: words.row,
    width: 60,
    align: "end",
    isSortable: true,
    render: ({ name }) => <span className="muted">{name}</span>,
  },
  code: {
    key: "code",
    header: words.code,
    width: 120,
    isSortable: true,
    render: ({ code }) => <span title={code ?? ""}>{code}</span>,
  },
  title: {
    key: "title",
    header: words.product,
    // An order or a template has a short name, and what is done with it needs room.
    width: hasDeeds ? "minmax(110px, 1fr)" : "minmax(180px, 2fr)",
    isSortable: true,
    render: ({ title }) => (
      <span className="run-title" title={title ?? ""}>
        {title}
      </span>
    ),
  },
  old: {
    key: "old",
    header: words.oldPrice,
    width: 132,
    ...NUMBER,
    render: (row) => (
      <span className="muted">
        <Digits text={priceOf(row)?.before ?? ""} />
      </span>
    ),
  },
  new: {
    key: "new",
    header: words.newPrice,
    width: 132,
    ...NUMBER,
    render: (row) => (
      <b>
        <Digits text={priceOf(row)?.after ?? ""} />
      </b>
    ),
  },
  percent: {
    key: "percent",
    header: words.percent,
    width: 96,
    ...NUMBER,
    render: (row) => <Percent row={row} />,
  },
  stock: {
    key: "stock",
    header: words.stock,
    width: 112,
    ...NUMBER,
    render: (row) => {
      const stock = stockOf(row);
      return stock === undefined ? null : <FromTo change={stock} />;
    },
  },
  changes: {
    key: "changes",
    header: more,
    width: "minmax(150px, 2fr)",
    isSortable: true,
    isGreatestFirst: true,
    render: (row) => <More row={row} />,
  },
  state: {
    key: "state",
    header: result,
    width: hasDeeds ? 152 : 132,
    isSortable: true,
    render: (row) => <Result row={row} />,
  },
});

const KEYS: Readonly<Record<RunListKind, readonly RunRowColumn[]>> = {
  update: ["row", "code", "title", "old", "new", "percent", "stock", "changes"],
  add: ["row", "code", "title", "new", "stock", "changes"],
  failed: ["row", "code", "title", "changes"],
  result: ["row", "code", "title", "old", "new", "percent", "stock", "changes", "state"],
};

const toPictureColumn = (run: string): ListColumn<RunRowView> => ({
  key: "image",
  header: "",
  width: 44,
  render: ({ row, image }) => (image === null ? null : <Picture of={{ run, row }} />),
});

const PRICE_KEYS: ReadonlySet<string> = new Set(["old", "new", "percent"]);
const OLD_KEYS: ReadonlySet<string> = new Set(["old", "percent"]);

/** Fields of a run that have columns of their own. */
export interface ListedFields {
  readonly hasPrices: boolean;
  /** Whether any row has an earlier price. @default those with prices */
  readonly hasOldPrices?: boolean;
  readonly hasStock: boolean;
  /** Whether codes tell people something; ids of questions and packages do not. @default true */
  readonly hasCodes?: boolean;
  /** Whether each row says what is done with it. @default false */
  readonly hasDeeds?: boolean;
}

/** The picture stands before the code. */
const withPicture = (
  columns: readonly RunColumn[],
  picture: ListColumn<RunRowView>,
): readonly ListColumn<RunRowView>[] =>
  columns.flatMap((column) => (column.key === "code" ? [picture, column] : [column]));

const useColumns = ({
  run,
  kind,
  hasPrices,
  hasOldPrices = hasPrices,
  hasStock,
  hasCodes = true,
  hasDeeds = false,
}: RunListProps): readonly ListColumn<RunRowView>[] => {
  const { preview, report } = usePage().texts;
  return useMemo(() => {
    const more = kind === "failed" ? preview.reason : preview.more;
    const result = kind === "result" ? report.state : preview.deed;
    const columns = toColumns(preview, { result, more, hasDeeds });
    const keys: readonly RunRowColumn[] = hasDeeds ? [...KEYS[kind], "state"] : KEYS[kind];
    const shown = keys
      .filter((key) => (hasPrices || !PRICE_KEYS.has(key)) && (hasStock || key !== "stock"))
      .filter((key) => hasOldPrices || !OLD_KEYS.has(key))
      .filter((key) => hasCodes || key !== "code")
      .map((key) => columns[key]);
    return withPicture(shown, toPictureColumn(run));
  }, [run, kind, hasPrices, hasOldPrices, hasStock, hasCodes, hasDeeds, preview, report]);
};

const CardChanges = ({ row }: { readonly row: RunRowView }): ReactNode => {
  const price = priceOf(row);
  if (price === undefined) return <More row={row} />;
  return (
    <span>
      <FromTo change={price} /> <Percent row={row} />
      {price.before === price.after ? <More row={row} /> : null}
    </span>
  );
};

/** A row in a narrow window: its product, what the buyer pays, and its result. */
const RowCard = ({
  of: { run, hasState, hasCodes },
  row,
}: {
  readonly of: CardFields;
  readonly row: RunRowView;
}): ReactNode => {
  const words = usePage().texts.preview;
  const stock = stockOf(row);
  return (
    <span className={row.image === null ? "run-card" : "run-card run-card-image"}>
      {row.image === null ? null : <Picture of={{ run, row: row.row }} look="card" />}
      <span className="run-card-line">
        <span className="run-title">{row.title ?? row.code ?? row.name}</span>
        {hasState ? <Result row={row} /> : null}
      </span>
      <span className="run-card-line">
        <span className="muted">
          {hasCodes ? `${row.code ?? ""} · ` : null}
          {words.row} {row.name}
        </span>
        {stock === undefined ? null : (
          <span>
            <span className="muted">{words.stock}</span> <FromTo change={stock} />
          </span>
        )}
      </span>
      <span className="run-card-line">
        <CardChanges row={row} />
      </span>
    </span>
  );
};

interface CardFields {
  readonly run: string;
  readonly hasState: boolean;
  readonly hasCodes: boolean;
}

const CARD_PX = 88;

/** Rows that are read at once: a screen of them, as those of another order stand far apart. */
const PAGE_ROWS = 60;

/** The rows of a run that a table has read; they are read anew after each change of the run. */
const useRunWindow = (run: string, planHash: string): RowWindow<RunRowView> => {
  const { lang } = usePage();
  const rows = useMemo(
    () =>
      new RowWindow<RunRowView>({
        read: (numbers) => readRunRows(run, numbers, lang),
        numberOf: ({ row }) => row,
        pageRows: PAGE_ROWS,
      }),
    [run, lang],
  );
  useEffect(() => rows.invalidate(), [rows, planHash]);
  return rows;
};

const SORTED_KEYS: ReadonlySet<string> = new Set<RunRowColumn>([
  "row",
  "code",
  "title",
  "old",
  "new",
  "percent",
  "stock",
  "changes",
  "state",
]);

const isRunColumn = (key: string): key is RunRowColumn => SORTED_KEYS.has(key);

const toRunSort = (sort: ListSort | null): RunRowSort | null =>
  sort === null || !isRunColumn(sort.column)
    ? null
    : { column: sort.column, isDescending: sort.isDescending };

interface RunListProps extends ListedFields {
  readonly run: string;
  /** Rows are read anew where it changes. */
  readonly planHash: string;
  readonly label: string;
  readonly kind: RunListKind;
  readonly filter: RunRowFilter;
  /** @default the order of the sheet */
  readonly firstSort?: RunRowSort;
  /** The boxes of the rows that are listed. */
  readonly toTicks?: ((order: Uint32Array) => ListTicks<RunRowView>) | undefined;
  /** Whether it takes little of the screen, as others stand below. @default false */
  readonly isShort?: boolean;
}

/** How many rows are listed, and how they are sorted. */
const ListNote = ({
  rows,
  sort,
  onSheetOrder,
}: {
  readonly rows: number;
  readonly sort: ListSort | null;
  readonly onSheetOrder: () => void;
}): ReactNode => {
  const words = usePage().texts.preview;
  return (
    <p className="run-list-note muted small">
      {words.rowCount(rows)}
      {sort === null ? ` · ${words.sheetOrder}` : null}
      {sort?.column === "changes" && sort.isDescending ? ` · ${words.biggestFirst}` : null}
      {sort === null ? null : (
        <Button kind="quiet" onPress={onSheetOrder}>
          {words.toSheetOrder}
        </Button>
      )}
    </p>
  );
};

/** Rows of a run by a filter, with the row that is open beside them. */
export const RunList = (props: RunListProps): ReactNode => {
  const { run, filter, firstSort = null } = props;
  const [sort, setSort] = useState<ListSort | null>(firstSort);
  const query = useRunOrder(run, filter, toRunSort(sort));
  return (
    <div className="run-list">
      <Loaded query={query}>
        {(order) => <Listed {...props} order={order} sort={sort} onSort={setSort} />}
      </Loaded>
    </div>
  );
};

interface ListedProps extends RunListProps {
  readonly order: Uint32Array;
  readonly sort: ListSort | null;
  readonly onSort: (sort: ListSort | null) => void;
}

const Listed = (props: ListedProps): ReactNode => {
  const { run, planHash, label, order, sort, onSort, toTicks, isShort = false } = props;
  const { kind, hasCodes = true, hasDeeds = false } = props;
  const hasState = kind === "result" || hasDeeds;
  const { texts } = usePage();
  const words = texts.preview;
  const [open, setOpen] = useState<number | null>(null);
  const rows = useRunWindow(run, planHash);
  const columns = useColumns(props);
  const card = useMemo<ListCard<RunRowView>>(
    () => ({
      header: words.product,
      heightPx: CARD_PX,
      render: (row) => <RowCard of={{ run, hasState, hasCodes }} row={row} />,
    }),
    [words, run, hasState, hasCodes],
  );
  const setHeight = (box: HTMLElement | null): void =>
    box?.style.setProperty("--rows", String(Math.max(2, order.length)));
  return (
    <>
      {isShort ? null : (
        <ListNote rows={order.length} sort={sort} onSheetOrder={() => onSort(null)} />
      )}
      <div className="run-list-work">
        <div ref={setHeight} className={isShort ? "run-list-box run-list-short" : "run-list-box"}>
          <ListGrid
            label={label}
            rows={rows}
            order={order}
            columns={columns}
            card={card}
            sort={sort}
            onSort={onSort}
            ticks={toTicks?.(order)}
            onOpen={(row) => setOpen(row === open ? null : row)}
            empty={words.noRows}
            loading={texts.app.loading}
          />
        </div>
        {open === null ? null : (
          <RowPanel key={open} run={run} row={open} onClose={() => setOpen(null)} />
        )}
      </div>
    </>
  );
};
