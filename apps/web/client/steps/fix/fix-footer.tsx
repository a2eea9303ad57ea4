import { type ReactNode, useState } from "react";

import {
  type ColumnsView,
  DRAFT_FILES,
  type DraftCounts,
  type DraftView,
  type PlanMode,
} from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, useDraftChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { useThrottled } from "../../lib/use-throttled.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { listLacked } from "./missing-dialog.tsx";

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
