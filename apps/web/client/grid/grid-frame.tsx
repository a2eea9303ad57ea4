import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import type { DataGridHandle } from "react-data-grid";

const leaveByTab = (event: KeyboardEvent): void => {
  const { target } = event;
  const isEditing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.key === "Tab" && !isEditing) event.stopPropagation();
};

/** Whether the focus comes into the grid by a key, at its header; a click on a header is for it. */
const isEntry = ({ target, relatedTarget, currentTarget }: FocusEvent): boolean =>
  target.matches('[role="columnheader"]:focus-visible') &&
  !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget));

interface GridFrameProps {
  readonly hasRows: boolean;
  readonly gridRef: RefObject<DataGridHandle | null>;
  readonly children: ReactNode;
}

/** Makes the grid one stop of the Tab key, at its first cell; within it the arrow keys move. */
export const GridFrame = ({ hasRows, gridRef, children }: GridFrameProps): ReactNode => (
  <div
    className="grid-frame"
    onKeyDownCapture={leaveByTab}
    onFocusCapture={(event) => {
      if (!hasRows || !isEntry(event)) return;
      gridRef.current?.setActivePosition({ rowIdx: 0, idx: 1 }, { shouldFocus: true });
    }}
  >
    {children}
  </div>
);
