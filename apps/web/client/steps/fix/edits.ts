/**
 * The changes of a draft that a person makes in the table, the order of its rows, and the ways
 * through it.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { DataGridHandle } from "react-data-grid";

import type {
  BulkBody,
  DraftView,
  EditResult,
  NameAnswer,
  RowFilter,
  RowSort,
  RowView,
} from "../../../src/api/index.ts";
import {
  type ChangedCell,
  findChange,
  findErrorColumn,
  findErrorPosition,
} from "../../grid/blocks.ts";
import { applyEdits, type CellEdit, type GridModel } from "../../grid/grid-model.ts";
import type { RowWindow } from "../../grid/row-window.ts";
import { usePage } from "../../lib/page.tsx";
import {
  draftPath,
  draftQuery,
  formatRowFilter,
  orderPath,
  orderQuery,
} from "../../lib/queries.ts";
import {
  isReachable,
  NoAnswerError,
  RefusedError,
  requestJson,
  requestNumbers,
  unsaved,
  untilAnswered,
  useExternal,
} from "../../lib/requests.ts";

interface Change {
  readonly path: "/edits" | "/names" | "/columns" | "/undo" | "/redo" | "/exclude" | "/bulk";
  readonly body: object;
  /** The cells that it writes. @default it counts as one change */
  readonly edits?: readonly CellEdit[];
  /** Told what it has changed before the page shows it. */
  readonly onResult?: (result: EditResult) => void;
}

/** What a change changes; cells are the same in every change that writes them. */
const listChanged = (draft: string, change: Change): readonly unknown[] =>
  change.edits?.map(({ row, column }) => `${draft} ${row} ${column}`) ?? [change];

/** Sends one change after another, each with the version that the one before left. */
const useQueue = (
  draft: DraftView,
  rows: RowWindow<RowView>,
  onMoved: (cell: ChangedCell) => void,
) => {
  const { lang } = usePage();
  const client = useQueryClient();
  const { queryKey } = draftQuery(draft.id, lang);
  const tail = useRef<Promise<unknown>>(Promise.resolve());
  const seen = useRef(draft.version);
  const send = async (change: Change): Promise<void> => {
    const version = client.getQueryData(queryKey)?.version ?? draft.version;
    const post = (): Promise<EditResult> =>
      requestJson<EditResult>(draftPath(draft.id) + change.path, {
        lang,
        method: "POST",
        body: { ...change.body, version },
      });
    const isMove = change.path === "/undo" || change.path === "/redo";
    // A change whose answer was lost may be there: it is sent again for the version that it was made
    // of, so that nothing is overwritten unseen. An undo would take back one step more.
    const result = await (isMove ? post() : untilAnswered(post));
    seen.current = result.version;
    change.onResult?.(result);
    const { counts, canUndo, canRedo, openNames, run } = result;
    client.setQueryData(queryKey, (shown) =>
      shown === undefined || shown.version > result.version
        ? shown
        : {
            ...shown,
            version: result.version,
            counts,
            canUndo,
            canRedo,
            openNames,
            run: run === null || shown.run === null ? null : { ...shown.run, ...run },
          },
    );
    const moved = isMove ? findChange(result.rows, (row) => rows.peek(row)) : undefined;
    if (!result.isAll) {
      // The table may have other columns.
      await client.invalidateQueries({ queryKey });
      rows.invalidate();
    }
    rows.put(result.rows);
    if (moved !== undefined) onMoved(moved);
  };
  const enqueue = (change: Change): Promise<void> => {
    const done = tail.current.then(() => send(change));
    tail.current = done.catch(() => undefined);
    return done;
  };
  return { enqueue, seen };
};

/** Reads rows anew when the draft was changed elsewhere. */
const useForeignChanges = (
  version: number,
  seen: { current: number },
  isSaving: boolean,
  rows: RowWindow<RowView>,
): void => {
  useEffect(() => {
    if (isSaving || seen.current === version) return;
    seen.current = version;
    rows.invalidate();
  }, [version, seen, isSaving, rows]);
};

interface EditsOptions {
  readonly draft: DraftView;
  readonly rows: RowWindow<RowView>;
  /** Told where an undo or a redo has changed. */
  readonly onMoved: (cell: ChangedCell) => void;
}

export const useEdits = ({ draft, rows, onMoved }: EditsOptions) => {
  const client = useQueryClient();
  const { enqueue, seen } = useQueue(draft, rows, onMoved);
  const [open, setOpen] = useState(0);
  const [changes, setChanges] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  const [lost, setLost] = useState<Change | null>(null);
  useForeignChanges(draft.version, seen, open > 0, rows);
  const canReach = useExternal(isReachable);
  useEffect(() => {
    // That nothing answered is no longer so.
    if (canReach) setError((shown) => (shown instanceof NoAnswerError ? null : shown));
  }, [canReach]);

  const onFailure = (change: Change, failure: unknown): void => {
    rows.invalidate();
    if (failure instanceof RefusedError && failure.status === 409) {
      setLost(change);
      void client.invalidateQueries({ queryKey: ["draft", draft.id] });
      return;
    }
    setError(failure instanceof Error ? failure : new Error(String(failure)));
  };
  /** Whether the change was made. */
  const make = (change: Change): Promise<boolean> => {
    setError(null);
    setOpen((count) => count + 1);
    const release = unsaved.hold(listChanged(draft.id, change));
    return enqueue(change)
      .then(
        () => {
          setChanges((count) => count + 1);
          return true;
        },
        (failure: unknown) => {
          onFailure(change, failure);
          return false;
        },
      )
      .finally(() => {
        release();
        setOpen((count) => count - 1);
      });
  };
  const again = (change: Change): void => {
    setLost(null);
    void make(change);
  };
  return {
    edit: (edits: readonly CellEdit[]): void => {
      rows.put(applyEdits(rows, edits));
      void make({ path: "/edits", body: { edits }, edits });
    },
    /** Answers names in one step; resolves to whether it was made. */
    answer: (
      answers: readonly NameAnswer[],
      onResult: (result: EditResult) => void,
    ): Promise<boolean> => make({ path: "/names", body: { answers }, onResult }),
    exclude: (excluded: readonly number[], isExcluded: boolean): void =>
      void make({ path: "/exclude", body: { rows: excluded, isExcluded } }),
    /** Changes many cells; resolves to whether it was made. */
    bulk: (body: Pick<BulkBody, "change" | "scope">): Promise<boolean> =>
      make({ path: "/bulk", body: { ...body, isPreview: false } }),
    addColumn: (field: string): void => void make({ path: "/columns", body: { field } }),
    undo: (): void => void make({ path: "/undo", body: {} }),
    redo: (): void => void make({ path: "/redo", body: {} }),
    isSaving: open > 0,
    error,
    /** Rises with each change that was made here. */
    changes,
    /** A change that another tab was ahead of; it can be made again, or forgotten. */
    conflict: lost === null ? null : { again: () => again(lost), forget: () => setLost(null) },
  };
};

/** Which rows are shown, and in which order; `null` for that of the file. */
interface ShownRows {
  readonly filter: RowFilter;
  readonly sort: RowSort | null;
}

const isChosen = ({ filter, sort }: ShownRows): boolean => formatRowFilter(filter, sort) !== "";

export type Edits = ReturnType<typeof useEdits>;

/**
 * The rows of a filter, sorted. They stay where they are while a person corrects them, and are asked
 * for again when the filter or the sorting changes or the person says so.
 */
export const useOrder = (
  draft: string,
  shown: ShownRows,
  rows: RowWindow<RowView>,
  changes: number,
) => {
  const { lang } = usePage();
  const [takenAt, setTakenAt] = useState(0);
  const path = orderPath(draft, shown.filter, shown.sort);
  const query = useQuery({
    ...orderQuery(path, lang, takenAt),
    gcTime: 0,
    placeholderData: (earlier: Uint32Array | undefined) => earlier,
  });
  const [takenPath, setTakenPath] = useState(path);
  if (takenPath !== path) {
    setTakenPath(path);
    setTakenAt(changes);
  }
  const { data } = query;
  useEffect(() => {
    if (data !== undefined) rows.setOrder(data);
  }, [data, rows]);
  return {
    order: data,
    error: query.error,
    /** Whether changes may have moved rows out of the filter, or to another place. */
    isStale: isChosen(shown) && changes > takenAt,
    refresh: () => setTakenAt(changes),
    retry: () => void query.refetch(),
  };
};

export type Order = ReturnType<typeof useOrder>;

/** Reads the rows with errors when they are asked for, once for each version of the draft. */
const useErrorRows = (draft: string, version: number): (() => Promise<Set<number>>) => {
  const { lang } = usePage();
  const client = useQueryClient();
  const path = orderPath(draft, { show: "errors" });
  return async () => {
    const numbers = await client.fetchQuery({
      queryKey: ["error-rows", path, version],
      queryFn: ({ signal }) => requestNumbers(path, { lang, signal }),
      staleTime: Infinity,
      gcTime: 10_000,
      structuralSharing: false,
    });
    return new Set(numbers);
  };
};

const errorPlaces = (model: GridModel, row: number): readonly number[] => {
  const issues = model.rows.peek(row)?.issues.filter((issue) => issue.severity === "error") ?? [];
  return issues.map(({ column }) =>
    column === null ? 0 : model.columns.findIndex((shown) => shown.column.index === column) + 1,
  );
};

/** Makes a cell the active one, where its row is in the view. */
export const goToCell = (
  { row, column }: ChangedCell,
  model: GridModel,
  grid: RefObject<DataGridHandle | null>,
): void => {
  const rowIdx = model.rows.order.indexOf(row);
  if (rowIdx === -1) return;
  const idx =
    column === null ? 0 : model.columns.findIndex((shown) => shown.column.index === column) + 1;
  grid.current?.scrollToCell({ rowIdx, idx });
  grid.current?.setActivePosition({ rowIdx, idx }, { shouldFocus: true });
};

/** Goes to the next or the previous error of the view, around its end. */
export const useErrorJump = (
  draft: DraftView,
  model: GridModel,
  grid: RefObject<DataGridHandle | null>,
): ((step: 1 | -1) => void) => {
  const readErrorRows = useErrorRows(draft.id, draft.version);
  const goTo = (rowIdx: number, idx: number): void => {
    grid.current?.scrollToCell({ rowIdx, idx });
    grid.current?.setActivePosition({ rowIdx, idx }, { shouldFocus: true });
  };
  const jump = async (step: 1 | -1): Promise<void> => {
    // Enter moves on before the other errors of its row are corrected.
    const from = model.entered.get() ?? model.block.get()?.head ?? { row: -1, column: -1 };
    const { order } = model.rows;
    const here = findErrorColumn(errorPlaces(model, order[from.row] ?? 0), from.column, step);
    if (here !== null) {
      goTo(from.row, here);
      return;
    }
    const position = findErrorPosition(order, await readErrorRows(), from.row, step);
    if (position === null) return;
    const row = order[position] ?? 0;
    await model.rows.load([row]);
    const column = findErrorColumn(errorPlaces(model, row), step === 1 ? -1 : Infinity, step);
    goTo(position, column ?? 0);
  };
  return (step) => void jump(step);
};

interface PageKeys {
  readonly jump: (step: 1 | -1) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly find: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [role=dialog]") !== null;

const actionOf = (event: KeyboardEvent, keys: PageKeys): (() => void) | null => {
  if (event.key === "F8") return () => keys.jump(event.shiftKey ? -1 : 1);
  if (!event.ctrlKey && !event.metaKey) return null;
  const key = event.key.toLowerCase();
  if (key === "f" || key === "h") return keys.find;
  // What is being typed has an undo of its own.
  if (isTyping(event.target)) return null;
  if (key === "z") return event.shiftKey ? keys.redo : keys.undo;
  return key === "y" ? keys.redo : null;
};

/** Keys that work anywhere in the step of correcting. */
export const usePageKeys = (keys: PageKeys): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = actionOf(event, keys);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
};
