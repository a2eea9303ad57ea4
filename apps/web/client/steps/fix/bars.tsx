/** What stands around the table: filters, buttons, the selected cell, and the way to the preview. */

import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";

import { cellVersion } from "../../../src/api/cell-version.ts";
import {
  type ColumnsView,
  DRAFT_FILES,
  type DraftCounts,
  type DraftView,
  type IssueView,
  type PlanMode,
  type RowFilter,
  type RowView,
} from "../../../src/api/index.ts";
import { isImageColumn } from "../../grid/blocks.ts";
import { PANEL_ID } from "../../grid/cells.tsx";
import { type GridModel, shownText, useChosenRows } from "../../grid/grid-model.ts";
import { usePage } from "../../lib/page.tsx";
import { inStore } from "../../lib/place.ts";
import { draftPath, useDebounced, useDraftChange } from "../../lib/queries.ts";
import { useExternal } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { DraftPeriod } from "../../period/run-period.tsx";
import {
  Button,
  type Chip,
  Chips,
  Icon,
  IconButton,
  Link,
  SearchField,
  SelectField,
  useOneStop,
} from "../../ui/controls.tsx";
import { Failure, useThrottled } from "../../ui/messages.tsx";
import { Picture } from "../../ui/picture.tsx";
import { listLacked } from "./dialogs.tsx";
import type { Edits } from "./edits.ts";

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
  /** Whether no row has an issue, so that only a cell with something to say opens the panel. */
  readonly isAllFine: boolean;
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

const hasWords = ({ view, index }: Active): boolean =>
  view.isExcluded || view.issues.length > 0 || view.readAs.some(({ column }) => column === index);

/** The image of the active cell, large enough to look at. */
const PanelPicture = ({
  active: { view, index },
  model,
}: Pick<CellPanelProps, "model"> & { readonly active: Active }): ReactNode => {
  const shown = model.columns.find(({ column }) => column.index === index);
  const text = view.cells[index ?? -1] ?? "";
  if (shown === undefined || !isImageColumn(shown) || text === "") return null;
  const { draft } = model;
  const of = { draft, row: view.row, column: shown.column.index, version: cellVersion(text) };
  return <Picture of={of} look="large" />;
};

export const CellPanel = (props: CellPanelProps): ReactNode => {
  const { model, isAllFine } = props;
  const { fix } = usePage().texts;
  const active = useActive(model);
  const isFolded = isAllFine && (active === null || !hasWords(active));
  const state = active === null ? "panel panel-empty" : "panel";
  return (
    <section
      key={active === null ? "" : `${active.view.row} ${String(active.index)}`}
      id={PANEL_ID}
      className={isFolded ? "unseen" : state}
      aria-label={fix.panel}
    >
      {active === null ? (
        <>
          <p className="muted">{fix.panelEmpty}</p>
          <p className="muted small">{fix.keys}</p>
        </>
      ) : (
        <PanelBody active={active} {...props} />
      )}
      {active === null || isFolded ? null : <PanelPicture active={active} model={model} />}
    </section>
  );
};

interface FiltersProps {
  readonly counts: DraftCounts;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

type Show = NonNullable<RowFilter["show"]> | "all";

/** All rows, and the views that have any; the one that is shown stays. */
const useViews = (counts: DraftCounts, shown: Show): readonly Chip<Show>[] => {
  const { fix } = usePage().texts;
  const views: readonly Chip<Show>[] = [
    { key: "all", label: fix.all, count: counts.rows },
    { key: "errors", label: fix.errors, count: counts.errors, tone: "error" },
    { key: "warnings", label: fix.warnings, count: counts.warnings, tone: "warning" },
    { key: "edited", label: fix.edited, count: counts.edited },
    { key: "excluded", label: fix.excluded, count: counts.excluded },
  ];
  return views.filter(({ key, count }) => key === "all" || key === shown || count !== 0);
};

/** The kinds of issues, in a list that a button opens; the button names the one that is chosen. */
const Kinds = ({ counts, filter, onFilter }: FiltersProps): ReactNode => {
  const { fix } = usePage().texts;
  const [isOpen, setIsOpen] = useState(false);
  if (counts.kinds.length === 0) return null;
  const chosen = counts.kinds.find(({ code }) => code === filter.code);
  const choose = (code: string): void => {
    onFilter({ ...filter, code: code === filter.code ? undefined : code });
    setIsOpen(false);
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button>
        {chosen === undefined ? fix.kinds : chosen.label}
        <Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom start" offset={4}>
        <Dialog className="kinds" aria-label={fix.kinds}>
          <Chips
            label={fix.kinds}
            chips={counts.kinds.map(({ code, label, rows, severity }) => ({
              key: code,
              label,
              count: rows,
              tone: severity,
            }))}
            chosen={filter.code}
            onChoose={choose}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
};

/** Which rows are shown: by state, by kind of issue, by text. */
export const Filters = ({ counts, filter, onFilter }: FiltersProps): ReactNode => {
  const { fix } = usePage().texts;
  const [typed, setTyped] = useState("");
  const text = useDebounced(typed, 250);
  useEffect(() => {
    if (text !== (filter.text ?? "")) onFilter({ ...filter, text: text === "" ? undefined : text });
    // Only typing changes the text of the filter.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new filter must not bring back an old text
  }, [text]);
  const clear = (): void => {
    setTyped("");
    onFilter({});
  };
  const isFiltering = filter.show !== undefined || filter.code !== undefined || typed !== "";
  const shown = filter.show ?? "all";
  return (
    <div className="filters">
      <Chips
        label={fix.views}
        chips={useViews(counts, shown)}
        chosen={shown}
        onChoose={(show) => onFilter({ ...filter, show: show === "all" ? undefined : show })}
      />
      <Kinds counts={counts} filter={filter} onFilter={onFilter} />
      <SearchField label={fix.search} value={typed} onChange={setTyped} />
      {isFiltering ? <IconButton icon="close" label={fix.clear} onPress={clear} /> : null}
    </div>
  );
};

interface ToolbarProps {
  readonly draft: DraftView;
  readonly edits: Edits;
  readonly model: GridModel;
  readonly jump: (step: 1 | -1) => void;
  readonly onDialog: (dialog: "names" | "bulk") => void;
}

const ExcludeButton = ({ edits, model }: Pick<ToolbarProps, "edits" | "model">): ReactNode => {
  const { fix } = usePage().texts;
  const { rows, isExcluded } = useChosenRows(model);
  const many = isExcluded ? fix.includeMany : fix.excludeMany;
  const one = isExcluded ? fix.include : fix.exclude;
  return (
    <Button isDisabled={rows.length === 0} onPress={() => edits.exclude(rows, !isExcluded)}>
      {rows.length > 1 ? many(rows.length) : one}
    </Button>
  );
};

export const Toolbar = ({ draft, edits, model, jump, onDialog }: ToolbarProps): ReactNode => {
  const { fix, bulk } = usePage().texts;
  const hasErrors = (draft.counts?.errors ?? 0) > 0;
  return (
    <div ref={useOneStop()} className="toolbar" role="toolbar" aria-label={fix.title}>
      {draft.openNames === 0 ? null : (
        <Button kind="accent" onPress={() => onDialog("names")}>
          {fix.names(draft.openNames)}
        </Button>
      )}
      {hasErrors ? (
        <span className="jumps">
          <Button icon="down" label={fix.next} onPress={() => jump(1)}>
            <span className="wide-only">{fix.next}</span>
            <span className="narrow-only">
              <Icon name="error" />
            </span>
          </Button>
          <span className="wide-only">
            <IconButton icon="up" label={fix.previous} onPress={() => jump(-1)} />
          </span>
        </span>
      ) : null}
      <IconButton icon="undo" label={fix.undo} isDisabled={!draft.canUndo} onPress={edits.undo} />
      <IconButton icon="redo" label={fix.redo} isDisabled={!draft.canRedo} onPress={edits.redo} />
      <Button icon="replace" label={bulk.title} onPress={() => onDialog("bulk")}>
        <span className="wide-only">{bulk.title}</span>
      </Button>
      <ExcludeButton edits={edits} model={model} />
    </div>
  );
};

const SPEAK_EVERY_MS = 5_000;

const MODES = ["upsert", "update", "add"] as const satisfies readonly PlanMode[];

/** What errors and unknown codes mean for the next step. */
const useAdvice = (
  { errors, sound }: DraftCounts,
  { lacked, isOpen, mode }: MissingValues,
): readonly string[] => {
  const { fix } = usePage().texts;
  if (sound === 0) return [fix.noneSound];
  const left = isOpen ? fix.leftErrorsOpen : fix.leftErrors;
  const lackedFor = isOpen ? fix.lackedOpen : fix.lackedForNew;
  const describe = mode === "add" ? fix.lackedInAdd : lackedFor;
  return [
    ...(errors === 0 ? [] : [left(errors)]),
    ...(lacked.length === 0 ? [] : [describe(lacked.join(", "))]),
  ];
};

interface MissingValues {
  /** Fields without a value that a new product needs; none where only known products change. */
  readonly lacked: readonly string[];
  /** Whether it is not known yet which rows are new products. */
  readonly isOpen: boolean;
  readonly mode: PlanMode;
}

/** Goes to the preview; a plan of another mode, or of the draft as it was, is made anew. */
const useGo = (draft: DraftView) => {
  const change = useDraftChange(draft.id);
  const planned = draft.run?.mode ?? (draft.shownAt === null ? "upsert" : "update");
  const [chosen, setChosen] = useState<PlanMode | null>(null);
  const mode = chosen ?? planned;
  const open = (): void => goTo({ page: "draft", id: draft.id, step: "preview" });
  const go = (): void => {
    const isStale = draft.run?.isCurrent === false;
    if (mode === planned && !isStale) open();
    else
      change.mutate({ path: "/plan", body: { version: draft.version, mode } }, { onSuccess: open });
  };
  return { mode, setMode: setChosen, go, isBusy: change.isPending, error: change.error };
};

/** The table as it is now, as a workbook that can be uploaded again. */
const Downloads = ({ draft, counts }: Omit<FixFooterProps, "columns" | "onMissing">): ReactNode => {
  const { texts, lang } = usePage();
  const { fix } = texts;
  const link = (rows: keyof typeof DRAFT_FILES, label: string): ReactNode => (
    <a
      href={inStore(`${draftPath(draft.id)}/files/${DRAFT_FILES[rows][lang]}?lang=${lang}`)}
      download
    >
      {label}
    </a>
  );
  return (
    <>
      {link("all", fix.downloadAll)}
      {counts.errors === 0 ? null : link("errors", fix.downloadErrors(counts.errors))}
    </>
  );
};

interface FixFooterProps {
  readonly draft: DraftView;
  readonly columns: ColumnsView;
  readonly counts: DraftCounts;
  /** Opens the list of fields that new products lack. */
  readonly onMissing: () => void;
}

/** How many errors are left, and the way to the preview. */
export const FixFooter = ({ draft, columns, counts, onMissing }: FixFooterProps): ReactNode => {
  const { texts, format } = usePage();
  const { fix } = texts;
  const { mode, setMode, go, isBusy, error } = useGo(draft);
  const lacked = mode === "update" ? [] : listLacked(columns).map(({ label }) => label);
  // Only products that are new to the store need these fields, and only the preview reads the store.
  const isOpen = lacked.length > 0 && !draft.isStoreKnown;
  const describe = isOpen ? fix.statusOpen : fix.status;
  const status = describe(counts.errors, counts.warnings, counts.rows);
  const advice = useAdvice(counts, { lacked, isOpen, mode });
  const { shownAt } = draft;
  const spoken = useThrottled(status, SPEAK_EVERY_MS);
  return (
    <div className="go">
      <div>
        <p className={counts.errors === 0 && lacked.length === 0 ? "good" : undefined}>{status}</p>
        <p className="small go-note">
          {advice.length === 0 ? null : <span className="muted">{advice.join(" ")}</span>}
          {shownAt === null ? null : (
            <span className="muted">{fix.ofStore(format.ago(shownAt, Date.now()))}</span>
          )}
          <Downloads draft={draft} counts={counts} />
          <DraftPeriod draft={draft} />
        </p>
        <Failure error={error} />
        <p className="unseen" role="status">
          {spoken}
        </p>
      </div>
      <div className="go-actions">
        {shownAt === null ? (
          <SelectField
            label={fix.mode}
            isLabelHidden
            value={mode}
            onChange={(value) => setMode(MODES.find((known) => known === value) ?? "upsert")}
            choices={MODES.map((value) => ({ value, label: fix.modes[value] }))}
          />
        ) : null}
        {lacked.length === 0 ? null : <Button onPress={onMissing}>{fix.giveLacked}</Button>}
        <Button kind="primary" isBusy={isBusy} isDisabled={counts.sound === 0} onPress={go}>
          {fix.go}
        </Button>
      </div>
    </div>
  );
};
