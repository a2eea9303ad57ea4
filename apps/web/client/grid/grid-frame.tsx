/** What the tables of many rows share: one stop of the Tab key, and whether the window is wide. */

import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useSyncExternalStore,
} from "react";
import type { DataGridHandle } from "react-data-grid";

const leaveByTab = (event: KeyboardEvent): void => {
  const { target } = event;
  const isEditing =
    (target instanceof HTMLInputElement && target.type !== "checkbox") ||
    target instanceof HTMLTextAreaElement;
  if (event.key === "Tab" && !isEditing) event.stopPropagation();
};

/** Whether the focus comes into the grid by a key, at its header; a click on a header is for it. */
const isEntry = ({ target, relatedTarget, currentTarget }: FocusEvent): boolean =>
  target.matches(":focus-visible") &&
  target.closest('[role="columnheader"]') !== null &&
  !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));

interface GridFrameProps {
  readonly hasRows: boolean;
  readonly gridRef: RefObject<DataGridHandle | null>;
  /** The column that the Tab key comes to. @default 1 */
  readonly column?: number;
  readonly children: ReactNode;
}

/** Makes the grid one stop of the Tab key, at its first cell; within it the arrow keys move. */
export const GridFrame = ({
  hasRows,
  gridRef,
  column = 1,
  children,
}: GridFrameProps): ReactNode => (
  <div
    className="grid-frame"
    onKeyDownCapture={leaveByTab}
    onFocusCapture={(event) => {
      if (!hasRows || !isEntry(event)) return;
      gridRef.current?.setActivePosition({ rowIdx: 0, idx: column }, { shouldFocus: true });
    }}
  >
    {children}
  </div>
);

/** From this width on, a table of many columns is read. */
export const WIDE = "(min-width: 760px)";

export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
};

export const isSameOrder = (one: Uint32Array, other: Uint32Array): boolean =>
  one === other || (one.length === other.length && one.every((row, at) => row === other[at]));
