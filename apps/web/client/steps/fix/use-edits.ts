import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import type { DraftView, EditResult } from "../../../src/api/index.ts";
import { type ChangedCell, findChange } from "../../grid/find-change.ts";
import { applyEdits, type CellEdit } from "../../grid/grid-model.ts";
import type { RowWindow } from "../../grid/row-window.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, draftQuery } from "../../lib/queries.ts";
import {
  isReachable,
  NoAnswerError,
  RefusedError,
  requestJson,
  untilAnswered,
} from "../../lib/requests.ts";
import { unsaved } from "../../lib/unsaved.ts";
import { useExternal } from "../../lib/use-external.ts";

interface Change {
  readonly path: "/edits" | "/columns" | "/undo" | "/redo" | "/exclude" | "/replace";
  readonly body: object;
  /** The cells that it writes. @default it counts as one change */
  readonly edits?: readonly CellEdit[];
}

/** What a change changes; cells are the same in every change that writes them. */
const listChanged = (draft: string, change: Change): readonly unknown[] =>
  change.edits?.map(({ row, column }) => `${draft} ${row} ${column}`) ?? [change];

export interface Edits {
  readonly edit: (edits: readonly CellEdit[]) => void;
  readonly exclude: (rows: readonly number[], isExcluded: boolean) => void;
  readonly replace: (body: object) => void;
  /** Adds an empty column for a field that the file lacks. */
  readonly addColumn: (field: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly isSaving: boolean;
  readonly error: Error | null;
  /** Rises with each change that was made here. */
  readonly changes: number;
  /** A change that another tab was ahead of; it can be made again, or forgotten. */
  readonly conflict: { readonly again: () => void; readonly forget: () => void } | null;
}

/** Sends one change after another, each with the version that the one before left. */
const useQueue = (draft: DraftView, rows: RowWindow, onMoved: (cell: ChangedCell) => void) => {
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
  rows: RowWindow,
): void => {
  useEffect(() => {
    if (isSaving || seen.current === version) return;
    seen.current = version;
    rows.invalidate();
  }, [version, seen, isSaving, rows]);
};

interface EditsOptions {
  readonly draft: DraftView;
  readonly rows: RowWindow;
  /** Told where an undo or a redo has changed. */
  readonly onMoved: (cell: ChangedCell) => void;
}

/** The changes of a draft that a person makes here. */
export const useEdits = ({ draft, rows, onMoved }: EditsOptions): Edits => {
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
  const make = (change: Change): void => {
    setError(null);
    setOpen((count) => count + 1);
    const release = unsaved.hold(listChanged(draft.id, change));
    enqueue(change)
      .then(
        () => setChanges((count) => count + 1),
        (failure: unknown) => onFailure(change, failure),
      )
      .finally(() => {
        release();
        setOpen((count) => count - 1);
      });
  };
  const again = (change: Change): void => {
    setLost(null);
    make(change);
  };
  return {
    edit: (edits) => {
      rows.put(applyEdits(rows, edits));
      make({ path: "/edits", body: { edits }, edits });
    },
    exclude: (excluded, isExcluded) =>
      make({ path: "/exclude", body: { rows: excluded, isExcluded } }),
    replace: (body) => make({ path: "/replace", body }),
    addColumn: (field) => make({ path: "/columns", body: { field } }),
    undo: () => make({ path: "/undo", body: {} }),
    redo: () => make({ path: "/redo", body: {} }),
    isSaving: open > 0,
    error,
    changes,
    conflict: lost === null ? null : { again: () => again(lost), forget: () => setLost(null) },
  };
};
