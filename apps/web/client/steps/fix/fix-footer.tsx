import type { ReactNode } from "react";

import type { DraftCounts, DraftView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { goTo } from "../../lib/route.ts";
import { useThrottled } from "../../lib/use-throttled.ts";
import { Button } from "../../ui/button.tsx";

const SPEAK_EVERY_MS = 5_000;

/** What errors mean for the next step; `null` where there are none. */
const useAdvice = ({ errors, sound }: DraftCounts): string | null => {
  const { fix } = usePage().texts;
  if (sound === 0) return fix.noneSound;
  return errors === 0 ? null : fix.leftErrors(errors);
};

interface FixFooterProps {
  readonly draft: DraftView;
  readonly counts: DraftCounts;
}

/** How many errors are left, and the way to the preview. */
export const FixFooter = ({ draft, counts }: FixFooterProps): ReactNode => {
  const { fix } = usePage().texts;
  const status = fix.status(counts.errors, counts.warnings, counts.rows);
  const advice = useAdvice(counts);
  const spoken = useThrottled(status, SPEAK_EVERY_MS);
  return (
    <div className="go">
      <div>
        <p className={counts.errors === 0 ? "good" : undefined}>{status}</p>
        {advice === null ? null : <p className="muted small">{advice}</p>}
        <p className="unseen" role="status">
          {spoken}
        </p>
      </div>
      <Button
        kind="primary"
        isDisabled={counts.sound === 0}
        onPress={() => goTo({ page: "draft", id: draft.id, step: "preview" })}
      >
        {fix.go}
      </Button>
    </div>
  );
};
