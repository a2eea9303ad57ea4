import { type ReactNode, useEffect, useRef } from "react";

import type { DraftView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraftChange } from "../../lib/queries.ts";
import { replaceTo } from "../../lib/route.ts";
import { Button, Link } from "../../ui/controls.tsx";
import { Failure, Progress } from "../../ui/messages.tsx";
import { Notice } from "../../ui/sections.tsx";

/** Opens the run of a draft as soon as there is one that matches it. */
const useOpenRun = (draft: DraftView): void => {
  const current = draft.run?.isCurrent === true ? draft.run.id : null;
  useEffect(() => {
    if (current !== null && draft.progress === null) {
      replaceTo({ page: "run", id: current, step: "preview" });
    }
  }, [current, draft.progress]);
};

/** Plans a draft that was asked for and never planned; a stale plan waits for its person. */
const usePlan = (draft: DraftView) => {
  const change = useDraftChange(draft.id);
  const hasBegun = useRef(false);
  const { mutate } = change;
  const plan = (): void => mutate({ path: "/plan", body: { version: draft.version } });
  const isFirst = draft.state === "ready" && draft.run === null && draft.problem === null;
  const mayBegin = isFirst && draft.progress === null;
  useEffect(() => {
    if (!mayBegin || hasBegun.current) return;
    hasBegun.current = true;
    mutate({ path: "/plan", body: { version: draft.version } });
  }, [mayBegin, mutate, draft.version]);
  return {
    plan,
    isPlanning: change.isPending || draft.progress?.step === "plan",
    error: change.error,
  };
};

export const MakePreview = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts } = usePage();
  const words = texts.preview;
  useOpenRun(draft);
  const { plan, isPlanning, error } = usePlan(draft);
  if (isPlanning) {
    const { progress } = draft;
    const part = progress?.total == null ? null : progress.done / Math.max(1, progress.total);
    return (
      <section className="narrow card" role="status">
        <h1>{words.title}</h1>
        <Progress label={progress?.text ?? words.making} part={part} />
        <p className="muted">{words.nothingSent}</p>
      </section>
    );
  }
  if (draft.state !== "ready") {
    return (
      <Notice title={words.makeTitle}>
        <p>{texts.fix.notReady}</p>
        <Link to={{ page: "draft", id: draft.id, step: "columns" }}>{texts.fix.toColumns}</Link>
      </Notice>
    );
  }
  return (
    <Notice title={draft.run === null ? words.makeTitle : words.staleTitle}>
      <p>{draft.run === null ? words.makeText : words.staleText}</p>
      <Failure error={error} />
      <Button kind="primary" onPress={plan}>
        {draft.run === null ? words.make : words.again}
      </Button>
    </Notice>
  );
};
