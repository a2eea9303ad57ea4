/** What is wrong with the selected cell, and buttons with the values that would be right. */

import { type ReactNode, useSyncExternalStore } from "react";

import type { IssueView, RowView } from "../../../src/api/index.ts";
import { PANEL_ID } from "../../grid/cells.tsx";
import { type GridModel, shownText } from "../../grid/grid-model.ts";
import { useExternal } from "../../lib/external-value.ts";
import { usePage } from "../../lib/page.tsx";
import { Button, Icon, Link } from "../../ui/controls.tsx";

interface FixesProps {
  readonly fixes: readonly string[];
  /** Text of the cell as it is. */
  readonly text: string;
  /** Text of the cell as it is shown. */
  readonly shown: string;
  readonly onFix: (value: string) => void;
}

/** Each button says what will stand in the cell, and its name also what stands there now. */
const Fixes = ({ fixes, text, shown, onFix }: FixesProps): ReactNode => {
  const { fix } = usePage().texts;
  const nameOf = (value: string): string => {
    if (value === "") return fix.makeEmpty;
    return value === text ? fix.keepAsText(value) : value;
  };
  return (
    <div className="fixes">
      <span className="muted">{text === "" ? fix.fixEmpty : fix.fixInstead(shown)}</span>
      {fixes.map((value) => (
        <button
          key={value}
          type="button"
          className="fix-button"
          aria-label={fix.fixTo(shown, nameOf(value))}
          onClick={() => onFix(value)}
        >
          {nameOf(value)}
        </button>
      ))}
    </div>
  );
};

interface IssueProps extends Pick<FixesProps, "text" | "shown"> {
  readonly issue: IssueView;
  readonly title?: string | undefined;
  readonly onFix: ((value: string) => void) | null;
  readonly onNames: () => void;
  readonly onMissing: (() => void) | null;
}

/** Whether the row's other cells decide which name is meant, as the list of names shows. */
const isNamed = ({ code }: IssueView): boolean => code === "E_CATEGORY_AMBIGUOUS";

/** Whether the suggestion only lists what the buttons say. */
const isListed = ({ suggestion, fixes }: IssueView): boolean =>
  fixes.length > 0 && fixes.every((fix) => fix !== "" && suggestion?.includes(`“${fix}”`) === true);

const Issue = ({ issue, text, shown, title, onFix, onNames, onMissing }: IssueProps): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <div className={`issue issue-${issue.severity}`}>
      <Icon name={issue.severity} />
      <div>
        <p>
          <strong>{issue.severity === "error" ? fix.error : fix.warning}</strong>
          {title === undefined ? "" : ` · ${title}`}: {issue.message}
        </p>
        {issue.suggestion === null || isListed(issue) || isNamed(issue) ? null : (
          <p className="muted">{issue.suggestion}</p>
        )}
        {isNamed(issue) ? <Button onPress={onNames}>{fix.chooseCategory}</Button> : null}
        {onMissing === null ? null : <Button onPress={onMissing}>{fix.giveLacked}</Button>}
        {onFix === null || issue.fixes.length === 0 ? null : (
          <Fixes fixes={issue.fixes} text={text} shown={shown} onFix={onFix} />
        )}
      </div>
    </div>
  );
};

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

const PanelTitle = ({
  active: { view, index, header },
}: {
  readonly active: Active;
}): ReactNode => {
  const { fix } = usePage().texts;
  const read = view.readAs.find(({ column }) => column === index);
  return (
    <>
      <p className="panel-title">
        {fix.cellName(view.name, index === null ? fix.wholeRow : header)}
        <span className="panel-value">{index === null ? "" : shownText(view, index)}</span>
      </p>
      {read === undefined ? null : (
        <p>
          {fix.readAs(view.cells[read.column] ?? "", read.text)}{" "}
          <Link to={{ page: "rules" }}>{fix.toRules}</Link>
        </p>
      )}
      {view.isExcluded ? <p className="muted">{fix.excludedRow}</p> : null}
    </>
  );
};

interface CellPanelProps {
  readonly model: GridModel;
  readonly onNames: () => void;
  /** Opens the list of fields that new products lack; `null` where they lack none. */
  readonly onMissing: (() => void) | null;
}

interface PanelBodyProps extends CellPanelProps {
  readonly active: Active;
}

const PanelBody = ({ active, model, onNames, onMissing }: PanelBodyProps): ReactNode => {
  const { fix } = usePage().texts;
  const { view, index } = active;
  const isHere = (issue: IssueView): boolean => issue.column === index;
  const nameOf = ({ column: at }: IssueView): string =>
    model.columns.find(({ column }) => column.index === at)?.column.header ?? fix.wholeRow;
  const issues = view.issues.toSorted((a, b) => Number(isHere(b)) - Number(isHere(a)));
  return (
    <>
      <PanelTitle active={active} />
      {issues.length === 0 ? <p className="muted">{fix.cellFine}</p> : null}
      {issues.map((issue) => {
        const { column } = issue;
        const edit = (value: string): void => {
          if (column !== null) model.edit([{ row: view.row, column, value }]);
        };
        return (
          <Issue
            key={issue.code + issue.message + String(column)}
            issue={issue}
            text={column === null ? "" : (view.cells[column] ?? "")}
            shown={column === null ? "" : shownText(view, column)}
            title={isHere(issue) ? undefined : nameOf(issue)}
            onFix={column === null ? null : edit}
            onNames={onNames}
            onMissing={isOfMissing(issue) ? onMissing : null}
          />
        );
      })}
    </>
  );
};

/** Whether a new product lacks a field for which the file has no column. */
const isOfMissing = ({ code, column }: IssueView): boolean =>
  code === "E_CODE_ABSENT" || (code === "E_REQUIRED" && column === null);

export const CellPanel = ({ model, onNames, onMissing }: CellPanelProps): ReactNode => {
  const { fix } = usePage().texts;
  const active = useActive(model);
  return (
    <section
      key={active === null ? "" : `${active.view.row} ${String(active.index)}`}
      id={PANEL_ID}
      className="panel"
      aria-label={fix.panel}
    >
      {active === null ? (
        <>
          <p className="muted">{fix.panelEmpty}</p>
          <p className="muted small">{fix.keys}</p>
        </>
      ) : (
        <PanelBody active={active} model={model} onNames={onNames} onMissing={onMissing} />
      )}
    </section>
  );
};
