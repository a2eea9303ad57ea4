import { type ReactNode, useSyncExternalStore } from "react";

import type { IssueView, RowView } from "../../../src/api/index.ts";
import { PANEL_ID } from "../../grid/cells.tsx";
import type { GridModel } from "../../grid/grid-model.ts";
import { usePage } from "../../lib/page.tsx";
import { useExternal } from "../../lib/use-external.ts";
import { Icon } from "../../ui/icon.tsx";

interface Active {
  readonly view: RowView;
  /** Index of the column; `null` on the number of the row. */
  readonly index: number | null;
  readonly header: string;
}

const useActive = (model: GridModel): Active | null => {
  const block = useExternal(model.block);
  const row = block === null ? undefined : model.rows.order[block.head.row];
  const view = useSyncExternalStore(
    (listener) => model.rows.subscribe(listener),
    () => (row === undefined ? undefined : model.rows.peek(row)),
  );
  if (block === null || view === undefined) return null;
  const column = model.columns[block.head.column - 1]?.column;
  return { view, index: column?.index ?? null, header: column?.header ?? "" };
};

interface IssueProps {
  readonly issue: IssueView;
  readonly title?: string | undefined;
  readonly onFix: ((value: string) => void) | null;
}

const Issue = ({ issue, title, onFix }: IssueProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <div className={`issue issue-${issue.severity}`}>
      <Icon name={issue.severity} />
      <div>
        <p>
          <strong>{issue.severity === "error" ? fix.error : fix.warning}</strong>
          {title === undefined ? "" : ` · ${title}`}: {issue.message}
        </p>
        {issue.suggestion === null ? null : <p className="muted">{issue.suggestion}</p>}
        {onFix === null || issue.fixes.length === 0 ? null : (
          <p className="fixes">
            <span className="muted">{fix.fixWith}</span>
            {issue.fixes.map((value) => (
              <button key={value} type="button" className="fix-button" onClick={() => onFix(value)}>
                {value === "" ? fix.emptyCell : value}
              </button>
            ))}
          </p>
        )}
      </div>
    </div>
  );
};

const PanelBody = ({
  active,
  model,
}: {
  readonly active: Active;
  readonly model: GridModel;
}): ReactNode => {
  const { fix } = usePage().texts;
  const { view, index } = active;
  const isHere = (issue: IssueView): boolean => issue.column === index;
  const here = view.issues.filter(isHere);
  const others = view.issues.filter((issue) => !isHere(issue));
  const put = (issue: IssueView) => (value: string) => {
    if (issue.column !== null) model.edit([{ row: view.row, column: issue.column, value }]);
  };
  const nameOf = (issue: IssueView): string =>
    model.columns.find(({ column }) => column.index === issue.column)?.column.header ??
    fix.wholeRow;
  return (
    <>
      <p className="panel-title">
        {fix.cellName(view.name, index === null ? fix.wholeRow : active.header)}
        <span className="panel-value">{index === null ? "" : view.cells[index]}</span>
      </p>
      {view.isExcluded ? <p className="muted">{fix.excludedRow}</p> : null}
      {here.length === 0 && others.length === 0 ? <p className="muted">{fix.cellFine}</p> : null}
      {here.map((issue) => (
        <Issue key={issue.code + issue.message} issue={issue} onFix={put(issue)} />
      ))}
      {others.map((issue) => (
        <Issue
          key={issue.code + issue.message + String(issue.column)}
          issue={issue}
          title={nameOf(issue)}
          onFix={issue.column === null ? null : put(issue)}
        />
      ))}
    </>
  );
};

/** What is wrong with the selected cell, and buttons with the values that would be right. */
export const CellPanel = ({ model }: { readonly model: GridModel }): ReactNode => {
  const { fix } = usePage().texts;
  const active = useActive(model);
  return (
    <section id={PANEL_ID} className="panel" aria-label={fix.panel}>
      {active === null ? (
        <>
          <p className="muted">{fix.panelEmpty}</p>
          <p className="muted small">{fix.keys}</p>
        </>
      ) : (
        <PanelBody active={active} model={model} />
      )}
    </section>
  );
};
