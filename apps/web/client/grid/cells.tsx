/** How the grid draws its cells. */

import { type Key, type ReactNode, memo } from "react";
import { Cell, type CellRendererProps, type RenderCellProps } from "react-data-grid";

import type { IssueView, RowView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { Icon } from "../ui/icon.tsx";
import { shownText, useGrid, useIsInBlock, useRow } from "./grid-model.ts";

export const PANEL_ID = "cell-panel";

/** The worst issue of a cell. */
const worstIssue = (view: RowView | undefined, column: number | null): IssueView | undefined => {
  const issues = view?.issues.filter((issue) => issue.column === column) ?? [];
  return issues.find((issue) => issue.severity === "error") ?? issues[0];
};

const cellClass = (view: RowView | undefined, column: number, isInBlock: boolean): string => {
  const issue = worstIssue(view, column);
  const names = [
    issue === undefined ? "" : `cell-${issue.severity}`,
    view?.edited.includes(column) === true ? "cell-edited" : "",
    view?.isExcluded === true ? "cell-excluded" : "",
    isInBlock ? "cell-chosen" : "",
  ];
  return names.filter(Boolean).join(" ");
};

type Props = CellRendererProps<number, unknown>;

const DataCell = (props: Props): ReactNode => {
  const { columns, block } = useGrid();
  const view = useRow(props.row, props.rowIdx);
  const isInBlock = useIsInBlock(props.rowIdx, props.column.idx);
  const index = columns[props.column.idx - 1]?.column.index ?? -1;
  const hasError = worstIssue(view, index)?.severity === "error";
  return (
    <Cell
      {...props}
      className={cellClass(view, index, isInBlock)}
      aria-invalid={hasError ? true : undefined}
      aria-describedby={props.isCellActive ? PANEL_ID : undefined}
      onMouseEnter={(event) => {
        const current = block.get();
        if (event.buttons !== 1 || current === null) return;
        block.set({
          anchor: current.anchor,
          head: { row: props.rowIdx, column: props.column.idx },
        });
      }}
    />
  );
};

/** A cell with its issue, its mark of a correction, and its part in the selected block. */
export const renderGridCell = (key: Key, props: Props): ReactNode =>
  props.column.idx === 0 ? <Cell key={key} {...props} /> : <DataCell key={key} {...props} />;

interface CellTextProps {
  readonly row: number;
  readonly position: number;
  readonly index: number;
}

/** The text of a cell; a bar until its row is read. */
export const CellText = memo(({ row, position, index }: CellTextProps): ReactNode => {
  const view = useRow(row, position);
  if (view === undefined) return <span className="cell-waiting" aria-hidden="true" />;
  const text = shownText(view, index);
  const read = view.readAs.find(({ column }) => column === index);
  if (read === undefined) return text;
  return (
    <>
      {text} <span className="cell-read">→ {read.text}</span>
    </>
  );
});

const RowMark = ({ view }: { readonly view: RowView | undefined }): ReactNode => {
  const { fix } = usePage().texts;
  const severities = view?.issues.map((issue) => issue.severity) ?? [];
  if (severities.length === 0) return null;
  const worst = severities.includes("error") ? "error" : "warning";
  return (
    <span className={`row-mark row-mark-${worst}`}>
      <Icon name={worst} />
      <span className="unseen">{worst === "error" ? fix.error : fix.warning}</span>
    </span>
  );
};

/** The number of a row, and whether it has an error. */
export const RowName = ({ row, rowIdx }: RenderCellProps<number>): ReactNode => {
  const view = useRow(row, rowIdx);
  return (
    <span className={view?.isExcluded === true ? "row-name row-excluded" : "row-name"}>
      <RowMark view={view} />
      <span className="number">{view?.name ?? row}</span>
    </span>
  );
};
