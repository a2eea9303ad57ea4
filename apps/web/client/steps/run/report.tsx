/** The sixth step: what became of every row. */

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

import type {
  DecisionResult,
  PlannedRunId,
  ReleaseBody,
  RunCounts,
  RunRowFilter,
  RunRowView,
  RunView,
} from "../../../src/api/index.ts";
import { type ListTicks, useTicked } from "../../grid/ticks.ts";
import { type Page, usePage } from "../../lib/page.tsx";
import { inStore } from "../../lib/place.ts";
import {
  readRunOrder,
  readRunRows,
  runPath,
  useActivity,
  useDebounced,
  useDraft,
  useProgress,
  useRunChange,
  useRunOrder,
} from "../../lib/queries.ts";
import { useAction } from "../../lib/requests.ts";
import { describeUndone, isChangedSince } from "../../lib/runs.ts";
import { isUndoneByEnd, RunPeriod, takesBackAll } from "../../period/run-period.tsx";
import {
  Button,
  type Chip,
  Chips,
  Icon,
  Link,
  SearchField,
  SelectField,
} from "../../ui/controls.tsx";
import { Dialog, Failure, Message, Problem, Waiting } from "../../ui/messages.tsx";
import { Card, Notice } from "../../ui/sections.tsx";
import { type ListedFields, More, priceOf, RunList, stockOf } from "./run-list.tsx";
import { CountFacts, RefusedRows, RunUnit } from "./run-parts.tsx";
import { openPlan, UndoButton } from "./undo-button.tsx";

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

const RetryButton = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const retry = useRunChange<PlannedRunId>(run.id);
  if (!run.can.retry && !retry.isPending) return null;
  return (
    <>
      <Button
        icon="redo"
        isBusy={retry.isPending}
        onPress={() => retry.mutate({ path: "/retry" }, { onSuccess: openPlan })}
      >
        {words.retry}
      </Button>
      <Failure error={retry.error} />
    </>
  );
};

/** Files to download, folded behind one button. */
const Downloads = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format, lang } = usePage();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event): void => {
      const isInside = target instanceof Node && menu.current?.contains(target) === true;
      if (menu.current !== null && !isInside) menu.current.open = false;
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, []);
  const closeByKey = ({ key }: KeyboardEvent): void => {
    if (key !== "Escape" || menu.current === null) return;
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  };
  if (run.files.length === 0) return null;
  return (
    <details ref={menu} className="drop-menu" onKeyDown={closeByKey}>
      <summary className="button">
        <Icon name="download" />
        {texts.report.download}
        <Icon name="down" />
      </summary>
      <ul className="drop-items" aria-label={texts.report.files}>
        {run.files.map(({ name, label, bytes }) => (
          <li key={name}>
            <a
              href={inStore(`${runPath(run.id)}/files/${encodeURIComponent(name)}?lang=${lang}`)}
              download
            >
              {label} <span className="muted">{format.bytes(bytes)}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
};

/** At most as many rows are printed; all of them are in the files. */
const MAX_PRINTED = 1_000;

interface PrintedProps {
  readonly rows: readonly RunRowView[];
}

const PrintedActions = ({ rows }: PrintedProps): ReactNode => {
  const { preview, report } = usePage().texts;
  return (
    <table className="print-rows">
      <thead>
        <tr>
          {[preview.row, preview.product, preview.more, report.state].map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row}>
            <td>{row.name}</td>
            <td>{row.title}</td>
            <td>
              <More row={row} />
            </td>
            <td>{row.stateText}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const PrintedRows = ({ rows }: PrintedProps): ReactNode => {
  const { texts } = usePage();
  const { preview, report } = texts;
  return (
    <table className="print-rows">
      <thead>
        <tr>
          {[preview.row, preview.code, preview.product].map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
          {[preview.oldPrice, preview.newPrice, preview.stock].map((header) => (
            <th key={header} scope="col" className="number">
              {header}
            </th>
          ))}
          <th scope="col">{report.state}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row}>
            <td>{row.name}</td>
            <td>{row.code}</td>
            <td>{row.title}</td>
            <td className="number">{priceOf(row)?.before}</td>
            <td className="number">{priceOf(row)?.after}</td>
            <td className="number">{stockOf(row)?.after}</td>
            <td>{row.stateText}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Reads the rows, as the table on the screen has only those in sight, and prints them. */
const Print = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.report;
  const [rows, setRows] = useState<readonly RunRowView[] | null>(null);
  useEffect(() => {
    if (rows !== null) print();
  }, [rows]);
  const read = useAction(async () => {
    const order = [...(await readRunOrder(run.id, {}, lang))].slice(0, MAX_PRINTED);
    const printed: RunRowView[] = [];
    for (let at = 0; at < order.length; at += PRINT_BATCH) {
      printed.push(...(await readRunRows(run.id, order.slice(at, at + PRINT_BATCH), lang)));
    }
    setRows(printed);
  });
  return (
    <>
      <Button isBusy={read.isRunning} onPress={() => read.run()}>
        {words.print}
      </Button>
      <Failure error={read.error} />
      {rows === null
        ? null
        : createPortal(
            <div className="printed">
              {run.actions === null ? <PrintedRows rows={rows} /> : <PrintedActions rows={rows} />}
              {run.counts.rows > rows.length ? <p>{words.morePrinted(rows.length)}</p> : null}
            </div>,
            document.querySelector("main") ?? document.body,
          )}
    </>
  );
};

const PRINT_BATCH = 200;

/** Lists of actions can't be undone, but for templates; a period that takes back all offers it itself. */
const hasUndo = (run: RunView): boolean =>
  (run.actions === null || run.actions === "templates") && !(takesBackAll(run) && run.can.undo);

const ReportActions = ({ run }: { readonly run: RunView }): ReactNode => (
  <div className="report-actions">
    <Downloads run={run} />
    <Print run={run} />
    <RetryButton run={run} />
    {hasUndo(run) ? (
      <span className="report-undo">
        <UndoButton run={run} />
      </span>
    ) : null}
  </div>
);

type View = "all" | "done" | "failed" | "held" | "unchanged";

const useViews = ({ counts, plan }: RunView): readonly Chip<View>[] => {
  const { view } = usePage().texts.report;
  const failed = counts.invalid + counts.duplicate + counts.rejected;
  const chips: readonly Chip<View>[] = [
    { key: "all", label: view.all, count: counts.rows },
    { key: "done", label: view.done, count: counts.added + counts.updated },
    { key: "failed", label: view.failed, count: failed, tone: "error" },
    { key: "held", label: view.held, count: counts.held, tone: "warning" },
    { key: "unchanged", label: view.unchanged, count: plan.unchanged },
  ];
  return chips.filter(({ count }) => count !== 0);
};

const toListed = ({ fields, plan, guards, actions }: RunView): ListedFields => {
  const isOfProducts = actions === null;
  const hasOldPrices =
    (isOfProducts && guards.length > 0) || fields.some(({ field }) => field === "price");
  return {
    hasCodes: isOfProducts,
    hasOldPrices,
    hasPrices: plan.adds > 0 || hasOldPrices,
    hasStock: plan.adds > 0 || fields.some(({ field }) => field === "stock_count"),
  };
};

/** Reasons are sentences, so that they are chosen from a list. */
const Reasons = ({
  reasons,
  code,
  onCode,
}: Pick<RunView, "reasons"> & {
  readonly code: string | undefined;
  readonly onCode: (code: string | undefined) => void;
}): ReactNode => {
  const { texts, format } = usePage();
  if (reasons.length === 0) return null;
  return (
    <SelectField
      label={texts.report.reasons}
      isLabelHidden
      value={code ?? ""}
      onChange={(key) => onCode(key === "" ? undefined : key)}
      choices={[
        { value: "", label: texts.report.anyReason },
        ...reasons.map((one) => ({
          value: one.code,
          label: `${one.label} (${format.number(one.rows)})`,
        })),
      ]}
    />
  );
};

const ReportRows = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts } = usePage();
  const [view, setView] = useState<View>("all");
  const [code, setCode] = useState<string | undefined>();
  const [text, setText] = useState("");
  const settled = useDebounced(text.trim(), 250);
  const filter: RunRowFilter = {
    ...(view === "all" ? {} : { show: view }),
    ...(code === undefined ? {} : { code }),
    ...(settled === "" ? {} : { text: settled }),
  };
  return (
    <section className="stack-tight">
      <div className="filters-line">
        <Chips label={texts.preview.views} chips={useViews(run)} chosen={view} onChoose={setView} />
        <Reasons reasons={run.reasons} code={code} onCode={setCode} />
        <SearchField label={texts.preview.search} value={text} onChange={setText} />
      </div>
      <RunList
        run={run.id}
        planHash={run.planHash}
        label={texts.report.title}
        kind="result"
        filter={filter}
        {...toListed(run)}
      />
    </section>
  );
};

const HELD: RunRowFilter = { show: "held" };

/** Rows that the last question names. */
const MAX_NAMED = 5;

/** What is about to be decided, by product and by what would change. */
const ChosenRows = ({
  run: { id: run, actions },
  chosen,
}: {
  readonly run: RunView;
  readonly chosen: readonly number[];
}): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.report;
  const hasCodes = actions === null;
  const named = chosen.slice(0, MAX_NAMED);
  const { data: rows = [] } = useQuery({
    queryKey: ["run-rows", run, "named", named, lang],
    queryFn: () => readRunRows(run, named, lang),
  });
  return (
    <ul className="confirm-lines">
      {rows.map(({ row, code, name, title, changes }) => (
        <li key={row}>
          <strong>{hasCodes ? (code ?? name) : null}</strong> {title}
          {changes.map(({ field, label, before, after }) => (
            <div key={field} className="muted">
              {label}: {before === null ? after : `${before} → ${after}`}
            </div>
          ))}
        </li>
      ))}
      {chosen.length > MAX_NAMED ? <li>{words.moreChosen(chosen.length - MAX_NAMED)}</li> : null}
    </ul>
  );
};

interface DecideProps {
  readonly run: RunView;
  readonly chosen: readonly number[];
  readonly onDone: () => void;
}

const Decide = ({ run, chosen, onDone }: DecideProps): ReactNode => {
  const words = usePage().texts.report;
  const [decision, setDecision] = useState<ReleaseBody["decision"] | null>(null);
  const change = useRunChange<DecisionResult>(run.id);
  const close = (): void => setDecision(null);
  const decide = (): void => {
    if (decision === null) return;
    const body: ReleaseBody = { rows: chosen, decision };
    change.mutate({ path: "/release", body }, { onSuccess: onDone, onSettled: close });
  };
  const goes = run.kind === "sync" ? words.releaseTextSync : words.releaseText;
  const count = chosen.length;
  const label = decision === "cancel" ? words.giveUp(count) : words.release(count);
  return (
    <div className="line">
      <Button kind="primary" isDisabled={count === 0} onPress={() => setDecision("send")}>
        {count === 0 ? words.releaseNone : words.release(count)}
      </Button>
      <Button isDisabled={count === 0} onPress={() => setDecision("cancel")}>
        {count === 0 ? words.giveUpNone : words.giveUp(count)}
      </Button>
      {count === 0 ? <span className="muted">{words.chooseFirst}</span> : null}
      <Failure error={change.error} />
      <RefusedRows refused={change.data?.refused ?? []} />
      <Dialog
        title={decision === "cancel" ? words.giveUpTitle : words.releaseTitle}
        isOpen={decision !== null}
        onClose={close}
        isAboutGivingUp={decision === "cancel"}
        confirm={{ isBusy: change.isPending, onPress: decide, children: label }}
      >
        <p>{decision === "cancel" ? words.giveUpText(count) : goes(count)}</p>
        <ChosenRows run={run} chosen={chosen} />
      </Dialog>
    </div>
  );
};

/** Rows of a run that wait for a person: send them, or give them up. */
const WaitingRows = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const order = useRunOrder(run.id, HELD).data;
  const { ticked, clear, ticks } = useTicked(order);
  const toTicks = (): ListTicks<RunRowView> => ({
    ...ticks,
    label: ({ name }) => words.choose(name),
    allLabel: words.chooseAll,
  });
  return (
    <Card title={words.heldText(run.counts.held)} isHeld>
      <RunList
        run={run.id}
        planHash={run.planHash}
        label={words.held}
        kind="update"
        filter={HELD}
        {...toListed(run)}
        toTicks={toTicks}
        isShort
      />
      <Decide run={run} chosen={[...ticked]} onDone={clear} />
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
      {run.undoneBy === null || isUndoneByEnd(run) ? null : (
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

/** The result as one sentence. */
const describeResult = (
  { kind, state, deeds, stockSent }: Pick<RunView, "kind" | "state" | "deeds" | "stockSent">,
  { added, updated }: RunCounts,
  words: Page["texts"]["report"],
): string => {
  if (added + updated === 0) return stockSent > 0 ? words.stockDone(stockSent) : words.nothingDone;
  if (kind !== "undo" && state === "finished" && deeds !== null) return deeds.done;
  return kind === "undo" ? words.undoDone(updated) : words.done(updated, added);
};

/** The sentence above says what was done, and the rows that wait have a title of their own. */
const SAID = ["added", "updated"] as const;
const SAID_WITH_HELD = [...SAID, "held"] as const;

const Head = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.report;
  const counts = useProgress(run.id)?.counts ?? run.counts;
  return (
    <div className="run-head">
      <h1>{describeResult(run, counts, words)}</h1>
      <CountFacts
        counts={counts}
        stockSent={run.stockSent}
        kind={run.kind}
        without={run.can.release ? SAID_WITH_HELD : SAID}
      />
      <p className="muted small">
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
  if (NOT_BEGUN.has(run.state)) {
    return (
      <Notice title={texts.report.title}>
        <p>{texts.report.notSent}</p>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{texts.send.toPreview}</Link>
      </Notice>
    );
  }
  return (
    <section className="stack run-screen" aria-label={texts.report.title}>
      <div className="report-top">
        <Head run={run} />
        <ReportActions run={run} />
      </div>
      <RunPeriod run={run} />
      <Notices run={run} />
      <RunUnit run={run} />
      {run.can.release ? <WaitingRows run={run} /> : null}
      <ReportRows run={run} />
    </section>
  );
};
