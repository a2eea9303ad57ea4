import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { DraftView, ReadingBody } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, useDraftChange } from "../../lib/queries.ts";
import { requestJson } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { Waiting } from "../../ui/progress.tsx";
import { PreviewTable } from "./preview-table.tsx";
import { ReadingSettings } from "./reading-settings.tsx";

/** Changes how the file is read. */
export type ChangeReading = (settings: Omit<ReadingBody, "version">) => void;

const SentBefore = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts, format } = usePage();
  if (draft.sentBefore === null) return null;
  const { run, at } = draft.sentBefore;
  return (
    <Message
      tone="info"
      actions={<Link to={{ page: "run", id: run, step: "report" }}>{texts.file.showRun}</Link>}
    >
      {texts.file.sentBefore(format.ago(at, Date.now()))}
    </Message>
  );
};

/** A file that no setting makes readable: what it is, and the way to remove it. */
const Unusable = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts, lang } = usePage();
  const client = useQueryClient();
  const remove = useAction(async () => {
    await requestJson(draftPath(draft.id), { lang, method: "DELETE" });
    await client.invalidateQueries({ queryKey: ["drafts"] });
    goTo({ page: "upload" });
  });
  return (
    <section className="narrow card stack">
      <h1>{texts.file.unusableTitle}</h1>
      <p>{draft.reading.problem?.message}</p>
      <Failure error={remove.error} />
      <div className="line">
        <Button kind="danger" isBusy={remove.isRunning} onPress={() => remove.run()}>
          {texts.file.removeFile}
        </Button>
        <Link to={{ page: "upload" }}>{texts.file.otherFile}</Link>
      </div>
    </section>
  );
};

/** The first step: how the file is read. */
export const FileStep = ({ draft }: { readonly draft: DraftView }): ReactNode =>
  draft.reading.isUnusable ? <Unusable draft={draft} /> : <Reading draft={draft} />;

const ReadingProblem = ({ problem }: Pick<DraftView["reading"], "problem">): ReactNode => {
  const { file } = usePage().texts;
  if (problem === null) return null;
  if (problem.code === "E_SHEET_CHOICE") return <Message tone="info">{file.chooseSheets}</Message>;
  const advice = problem.code === "E_ENCODING" ? file.otherEncoding : problem.message;
  return <Message tone="error">{advice}</Message>;
};

const Reading = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts } = usePage();
  const words = texts.file;
  const change = useDraftChange(draft.id);
  const onChange: ChangeReading = (settings) =>
    change.mutate({
      path: "/reading",
      method: "PATCH",
      body: { version: draft.version, ...settings },
    });
  const { reading } = draft;
  const isReading = draft.progress?.step === "read";
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <SentBefore draft={draft} />
      <ReadingProblem problem={reading.problem} />
      <Failure error={change.error} />
      <ReadingSettings reading={reading} onChange={onChange} />
      {change.isPending || isReading ? <Waiting text={draft.progress?.text ?? words.busy} /> : null}
      <PreviewTable reading={reading} onChange={onChange} />
      <div className="go">
        <Button
          kind="primary"
          isDisabled={draft.columns === null}
          onPress={() => goTo({ page: "draft", id: draft.id, step: "columns" })}
        >
          {words.go}
        </Button>
      </div>
    </section>
  );
};
