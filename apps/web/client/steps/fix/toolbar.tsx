import type { ReactNode } from "react";

import type { DraftView } from "../../../src/api/index.ts";
import { type GridModel, useChosenRows } from "../../grid/grid-model.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { useOneStop } from "../../ui/use-one-stop.ts";
import type { Edits } from "./use-edits.ts";

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

/** What can be done with the rows. */
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
