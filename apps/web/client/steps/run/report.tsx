/** The sixth step: what became of every row. */

import { type ReactNode, useMemo, useState } from "react";

import type {
  DecisionResult,
  PlannedRunId,
  ReleaseBody,
  RunRowFilter,
  RunRowView,
  RunView,
  UndoBody,
} from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import {
  readAllRunRows,
  runPath,
  useActivity,
  useDebounced,
  useDraft,
  useProgress,
  useRunChange,
} from "../../lib/queries.ts";
import { useAction } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { describeUndone, isChangedSince } from "../../lib/runs.ts";
import { Button, Chips, Link, SearchField, Tick } from "../../ui/controls.tsx";
import { Dialog, Failure, Message, Problem, Waiting } from "../../ui/messages.tsx";
import { Card, Download, Notice } from "../../ui/sections.tsx";
import { CountTotals, RefusedRows, RunUnit } from "./run-parts.tsx";
import { type RowColumn, RunRowsTable, toTickColumn } from "./run-rows.tsx";

/** A sync that was given up before it had a plan, in place of all of its steps. */
export const RefusedSync = ({ reason }: { readonly reason: string }): ReactNode => {
  const words = usePage().texts.refusedSync;
  return (
    <section className="stack wide-narrow">
      <h1>{words.title}</h1>
      <Message tone="warning">{reason}</Message>
      <p>{words.text}</p>
      <p>
        <Link to={{ page: "feeds" }}>{words.toFeeds}</Link>
      </p>
    </section>
  );
};

const open = ({ run }: PlannedRunId): void => goTo({ page: "run", id: run, step: "preview" });

const UndoButton = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const [isOpen, setIsOpen] = useState(false);
  const [zeroStock, setZeroStock] = useState(false);
  const body: UndoBody = { zeroStock };
  const undo = useRunChange<PlannedRunId>(run.id);
  const { added, updated } = run.counts;
  const isRefused = added > 0 && updated === 0 && !zeroStock;
  return (
    <>
      <Button icon="undo" isDisabled={!run.can.undo} onPress={() => setIsOpen(true)}>
        {words.undo}
      </Button>
      <Dialog
        title={words.undoTitle}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        isAboutGivingUp
        confirm={{
          isBusy: undo.isPending,
          isDisabled: isRefused,
          onPress: () => undo.mutate({ path: "/undo", body }, { onSuccess: open }),
          children: undo.isPending ? words.preparing : words.undoGo,
        }}
      >
        <p>{words.undoText}</p>
        {added === 0 ? null : (
          <>
            <Tick isTicked={zeroStock} onChange={setZeroStock}>
              {words.zeroStock(added)}
            </Tick>
            <p className="muted small indent">{words.zeroStockHint}</p>
          </>
        )}
        {isRefused ? <Message tone="info">{words.onlyAdds}</Message> : null}
        <Failure error={undo.error} />
      </Dialog>
    </>
  );
};

const RetryButton = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const retry = useRunChange<PlannedRunId>(run.id);
  if (!run.can.retry && !retry.isPending) return null;
  return (
    <>
      <Button
        icon="redo"
        isBusy={retry.isPending}
        onPress={() => retry.mutate({ path: "/retry" }, { onSuccess: open })}
      >
        {words.retry}
      </Button>
      <Failure error={retry.error} />
    </>
  );
};

const Files = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format, lang } = usePage();
  if (run.files.length === 0) return null;
  return (
    <ul className="files" aria-label={texts.report.files}>
      {run.files.map(({ name, label, bytes }) => (
        <li key={name}>
          <Download href={`${runPath(run.id)}/files/${encodeURIComponent(name)}?lang=${lang}`}>
            {label} <span className="muted">{format.bytes(bytes)}</span>
          </Download>
        </li>
      ))}
    </ul>
  );
};

const ReportActions = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  return (
    <div className="report-actions">
      <Files run={run} />
      <div className="line">
        <Button onPress={() => print()}>{words.print}</Button>
        <RetryButton run={run} />
        <UndoButton run={run} />
      </div>
    </div>
  );
};

type View = "all" | "done" | "failed" | "held" | "unchanged";

const isWebAddress = (text: string): boolean =>
  text.startsWith("https://") || text.startsWith("http://");

const RowLinks = ({ row }: { readonly row: RunRowView }): ReactNode => {
  const words = usePage().texts.report;
  const links = [
    { href: row.link, label: words.link },
    { href: row.image, label: words.image },
  ];
  return (
    <>
      {row.productId === null ? null : (
        <span className="product-id number">
          {words.productId} {row.productId}
        </span>
      )}
      {links.map(({ href, label }) =>
        href === null || !isWebAddress(href) ? null : (
          <a key={label} href={href} target="_blank" rel="noreferrer noopener">
            {label}
          </a>
        ),
      )}
    </>
  );
};

const useResultColumn = (): RowColumn => {
  const words = usePage().texts.report;
  return useMemo(
    () => ({
      key: "result",
      header: words.state,
      render: (row) => (
        <span className="row-result">
          <span className={`badge state-${row.state}`}>{row.stateText}</span>
          <RowLinks row={row} />
        </span>
      ),
    }),
    [words],
  );
};

const useViews = (): readonly { readonly key: View; readonly label: string }[] => {
  const { view } = usePage().texts.report;
  return [
    { key: "all", label: view.all },
    { key: "done", label: view.done },
    { key: "failed", label: view.failed },
    { key: "held", label: view.held },
    { key: "unchanged", label: view.unchanged },
  ];
};

const ReportRows = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts } = usePage();
  const [view, setView] = useState<View>("all");
  const [code, setCode] = useState<string | undefined>();
  const [text, setText] = useState("");
  const settled = useDebounced(text, 250);
  const column = useResultColumn();
  const reasons = run.reasons.map((one) => ({ key: one.code, label: one.label, count: one.rows }));
  const filter: RunRowFilter = {
    ...(view === "all" ? {} : { show: view }),
    ...(code === undefined ? {} : { code }),
    ...(settled === "" ? {} : { text: settled }),
  };
  return (
    <section className="stack-tight">
      {reasons.length === 0 ? null : (
        <div className="reasons">
          <h2>{texts.report.reasons}</h2>
          <Chips
            label={texts.report.reasons}
            chips={reasons}
            chosen={code}
            onChoose={(key) => setCode(key === code ? undefined : key)}
          />
        </div>
      )}
      <div className="filters-line">
        <Chips label={texts.preview.views} chips={useViews()} chosen={view} onChoose={setView} />
        <SearchField label={texts.preview.search} value={text} onChange={setText} />
      </div>
      <RunRowsTable run={run.id} filter={filter} last={column} />
    </section>
  );
};

const HELD: RunRowFilter = { show: "held" };

type Chosen = ReadonlyMap<number, RunRowView>;

const useTickColumn = (chosen: Chosen, onChoose: (chosen: Chosen) => void): RowColumn => {
  const { chooseHeader: header, choose: label } = usePage().texts.report;
  return useMemo(
    () =>
      toTickColumn({
        header,
        label,
        canTick: () => true,
        isTicked: ({ row }) => chosen.has(row),
        onTick: (row, isTicked) => {
          const others = [...chosen].filter(([one]) => one !== row.row);
          onChoose(new Map(isTicked ? [...others, [row.row, row]] : others));
        },
      }),
    [header, label, chosen, onChoose],
  );
};

/** Rows that the last question names. */
const MAX_NAMED = 5;

/** What is about to be decided, by product and by what would change. */
const ChosenRows = ({ chosen }: { readonly chosen: Chosen }): ReactNode => {
  const words = usePage().texts.report;
  const named = [...chosen.values()].slice(0, MAX_NAMED);
  return (
    <ul className="confirm-lines">
      {named.map(({ row, code, name, title, changes }) => (
        <li key={row}>
          <strong>{code ?? name}</strong> {title}
          {changes.map(({ field, label, before, after }) => (
            <div key={field} className="muted">
              {label}: {before === null ? after : `${before} → ${after}`}
            </div>
          ))}
        </li>
      ))}
      {chosen.size > MAX_NAMED ? <li>{words.moreChosen(chosen.size - MAX_NAMED)}</li> : null}
    </ul>
  );
};

interface DecideProps {
  readonly run: RunView;
  readonly chosen: Chosen;
  readonly onDone: () => void;
}

const Decide = ({ run, chosen, onDone }: DecideProps): ReactNode => {
  const words = usePage().texts.report;
  const [decision, setDecision] = useState<ReleaseBody["decision"] | null>(null);
  const change = useRunChange<DecisionResult>(run.id);
  const close = (): void => setDecision(null);
  const decide = (): void => {
    if (decision === null) return;
    const body: ReleaseBody = { rows: [...chosen.keys()], decision };
    change.mutate({ path: "/release", body }, { onSuccess: onDone, onSettled: close });
  };
  const goes = run.kind === "sync" ? words.releaseTextSync : words.releaseText;
  const label = decision === "cancel" ? words.giveUp(chosen.size) : words.release(chosen.size);
  return (
    <div className="line">
      <Button kind="primary" isDisabled={chosen.size === 0} onPress={() => setDecision("send")}>
        {words.release(chosen.size)}
      </Button>
      <Button isDisabled={chosen.size === 0} onPress={() => setDecision("cancel")}>
        {words.giveUp(chosen.size)}
      </Button>
      <Failure error={change.error} />
      <RefusedRows refused={change.data?.refused ?? []} />
      <Dialog
        title={decision === "cancel" ? words.giveUpTitle : words.releaseTitle}
        isOpen={decision !== null}
        onClose={close}
        isAboutGivingUp={decision === "cancel"}
        confirm={{ isBusy: change.isPending, onPress: decide, children: label }}
      >
        <p>{decision === "cancel" ? words.giveUpText(chosen.size) : goes(chosen.size)}</p>
        <ChosenRows chosen={chosen} />
      </Dialog>
    </div>
  );
};

/** Rows of a run that wait for a person: send them, or give them up. */
const WaitingRows = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.report;
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const column = useTickColumn(chosen, setChosen);
  const chooseAll = useAction(async (isTicked: boolean) => {
    const rows = isTicked ? await readAllRunRows(run.id, HELD, lang) : [];
    setChosen(new Map(rows.map((row) => [row.row, row])));
  });
  return (
    <Card title={words.held} intro={words.heldText(run.counts.held)} isHeld>
      <Tick
        isTicked={chosen.size > 0 && chosen.size === run.counts.held}
        isDisabled={chooseAll.isRunning}
        onChange={chooseAll.run}
      >
        {words.chooseAll}
      </Tick>
      <Failure error={chooseAll.error} />
      <RunRowsTable run={run.id} filter={HELD} first={column} />
      <Decide run={run} chosen={chosen} onDone={() => setChosen(new Map())} />
    </Card>
  );
};

/** Says that the rows were corrected after they were sent. */
const ChangedSince = ({
  run,
  draft,
}: {
  readonly run: RunView;
  readonly draft: string;
}): ReactNode => {
  const words = usePage().texts.report;
  const { data } = useDraft(draft);
  if (!isChangedSince(run, data)) return null;
  return (
    <Message
      tone="info"
      actions={<Link to={{ page: "draft", id: draft, step: "fix" }}>{words.toFix}</Link>}
    >
      {words.changedSince}
    </Message>
  );
};

/** Says that another run is planned from this one, of which nothing is sent yet. */
const Preparing = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const { preparing } = useActivity(run);
  return preparing === null ? null : <Waiting text={words.preparingRun[preparing]} />;
};

const Notices = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  return (
    <>
      {run.undoneBy === null ? null : (
        <Message
          tone="info"
          actions={
            <Link to={{ page: "run", id: run.undoneBy.run, step: "report" }}>
              {words.undoneLink}
            </Link>
          }
        >
          {describeUndone(run.undoneBy, words)}
        </Message>
      )}
      <Preparing run={run} />
      {run.draft === null ? null : <ChangedSince run={run} draft={run.draft} />}
      <Problem problem={run.problem} />
    </>
  );
};

const Head = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.report;
  return (
    <div className="report-head">
      <h1>{words.title}</h1>
      <p className="muted">
        {run.stateText} · <time dateTime={run.updatedAt}>{format.date(run.updatedAt)}</time>
        {run.of === null ? null : (
          <>
            {" · "}
            <Link to={{ page: "run", id: run.of, step: "report" }}>{words.of}</Link>
          </>
        )}
      </p>
    </div>
  );
};

const NOT_BEGUN: ReadonlySet<RunView["state"]> = new Set(["planning", "planned", "queued"]);

export const Report = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts } = usePage();
  const counts = useProgress(run.id)?.counts ?? run.counts;
  if (NOT_BEGUN.has(run.state)) {
    return (
      <Notice title={texts.report.title}>
        <p>{texts.report.notSent}</p>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{texts.send.toPreview}</Link>
      </Notice>
    );
  }
  return (
    <section className="stack report">
      <Head run={run} />
      <Notices run={run} />
      <CountTotals counts={counts} stockSent={run.stockSent} kind={run.kind} />
      <ReportActions run={run} />
      <RunUnit run={run} />
      {run.can.release ? <WaitingRows run={run} /> : null}
      <ReportRows run={run} />
    </section>
  );
};
