import { type ReactNode, useMemo } from "react";

import type { RunRowFilter, RunRowView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunRows } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useOneStop } from "../../ui/use-one-stop.ts";
import { Changes } from "./changes.tsx";

export interface RowColumn {
  readonly key: string;
  readonly header: ReactNode;
  /** Shows a row among those of the table. */
  readonly render: (row: RunRowView, rows: readonly RunRowView[]) => ReactNode;
}

interface RunRowsProps {
  readonly run: string;
  readonly filter: RunRowFilter;
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

/** Rows of a run in a table that grows. */
export const RunRowsTable = ({ run, filter, first, last }: RunRowsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.preview;
  const query = useRunRows(run, filter);
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
            {query.hasNextPage ? (
              <Button isBusy={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                {texts.app.more}
              </Button>
            ) : null}
          </>
        );
      }}
    </Loaded>
  );
};
