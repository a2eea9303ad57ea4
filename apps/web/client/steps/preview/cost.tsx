import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";

/** The calls of a plan, and how long they take here where that is known. */
export const Cost = ({
  plan: { calls, duration, callsPerHour },
}: Pick<RunView, "plan">): ReactNode => {
  const words = usePage().texts.preview;
  if (calls === 0) return null;
  return (
    <p className="cost">
      <strong>{words.cost}:</strong>{" "}
      {duration === null ? words.calls(calls) : words.callsTake(calls, duration)}
      {callsPerHour === null ? null : (
        <span className="muted"> · {words.perHour(callsPerHour)}</span>
      )}
    </p>
  );
};
