/** What stands above and below the table: filters, buttons, and the way to the preview. */

import { type ReactNode, useEffect, useState } from "react";

import {
  type ColumnsView,
  DRAFT_FILES,
  type DraftCounts,
  type DraftView,
  type PlanMode,
  type RowFilter,
} from "../../../src/api/index.ts";
import { type GridModel, useChosenRows } from "../../grid/grid-model.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, useDebounced, useDraftChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import {
  SearchField,
  Button,
  type Chip,
  Chips,
  SelectField,
  useOneStop,
} from "../../ui/controls.tsx";
import { Failure, useThrottled } from "../../ui/messages.tsx";
import { listLacked } from "./dialogs.tsx";
import type { Edits } from "./edits.ts";

const MAX_KINDS = 12;

/** The kinds of issues that have a button: the first ones, or all where a later one is chosen. */
export const toShownKinds = <Kind extends { readonly code: string }>(
  kinds: readonly Kind[],
  { isWhole, chosen }: { readonly isWhole: boolean; readonly chosen: string | undefined },
): readonly Kind[] => {
  const first = kinds.slice(0, MAX_KINDS);
  const isLater = chosen !== undefined && !first.some(({ code }) => code === chosen);
  return isWhole || isLater ? kinds : first;
};

interface FiltersProps {
  readonly counts: DraftCounts;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

/** The button behind the kinds; no kind has an empty code. */
const MORE = "";

type Show = NonNullable<RowFilter["show"]> | "all";

const useViews = (counts: DraftCounts): readonly Chip<Show>[] => {
  const { fix } = usePage().texts;
  return [
    { key: "all", label: fix.all, count: counts.rows },
    { key: "errors", label: fix.errors, count: counts.errors, tone: "error" },
    { key: "warnings", label: fix.warnings, count: counts.warnings, tone: "warning" },
    { key: "edited", label: fix.edited, count: counts.edited },
    { key: "excluded", label: fix.excluded, count: counts.excluded },
  ];
};

const Kinds = ({ counts, filter, onFilter }: FiltersProps): ReactNode => {
  const { fix } = usePage().texts;
  const [isWhole, setIsWhole] = useState(false);
  if (counts.kinds.length === 0) return null;
  const shown = toShownKinds(counts.kinds, { isWhole, chosen: filter.code });
  const hidden = counts.kinds.length - shown.length;
  const chips: readonly Chip<string>[] = shown.map((kind) => ({
    key: kind.code,
    label: kind.label,
    count: kind.rows,
    tone: kind.severity,
  }));
  const more = hidden === 0 ? [] : [{ key: MORE, label: fix.otherKinds(hidden) }];
  const choose = (code: string): void => {
    if (code === MORE) setIsWhole(true);
    else onFilter({ ...filter, code: code === filter.code ? undefined : code });
  };
  return (
    <Chips label={fix.kinds} chips={[...chips, ...more]} chosen={filter.code} onChoose={choose} />
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
  return (
    <div className="filters">
      <div className="filters-line">
        <Chips
          label={fix.views}
          chips={useViews(counts)}
          chosen={filter.show ?? "all"}
          onChoose={(show) => onFilter({ ...filter, show: show === "all" ? undefined : show })}
        />
        <SearchField label={fix.search} value={typed} onChange={setTyped} />
        {isFiltering ? (
          <Button kind="quiet" onPress={clear}>
            {fix.clear}
          </Button>
        ) : null}
      </div>
      <Kinds counts={counts} filter={filter} onFilter={onFilter} />
    </div>
  );
};

interface ToolbarProps {
  readonly draft: DraftView;
  readonly edits: Edits;
  readonly model: GridModel;
  readonly jump: (step: 1 | -1) => void;
  readonly onDialog: (dialog: "names" | "replace") => void;
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
  const { fix } = usePage().texts;
  const hasErrors = (draft.counts?.errors ?? 0) > 0;
  return (
    <div ref={useOneStop()} className="toolbar" role="toolbar" aria-label={fix.title}>
      <Button icon="down" isDisabled={!hasErrors} onPress={() => jump(1)}>
        {fix.next}
      </Button>
      <Button icon="up" isDisabled={!hasErrors} onPress={() => jump(-1)}>
        {fix.previous}
      </Button>
      {draft.openNames === 0 ? null : (
        <Button kind="primary" onPress={() => onDialog("names")}>
          {fix.names(draft.openNames)}
        </Button>
      )}
      <span className="toolbar-gap" />
      <Button icon="undo" isDisabled={!draft.canUndo} onPress={edits.undo}>
        {fix.undo}
      </Button>
      <Button icon="redo" isDisabled={!draft.canRedo} onPress={edits.redo}>
        {fix.redo}
      </Button>
      <Button icon="search" onPress={() => onDialog("replace")}>
        {fix.findReplace}
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
  const planned = draft.run?.mode ?? "upsert";
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
    <a href={`${draftPath(draft.id)}/files/${DRAFT_FILES[rows][lang]}?lang=${lang}`} download>
      {label}
    </a>
  );
  return (
    <p className="small line">
      {link("all", fix.downloadAll)}
      {counts.errors === 0 ? null : link("errors", fix.downloadErrors(counts.errors))}
    </p>
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
  const { fix } = usePage().texts;
  const { mode, setMode, go, isBusy, error } = useGo(draft);
  const lacked = mode === "update" ? [] : listLacked(columns).map(({ label }) => label);
  // Only products that are new to the store need these fields, and only the preview reads the store.
  const isOpen = lacked.length > 0 && !draft.isStoreKnown;
  const describe = isOpen ? fix.statusOpen : fix.status;
  const status = describe(counts.errors, counts.warnings, counts.rows);
  const advice = useAdvice(counts, { lacked, isOpen, mode });
  const spoken = useThrottled(status, SPEAK_EVERY_MS);
  return (
    <div className="go">
      <div>
        <p className={counts.errors === 0 && lacked.length === 0 ? "good" : undefined}>{status}</p>
        {advice.length === 0 ? null : <p className="muted small">{advice.join(" ")}</p>}
        <Downloads draft={draft} counts={counts} />
        <Failure error={error} />
        <p className="unseen" role="status">
          {spoken}
        </p>
      </div>
      <div className="go-actions">
        <SelectField
          label={fix.mode}
          isLabelHidden
          value={mode}
          onChange={(value) => setMode(MODES.find((known) => known === value) ?? "upsert")}
          choices={MODES.map((value) => ({ value, label: fix.modes[value] }))}
        />
        {lacked.length === 0 ? null : <Button onPress={onMissing}>{fix.giveLacked}</Button>}
        <Button kind="primary" isBusy={isBusy} isDisabled={counts.sound === 0} onPress={go}>
          {fix.go}
        </Button>
      </div>
    </div>
  );
};
