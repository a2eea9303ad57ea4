/** Rows of a run in a table that grows. */

import { type ReactNode, useMemo } from "react";

import type { RunRowFilter, RunRowSort, RunRowView } from "../../../src/api/index.ts";
import { toPlainText } from "../../lib/format.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunRows } from "../../lib/queries.ts";
import { Tick, useOneStop } from "../../ui/controls.tsx";
import { Loaded } from "../../ui/messages.tsx";
import { More } from "../../ui/sections.tsx";

type ChangeView = RunRowView["changes"][number];

const MAX_TEXT = 140;

const short = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;

const Change = ({ change }: { readonly change: ChangeView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.preview;
  const { before, after, percent } = change;
  return (
    <li className="change">
      <span className="change-label">{change.label}</span>
      {before === null ? null : (
        <>
          <span className="unseen">{words.from} </span>
          <del className="old">{before === "" ? words.empty : short(before)}</del>
          <span aria-hidden="true"> → </span>
          <span className="unseen">{words.to} </span>
        </>
      )}
      <ins className="new">{after === "" ? words.empty : short(after)}</ins>
      {change.field === "paid_price" && before === after ? (
        <span className="muted"> {words.samePaid}</span>
      ) : null}
      {percent === null ? null : (
        <span className={percent < 0 ? "percent percent-down" : "percent percent-up"}>
          {format.percent(percent)}
        </span>
      )}
    </li>
  );
};

const List = ({ changes, isInLine = false }: ListProps): ReactNode =>
  changes.length === 0 ? null : (
    <ul className={isInLine ? "changes changes-add" : "changes"}>
      {changes.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </ul>
  );

interface ListProps {
  readonly changes: readonly ChangeView[];
  readonly isInLine?: boolean;
}

/** Fields of a new product that are shown at once; its title and its code stand beside them. */
const FIRST_FIELDS: readonly string[] = ["paid_price", "price", "currency", "stock_count"];

/** Shops that sell in the currency of the country need not read it at each product. */
const USUAL_CURRENCY = "TL";

const isFirst = ({ field, after }: ChangeView): boolean =>
  FIRST_FIELDS.includes(field) && !(field === "currency" && after === USUAL_CURRENCY);
const NAMED_FIELDS: ReadonlySet<string> = new Set(["title", "product_code"]);

const withoutTags = (change: ChangeView): ChangeView =>
  change.field === "description" ? { ...change, after: toPlainText(change.after) } : change;

/** The price and the stock of a new product; its other values are folded. */
const NewProduct = ({ changes }: Pick<ListProps, "changes">): ReactNode => {
  const words = usePage().texts.preview;
  const first = FIRST_FIELDS.flatMap((field) =>
    changes.filter((one) => one.field === field && isFirst(one)),
  );
  const rest = changes.filter((one) => !first.includes(one) && !NAMED_FIELDS.has(one.field));
  return (
    <>
      <List changes={first} isInLine />
      {rest.length === 0 ? null : (
        <details className="more-fields">
          <summary>{words.moreFields(rest.length)}</summary>
          <List changes={rest.map(withoutTags)} />
        </details>
      )}
    </>
  );
};

/** What a row changes: old and new values, or the values of a new product. */
const Changes = ({ row }: { readonly row: RunRowView }): ReactNode => (
  <>
    {row.action === "add" ? <NewProduct changes={row.changes} /> : <List changes={row.changes} />}
    {row.issues.map((issue) => (
      <p key={issue.code + issue.message} className="row-issue">
        {issue.message}
        {issue.suggestion === null ? null : <span className="muted"> {issue.suggestion}</span>}
      </p>
    ))}
  </>
);

export interface RowColumn {
  readonly key: string;
  readonly header: ReactNode;
  /** Shows a row among those of the table. */
  readonly render: (row: RunRowView, rows: readonly RunRowView[]) => ReactNode;
}

interface TickColumn {
  readonly header: string;
  readonly label: (name: string) => string;
  readonly canTick: (row: RunRowView) => boolean;
  readonly isTicked: (row: RunRowView) => boolean;
  /** With the rows of the table, and whether all from the box before to this one are meant. */
  readonly onTick: (
    row: RunRowView,
    isTicked: boolean,
    range: { readonly rows: readonly RunRowView[]; readonly isRange: boolean },
  ) => void;
}

/** A column with a box for each row that can be ticked. */
export const toTickColumn = (column: TickColumn): RowColumn => ({
  key: "tick",
  header: column.header,
  render: (row, rows) =>
    column.canTick(row) ? (
      <Tick
        isLabelHidden
        isTicked={column.isTicked(row)}
        onChange={(isTicked, isRange) => column.onTick(row, isTicked, { rows, isRange })}
      >
        {column.label(row.name)}
      </Tick>
    ) : null,
});

interface RunRowsProps {
  readonly run: string;
  readonly filter: RunRowFilter;
  /** @default the order of the sheet */
  readonly sort?: RunRowSort;
  /** A column before the others, such as a box to tick. */
  readonly first?: RowColumn | undefined;
  readonly last?: RowColumn | undefined;
}

const useColumns = (
  first: RowColumn | undefined,
  last: RowColumn | undefined,
): readonly RowColumn[] => {
  const words = usePage().texts.preview;
  return useMemo(() => {
    const own: readonly RowColumn[] = [
      {
        key: "row",
        header: words.row,
        render: (row) => <span className="number">{row.name}</span>,
      },
      {
        key: "product",
        header: words.product,
        render: (row) => (
          <>
            <span className="product-title">{row.title ?? ""}</span>
            <span className="product-code">{row.code ?? ""}</span>
          </>
        ),
      },
      { key: "changes", header: words.changes, render: (row) => <Changes row={row} /> },
    ];
    return [first, ...own, last].filter((column) => column !== undefined);
  }, [words, first, last]);
};

interface TableProps {
  readonly columns: readonly RowColumn[];
  readonly rows: readonly RunRowView[];
}

/** Its boxes and folded parts are one stop of the Tab key, so that what comes after it is near. */
const Table = ({ columns, rows }: TableProps): ReactNode => {
  const body = useOneStop<HTMLTableSectionElement>("boxes");
  return (
    <table className="table run-rows">
      <thead>
        <tr>
          {columns.map(({ key, header }) => (
            <th key={key} scope="col" className={`col-${key}`}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <tr key={row.row} className={`run-row run-row-${row.state}`}>
            {columns.map(({ key, render }) => (
              <td key={key} className={`col-${key}`}>
                {render(row, rows)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

export const RunRowsTable = ({ run, filter, sort, first, last }: RunRowsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.preview;
  const query = useRunRows(run, filter, sort);
  const columns = useColumns(first, last);
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        if (rows.length === 0) return <p className="empty">{words.noRows}</p>;
        return (
          <>
            <Table columns={columns} rows={rows} />
            <p className="muted small">{words.rowCount(rows.length)}</p>
            <More query={query} />
          </>
        );
      }}
    </Loaded>
  );
};
