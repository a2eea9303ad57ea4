import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { DataGridHandle } from "react-data-grid";

import type {
  ColumnsView,
  ColumnView,
  DraftCounts,
  DraftView,
  RowFilter,
  RowSort,
  RowView,
} from "../../../src/api/index.ts";
import {
  type Block,
  type ChangedCell,
  type Corner,
  isImageColumn,
  toGridColumns,
} from "../../grid/blocks.ts";
import { DraftGrid, type GridNotice } from "../../grid/draft-grid.tsx";
import type { GridModel } from "../../grid/grid-model.ts";
import {
  forgetRowsAhead,
  MAX_CELLS,
  RowWindow,
  takeRowsAhead,
  useUnreadRows,
} from "../../grid/row-window.ts";
import { usePage } from "../../lib/page.tsx";
import { rowsPath, useDraftChange } from "../../lib/queries.ts";
import { createExternalValue, requestJson } from "../../lib/requests.ts";
import { takeDialog } from "../../lib/route.ts";
import { Button, Link } from "../../ui/controls.tsx";
import { Failure, Loading, Message, Progress } from "../../ui/messages.tsx";
import { Notice } from "../../ui/sections.tsx";
import { type DecimalSign, toDecimals } from "../columns/column-choices.ts";
import { UnclearNumbers } from "../columns/columns.tsx";
import { CellPanel, Filters, FixFooter, Toolbar } from "./bars.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import { listLacked, MISSING_DIALOG, MissingDialog } from "./dialogs.tsx";
import {
  type Edits,
  goToCell,
  type Order,
  useEdits,
  useErrorJump,
  useOrder,
  usePageKeys,
} from "./edits.ts";
import { NamesDialog } from "./names-dialog.tsx";

const useRowWindow = (draft: string): RowWindow<RowView> => {
  const { lang } = usePage();
  return useMemo(
    () =>
      new RowWindow<RowView>({
        numberOf: ({ row }) => row,
        read: async (rows) => {
          const path = rowsPath(draft, rows);
          return await (takeRowsAhead(path, lang) ??
            requestJson<readonly RowView[]>(path, { lang }));
        },
      }),
    [draft, lang],
  );
};

const Conflict = ({ edits }: { readonly edits: Edits }): ReactNode => {
  const { fix } = usePage().texts;
  if (edits.conflict === null) return null;
  const { again, forget } = edits.conflict;
  return (
    <Message
      tone="warning"
      title={fix.changed}
      actions={
        <>
          <Button onPress={again}>{fix.applyAgain}</Button>
          <Button kind="quiet" onPress={forget}>
            {fix.forget}
          </Button>
        </>
      }
    >
      {fix.changedText}
    </Message>
  );
};

const Stale = ({ order }: { readonly order: Order }): ReactNode => {
  const { fix } = usePage().texts;
  if (!order.isStale) return null;
  return (
    <p className="stale">
      <span className="muted">{fix.stale}</span>
      <Button kind="quiet" onPress={order.refresh}>
        {fix.refresh}
      </Button>
    </p>
  );
};

const useModel = (
  { id: draft, shownAt }: DraftView,
  columns: ColumnsView,
  rows: RowWindow<RowView>,
  edits: Edits,
): GridModel => {
  const [block] = useState(() => createExternalValue<Block | null>(null));
  const [typed] = useState(() => createExternalValue(false));
  const [entered] = useState(() => createExternalValue<Corner | null>(null));
  const gridColumns = useMemo(() => toGridColumns(columns.columns), [columns.columns]);
  const hasImages = shownAt !== null || gridColumns.some(isImageColumn);
  const latest = useRef(edits);
  latest.current = edits;
  return useMemo(
    () => ({
      draft,
      rows,
      block,
      typed,
      entered,
      columns: gridColumns,
      hasImages,
      edit: (changed) => latest.current.edit(changed),
    }),
    [draft, rows, block, typed, entered, gridColumns, hasImages],
  );
};

interface NumberQuestionsProps {
  readonly draft: DraftView;
  readonly columns: ColumnsView;
  /** Whether a change of cells is still on its way. */
  readonly isBusy: boolean;
}

/** What a person is asked once about all numbers of a column, in place of an error in each row. */
const NumberQuestions = ({
  draft,
  columns: { columns },
  isBusy,
}: NumberQuestionsProps): ReactNode => {
  const change = useDraftChange(draft.id);
  const answer = (column: ColumnView, sign: DecimalSign): void => {
    const decimals = toDecimals(columns, column, sign);
    const body = { version: draft.version, decimals };
    change.mutate({ path: "/columns", method: "PUT", body });
  };
  return (
    <>
      <Failure error={change.error} />
      {columns.map((column) =>
        column.unclear === null || column.unclear.answer !== null ? null : (
          <Message key={column.index} tone="warning" title={column.header}>
            <UnclearNumbers
              numbers={column.unclear}
              isBusy={isBusy || change.isPending}
              onAnswer={(sign) => answer(column, sign)}
            />
          </Message>
        ),
      )}
    </>
  );
};

interface RowsProps {
  readonly model: GridModel;
  readonly order: Order;
  readonly grid: RefObject<DataGridHandle | null>;
  readonly sort: RowSort | null;
  readonly onSort: (sort: RowSort | null) => void;
  readonly onNotice: (notice: GridNotice | null) => void;
}

const Rows = ({ order: { order, error, retry }, grid, ...props }: RowsProps): ReactNode => {
  const { texts } = usePage();
  if (order !== undefined) {
    return <DraftGrid order={order} gridRef={grid} {...props} />;
  }
  return (
    <div className="fix-rows">
      {error === null ? (
        <Loading text={texts.fix.loadingRows} />
      ) : (
        <Button onPress={retry}>{texts.app.retry}</Button>
      )}
    </div>
  );
};

type FixDialog = "names" | "bulk" | "replace" | typeof MISSING_DIALOG;

interface FixBodyProps {
  readonly draft: DraftView;
  readonly columns: ColumnsView;
  readonly counts: DraftCounts;
  /** Whether all rows are being checked again. */
  readonly isChecking: boolean;
}

const FixBody = ({ draft, columns, counts, isChecking }: FixBodyProps): ReactNode => {
  const { fix } = usePage().texts;
  const [filter, setFilter] = useState<RowFilter>({});
  const [sort, setSort] = useState<RowSort | null>(null);
  const [dialog, setDialog] = useState<FixDialog | null>(null);
  useEffect(() => {
    if (takeDialog() === MISSING_DIALOG) setDialog(MISSING_DIALOG);
  }, []);
  const [notice, setNotice] = useState<GridNotice | null>(null);
  const grid = useRef<DataGridHandle>(null);
  const rows = useRowWindow(draft.id);
  const toCell = useRef<(cell: ChangedCell) => void>(undefined);
  const edits = useEdits({ draft, rows, onMoved: (cell) => toCell.current?.(cell) });
  const unread = useUnreadRows(rows);
  const order = useOrder(draft.id, { filter, sort }, rows, edits.changes);
  const model = useModel(draft, columns, rows, edits);
  const jump = useErrorJump(draft, model, grid);
  toCell.current = (cell) => goToCell(cell, model, grid);
  usePageKeys({ jump, undo: edits.undo, redo: edits.redo, find: () => setDialog("replace") });
  const close = useCallback((): void => setDialog(null), []);
  const wasChecking = useRef(false);
  useEffect(() => {
    // Every row may have other issues after they were all checked again.
    if (wasChecking.current && !isChecking) rows.invalidate();
    wasChecking.current = isChecking;
  }, [rows, isChecking]);
  return (
    <section className="fix" aria-busy={isChecking}>
      <h1 className="unseen">{fix.title}</h1>
      <Conflict edits={edits} />
      <Failure error={edits.error ?? order.error ?? unread} />
      {notice === null ? null : (
        <Message tone="warning">
          {notice === "too-many" ? fix.tooMany(MAX_CELLS) : fix.lostCells(notice.lost)}
        </Message>
      )}
      <NumberQuestions draft={draft} columns={columns} isBusy={edits.isSaving || isChecking} />
      <div className="fix-tools">
        <Filters counts={counts} filter={filter} onFilter={setFilter} />
        <Toolbar draft={draft} edits={edits} model={model} jump={jump} onDialog={setDialog} />
      </div>
      <Stale order={order} />
      <div className="fix-work">
        <Rows {...{ model, order, grid, sort }} onSort={setSort} onNotice={setNotice} />
        <CellPanel
          model={model}
          isAllFine={counts.errors + counts.warnings + draft.openNames === 0}
          onNames={() => setDialog("names")}
          onMissing={listLacked(columns).length === 0 ? null : () => setDialog("missing")}
        />
      </div>
      <FixFooter
        draft={draft}
        columns={columns}
        counts={counts}
        onMissing={() => setDialog("missing")}
      />
      <MissingDialog
        draft={draft.id}
        columns={columns}
        isOpen={dialog === "missing"}
        isBusy={edits.isSaving || isChecking}
        onAdd={edits.addColumn}
        onClose={close}
      />
      <NamesDialog draft={draft} edits={edits} isOpen={dialog === "names"} onClose={close} />
      <BulkDialog
        {...{ draft, columns, model, order, filter, edits }}
        isOpen={dialog === "bulk" || dialog === "replace"}
        kind={dialog === "replace" ? "replace" : "bulk"}
        onClose={close}
      />
    </section>
  );
};

const Checking = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts, format } = usePage();
  const { progress } = draft;
  const total = progress?.total ?? null;
  const part = progress === null || total === null ? null : progress.done / Math.max(1, total);
  const text =
    progress === null || total === null
      ? undefined
      : texts.fix.ofTotal(format.number(progress.done), format.number(total));
  return (
    <section className="narrow card" role="status">
      <h1>{texts.fix.checking}</h1>
      <Progress label={progress?.text ?? texts.fix.checking} part={part} text={text} />
    </section>
  );
};

/** What the step shows while its rows are checked again, so that dialogs and filters stay. */
const useLastReady = (draft: DraftView, isChecking: boolean): DraftView | null => {
  const [last, setLast] = useState<DraftView | null>(null);
  if (isChecking || draft.state !== "ready") return isChecking ? last : null;
  if (last !== draft) setLast(draft);
  return draft;
};

export const Fix = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { fix } = usePage().texts;
  const isChecking = draft.state === "checking" || draft.progress?.step === "check";
  const ready = useLastReady(draft, isChecking);
  const columns = ready?.columns ?? null;
  const counts = ready?.counts ?? null;
  const isDrawn = columns !== null && counts !== null;
  useEffect(() => {
    if (!isDrawn) forgetRowsAhead();
  }, [isDrawn]);
  if (isDrawn) {
    return <FixBody {...{ draft, columns, counts, isChecking }} />;
  }
  if (isChecking) return <Checking draft={draft} />;
  return (
    <Notice title={fix.title}>
      <p>{fix.notReady}</p>
      <Link to={{ page: "draft", id: draft.id, step: "columns" }}>{fix.toColumns}</Link>
    </Notice>
  );
};
