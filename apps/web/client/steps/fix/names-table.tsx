/** The table of names: one row for each, its suggestions as buttons, and its keys. */

import { createContext, type ReactNode, type RefObject, use, useMemo, useRef } from "react";
import {
  type CellKeyboardEvent,
  type CellKeyDownArgs,
  type Column,
  DataGrid,
  type DataGridHandle,
} from "react-data-grid";

import type { NameView } from "../../../src/api/index.ts";
import { GridFrame, useMedia, WIDE } from "../../grid/grid-frame.tsx";
import { type Page, usePage } from "../../lib/page.tsx";
import { Icon, Tick } from "../../ui/controls.tsx";
import { contrastPath, isOpen, keyOf, type NameSort } from "./names-list.ts";

/** What the cells of the table read and do. */
interface TableModel {
  /** Keys of the ticked names. */
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (names: readonly NameView[], isTicked: boolean) => void;
  /** What is being answered, by key. */
  readonly asked: ReadonlyMap<string, string>;
  /** Whether the suggestions are still to come. */
  readonly isQuick: boolean;
  readonly onChoose: (name: NameView, target: string) => void;
}

const TableContext = createContext<TableModel | null>(null);

const useTable = (): TableModel => {
  const model = use(TableContext);
  if (model === null) throw new Error("No table of names is around this cell.");
  return model;
};

interface PathTextProps {
  readonly text: string;
  /** Paths that it must not be mistaken for. @default none */
  readonly others?: readonly string[];
}

const NO_PATHS: readonly string[] = [];

/** A text on one line; a path that is too long is cut before its last name. */
export const PathText = ({ text, others = NO_PATHS }: PathTextProps): ReactNode => {
  const { above, last, isAlike } = contrastPath(text, others);
  return (
    <span className={isAlike ? "path path-alike" : "path"} title={text}>
      {above === "" ? null : <span className="path-above">{above}</span>}
      <span className="path-last">{last}</span>
    </span>
  );
};

const TickCell = ({ name }: { readonly name: NameView }): ReactNode => {
  const { fix } = usePage().texts;
  const { ticked, onTick } = useTable();
  return (
    <Tick
      isTicked={ticked.has(keyOf(name))}
      isDisabled={!isOpen(name)}
      isLabelHidden
      onChange={(isTicked) => onTick([name], isTicked)}
    >
      {fix.tickName(name.value)}
    </Tick>
  );
};

const TickAll = ({ names }: { readonly names: readonly NameView[] }): ReactNode => {
  const { fix } = usePage().texts;
  const { ticked, onTick } = useTable();
  const open = names.filter(isOpen);
  const count = open.filter((name) => ticked.has(keyOf(name))).length;
  return (
    <Tick
      isTicked={count > 0 && count === open.length}
      isMixed={count > 0 && count < open.length}
      isDisabled={open.length === 0}
      isLabelHidden
      onChange={(isTicked) => onTick(open, isTicked)}
    >
      {fix.tickAll}
    </Tick>
  );
};

const Suggestions = ({ name }: { readonly name: NameView }): ReactNode => {
  const { fix } = usePage().texts;
  const { asked, isQuick, onChoose } = useTable();
  if (name.choices.length === 0) {
    return <span className="muted">{isQuick ? fix.suggestionsLoading : fix.noSuggestion}</span>;
  }
  const shown = name.choices.slice(0, SHOWN);
  const labels = shown.map(({ label }) => label);
  return (
    <span className="suggestions">
      {shown.map(({ target, label, hint }) => (
        <button
          key={target}
          type="button"
          // The keys 1 to 3 press these from the row.
          tabIndex={-1}
          className="suggestion"
          aria-label={label}
          title={hint === undefined ? label : `${label} · ${hint}`}
          disabled={asked.has(keyOf(name))}
          onClick={() => onChoose(name, target)}
        >
          <PathText text={label} others={labels} />
        </button>
      ))}
    </span>
  );
};

/** Suggestions that a row shows; the panel shows all. */
const SHOWN = 3;

const Chosen = ({ name }: { readonly name: NameView }): ReactNode => {
  const { app } = usePage().texts;
  const asked = useTable().asked.get(keyOf(name));
  const target = name.answer?.target ?? asked;
  if (target === undefined) return null;
  return (
    <span className="chosen-name">
      {name.answer === null ? (
        <span className="spinner" role="img" aria-label={app.loading} />
      ) : (
        <Icon name="check" />
      )}
      <PathText text={target} />
    </span>
  );
};

const createColumns = (
  { texts: { fix }, format }: Pick<Page, "texts" | "format">,
  shown: RefObject<readonly NameView[]>,
): Readonly<Record<NameColumn, Column<NameView>>> => ({
  tick: {
    key: "tick",
    name: fix.tickAll,
    width: 36,
    minWidth: 36,
    renderHeaderCell: () => <TickAll names={shown.current} />,
    renderCell: ({ row }) => <TickCell name={row} />,
  },
  value: {
    key: "value",
    name: fix.nameColumn,
    width: "minmax(150px, 1.2fr)",
    ...RESIZED,
    sortable: true,
    renderCell: ({ row }) => <PathText text={row.value} />,
  },
  label: {
    key: "label",
    name: fix.fieldColumn,
    width: 82,
    ...RESIZED,
    sortable: true,
    renderCell: ({ row }) => <PathText text={row.label} />,
  },
  rows: {
    key: "rows",
    name: fix.rowsColumn,
    width: 68,
    minWidth: 60,
    cellClass: "number",
    headerCellClass: "number",
    sortable: true,
    renderCell: ({ row }) => format.number(row.rows),
  },
  titles: {
    key: "titles",
    name: fix.samples,
    width: "minmax(100px, 0.8fr)",
    ...RESIZED,
    renderCell: ({ row }) => (
      <span className="cut muted" title={row.titles.join("\n")}>
        {row.titles.join(" · ")}
      </span>
    ),
  },
  suggestions: {
    key: "suggestions",
    name: fix.suggestions,
    width: "minmax(240px, 4fr)",
    ...RESIZED,
    renderCell: ({ row }) => (isOpen(row) ? <Suggestions name={row} /> : null),
  },
  why: {
    key: "why",
    name: fix.why,
    width: "minmax(100px, 0.7fr)",
    ...RESIZED,
    renderCell: ({ row }) => <Why name={row} />,
  },
  chosen: {
    key: "chosen",
    name: fix.chosen,
    width: "minmax(100px, 0.8fr)",
    ...RESIZED,
    renderCell: ({ row }) => <Chosen name={row} />,
  },
});

type NameColumn = NameSort["column"] | "tick" | "titles" | "suggestions" | "why" | "chosen";

const RESIZED = { resizable: true, minWidth: 80 } as const;

/** Why the first suggestion is the first. */
const Why = ({ name }: { readonly name: NameView }): ReactNode => {
  const hint = isOpen(name) ? name.choices[0]?.hint : undefined;
  return (
    <span className="cut muted" title={hint}>
      {hint}
    </span>
  );
};

const useColumns = (names: readonly NameView[]): readonly Column<NameView>[] => {
  const { texts, format } = usePage();
  const isWide = useMedia(WIDE);
  const shown = useRef(names);
  shown.current = names;
  const hasFields = names.some(({ field }) => field !== names[0]?.field);
  return useMemo(() => {
    const { tick, value, label, rows, titles, suggestions, why, chosen } = createColumns(
      { texts, format },
      shown,
    );
    if (!isWide) return [tick, value, rows, suggestions, chosen];
    const fields = hasFields ? [label] : [];
    return [tick, value, ...fields, rows, titles, suggestions, why, chosen];
  }, [texts, format, isWide, hasFields]);
};

interface NamesTableProps extends TableModel {
  readonly names: readonly NameView[];
  readonly grid: RefObject<DataGridHandle | null>;
  readonly sort: NameSort;
  readonly onSort: (sort: NameSort) => void;
  readonly onActive: (name: NameView | undefined) => void;
  /** Enter leads to the details of the row. */
  readonly onEnter: () => void;
}

const NONE = { column: "rows", isDescending: true } as const satisfies NameSort;

const isColumn = (key: string): key is NameSort["column"] =>
  key === "value" || key === "label" || key === "rows";

const isModified = (event: CellKeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || event.altKey;

/** Space ticks a row, 1 to 3 take a suggestion and go on, Enter leads to its details. */
const onKey = (
  { ticked, onTick, onChoose, onEnter, asked, grid }: NamesTableProps,
  args: CellKeyDownArgs<NameView>,
  event: CellKeyboardEvent,
): void => {
  // The row of headers has no name.
  if (args.mode !== "ACTIVE" || args.row === undefined || isModified(event)) return;
  const { row: name, column, rowIdx } = args;
  const act = toAction(event.key, {
    enter: onEnter,
    tick: () => onTick([name], !ticked.has(keyOf(name))),
    choose: (at) => {
      const choice = name.choices[at];
      if (choice === undefined) return;
      onChoose(name, choice.target);
      const next = { idx: column?.idx ?? 1, rowIdx: rowIdx + 1 };
      grid.current?.setActivePosition(next, { shouldFocus: true });
    },
  });
  if (act === undefined) return;
  event.preventGridDefault();
  event.preventDefault();
  if (event.key === "Enter" || (isOpen(name) && !asked.has(keyOf(name)))) act();
};

const toAction = (
  key: string,
  {
    enter,
    tick,
    choose,
  }: Readonly<Record<"enter" | "tick", () => void>> & { readonly choose: (at: number) => void },
): (() => void) | undefined => {
  if (key === "Enter") return enter;
  if (key === " ") return tick;
  return /^[1-3]$/u.test(key) ? () => choose(Number(key) - 1) : undefined;
};

export const NamesTable = (props: NamesTableProps): ReactNode => {
  const { names, grid, sort, onSort, onActive, ticked, onTick, asked, isQuick, onChoose } = props;
  const { fix } = usePage().texts;
  const columns = useColumns(names);
  const model = useMemo(
    () => ({ ticked, onTick, asked, isQuick, onChoose }),
    [ticked, onTick, asked, isQuick, onChoose],
  );
  return (
    <TableContext value={model}>
      <GridFrame hasRows={names.length > 0} gridRef={grid}>
        <DataGrid
          ref={grid}
          className="draft-grid names-grid"
          aria-label={fix.namesTitle}
          aria-describedby={NAME_PANEL_ID}
          columns={columns}
          rows={names}
          rowKeyGetter={keyOf}
          rowHeight={32}
          headerRowHeight={34}
          rowClass={(name) => (isOpen(name) ? "" : "row-answered")}
          renderers={{ noRowsFallback: <p className="grid-empty">{fix.noNames}</p> }}
          sortColumns={[{ columnKey: sort.column, direction: sort.isDescending ? "DESC" : "ASC" }]}
          onSortColumnsChange={(sorted) => {
            const last = sorted.at(-1);
            const column = last?.columnKey ?? "";
            onSort(isColumn(column) ? { column, isDescending: last?.direction === "DESC" } : NONE);
          }}
          onActivePositionChange={({ rowIdx }) => onActive(names[rowIdx])}
          onCellKeyDown={(args, event) => onKey(props, args, event)}
        />
      </GridFrame>
    </TableContext>
  );
};

export const NAME_PANEL_ID = "name-panel";
