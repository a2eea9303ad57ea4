/**
 * How the grid draws its cells, and how they are edited. What was typed is kept when the editor
 * closes, unless Escape closed it.
 */

import { type Key, memo, type ReactNode, useEffect, useId, useRef, useState } from "react";
import {
  Cell,
  type CellRendererProps,
  type RenderCellProps,
  type RenderEditCellProps,
} from "react-data-grid";

import { cellVersion } from "../../src/api/cell-version.ts";
import type { IssueView, RowView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useLookup } from "../lib/queries.ts";
import { type Choice, ChoiceList, onListKey } from "../ui/choice-list.tsx";
import { Icon } from "../ui/controls.tsx";
import { Picture } from "../ui/picture.tsx";
import { CutText } from "../ui/sections.tsx";
import { applyTyping, showText } from "./blocks.ts";
import { shownText, typedText, useGrid, useIsInBlock, useRow } from "./grid-model.ts";

export const PANEL_ID = "cell-panel";

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
  if (read === undefined) return <CutText text={text} />;
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

/** The image that a cell names, before its text. */
export const ImageCell = ({ row, position, index }: CellTextProps): ReactNode => {
  const { draft } = useGrid();
  const text = useRow(row, position)?.cells[index] ?? "";
  return (
    <span className="cell-picture">
      {text === "" ? null : (
        <Picture of={{ draft, row, column: index, version: cellVersion(text) }} />
      )}
      <span>
        <CellText row={row} position={position} index={index} />
      </span>
    </span>
  );
};

interface RowNameProps extends Pick<RenderCellProps<number>, "row" | "rowIdx"> {
  readonly hasPicture: boolean;
}

/** The image and the number of a row, and whether it has an error. */
export const RowName = ({ row, rowIdx, hasPicture }: RowNameProps): ReactNode => {
  const { draft } = useGrid();
  const view = useRow(row, rowIdx);
  return (
    <span className={view?.isExcluded === true ? "row-name row-excluded" : "row-name"}>
      {hasPicture && view !== undefined ? <Picture of={{ draft, row }} /> : null}
      <RowMark view={view} />
      <span className="number">{view?.name ?? row}</span>
    </span>
  );
};

interface EditorProps extends RenderEditCellProps<number> {
  readonly index: number;
  readonly header: string;
}

interface TypingPlace {
  readonly row: number;
  readonly index: number;
  /** A line break as the control holds it. */
  readonly lineBreak: "\n" | "";
}

/** The text of an editor; it is written to the cell when the editor goes away. */
const useTyping = ({ row, index, lineBreak }: TypingPlace) => {
  const { rows, edit, typed } = useGrid();
  // The cell as it was when the editor opened: what is typed changes this text.
  const [before] = useState(() => typedText(rows.peek(row), index));
  const [text, setText] = useState(() => showText(before, lineBreak));
  const last = useRef({ text: before, before, isCancelled: false, edit });
  last.current.edit = edit;
  useEffect(() => {
    const state = last.current;
    return () => {
      if (!state.isCancelled && state.text !== state.before) {
        state.edit([{ row, column: index, value: state.text }]);
      }
    };
  }, [row, index]);
  return {
    text,
    /** Whether the text is still that of the cell. */
    isSame: last.current.text === before,
    type: (shown: string): void => {
      last.current.text = applyTyping(before, shown, lineBreak);
      setText(shown);
    },
    replace: (next: string): void => {
      last.current.text = next;
      setText(showText(next, lineBreak));
    },
    cancel: (): void => {
      last.current.isCancelled = true;
    },
    /** Takes the focus; typing replaces the cell, F2 and Enter go on at its end. */
    focus: (control: HTMLInputElement | HTMLTextAreaElement | null): void => {
      if (control === null || document.activeElement === control) return;
      control.focus();
      if (typed.get()) control.select();
      else control.setSelectionRange(control.value.length, control.value.length);
    },
  };
};

/** So many lines of a cell are shown at once. */
const MAX_LINES = 8;

const countLines = (text: string): number => Math.min(MAX_LINES, text.split("\n").length);

/** A text of one or several lines; Alt or Shift and Enter begin a new line. */
export const TextEditor = ({ row, index, header, onClose }: EditorProps): ReactNode => {
  const { text, type, cancel, focus } = useTyping({ row, index, lineBreak: "\n" });
  return (
    <textarea
      ref={focus}
      className="cell-input"
      aria-label={header}
      rows={countLines(text)}
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") cancel();
        if (event.key !== "Enter") return;
        const isNewLine = event.altKey || event.shiftKey;
        // The grid takes Enter as the end of the editing.
        if (isNewLine) event.stopPropagation();
        else event.preventDefault();
        // A text area knows Shift and Enter by itself.
        if (event.altKey) {
          event.preventDefault();
          event.currentTarget.setRangeText(
            "\n",
            event.currentTarget.selectionStart,
            event.currentTarget.selectionEnd,
            "end",
          );
          type(event.currentTarget.value);
        }
      }}
      onBlur={() => onClose(false, false)}
    />
  );
};

interface ChoicesPlace {
  readonly column: number;
  readonly row: number;
  readonly text: string;
  readonly isSame: boolean;
}

/**
 * The names that match what is typed. Until something is typed, they are those of the list, after
 * names that are like what stands in the cell and are not among the first of a long list.
 */
const useChoices = ({ isSame, ...place }: ChoicesPlace) => {
  const { draft } = useGrid();
  const near = useLookup(draft, place);
  const all = useLookup(draft, { ...place, text: "", isOpen: isSame });
  const found = near.data ?? [];
  if (!isSame) return { choices: found, isReading: near.isFetching };
  const listed = all.data ?? [];
  const values = new Set(listed.map(({ value }) => value));
  const others = found.filter(({ value }) => !values.has(value));
  return { choices: [...others, ...listed], isReading: near.isFetching || all.isFetching };
};

/** A name of the store, with those that match what is typed. */
export const NameEditor = ({ row, index, header, onClose }: EditorProps): ReactNode => {
  const { texts } = usePage();
  const { text, isSame, type, replace, cancel, focus } = useTyping({
    row,
    index,
    lineBreak: "",
  });
  const [active, setActive] = useState(-1);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const id = useId();
  const { choices, isReading } = useChoices({ column: index, row, text, isSame });
  const choose = (choice: Choice): void => {
    replace(choice.value);
    onClose(false, true);
  };
  return (
    <>
      <input
        ref={(input) => {
          focus(input);
          if (input !== null) setAnchor(input);
        }}
        className="cell-input"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        aria-label={header}
        value={text}
        onChange={(event) => {
          setActive(-1);
          type(event.target.value);
        }}
        onKeyDown={(event) => onListKey(event, { choices, active, setActive, choose, cancel })}
        onBlur={() => onClose(false, false)}
      />
      <ChoiceList
        id={id}
        label={texts.fix.lookup}
        choices={choices}
        active={active}
        none={isReading ? texts.app.loading : texts.fix.lookupNone}
        onChoose={choose}
        anchor={anchor}
      />
    </>
  );
};
