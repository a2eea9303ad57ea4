import { type ReactNode, useState } from "react";

import type { RunsFilter, RunState, RunSummaryView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useDebounced, useRuns } from "../lib/queries.ts";
import type { RunStep } from "../lib/route.ts";
import { describeUndone } from "../lib/runs.ts";
import { useRequests } from "../lib/team.ts";
import { isUndoneByEnd, PeriodBadge } from "../period/run-period.tsx";
import { OtherApprover } from "../steps/run/run-details.tsx";
import { textsOfRun } from "../texts/texts.ts";
import { Chips, Link, SearchField, SelectField, TextField } from "../ui/controls.tsx";
import { Loaded } from "../ui/messages.tsx";
import { TableHead, More } from "../ui/sections.tsx";

const STEPS: Readonly<Record<RunState, RunStep>> = {
  planning: "preview",
  planned: "preview",
  queued: "send",
  sending: "send",
  stopped: "send",
  finished: "report",
};

const STATE_BADGES: Readonly<Record<RunState, string>> = {
  planning: "badge",
  planned: "badge",
  queued: "badge badge-accent",
  sending: "badge badge-accent",
  stopped: "badge badge-warning",
  finished: "badge badge-success",
};

const RESULTS = [
  "added",
  "updated",
  "held",
  "rejected",
  "invalid",
  "duplicate",
  "waiting",
  "unchanged",
  "cancelled",
  "excluded",
] as const;

const Results = ({ run }: { readonly run: RunSummaryView }): ReactNode => {
  const { lang, format } = usePage();
  const texts = textsOfRun(lang, run.actions);
  const shown = RESULTS.filter((name) => run.counts[name] > 0);
  if (shown.length === 0) return <span className="muted">–</span>;
  return (
    <span className="results">
      {shown.map((name) => (
        <span key={name} className={`result result-${name}`}>
          <b>{format.number(run.counts[name])}</b> {texts.counts[name]}
        </span>
      ))}
    </span>
  );
};

interface RunRowProps {
  readonly run: RunSummaryView;
  /** Who has asked others to approve it; `undefined` where nobody has. */
  readonly askedBy: string | undefined;
}

const RunRow = ({ run, askedBy }: RunRowProps): ReactNode => {
  const { texts, lang, format } = usePage();
  const words = textsOfRun(lang, run.actions).history;
  const isOfProducts = run.kind === "import" && run.isOfProducts;
  return (
    <tr className={run.undoneBy === null ? undefined : "run-undone"}>
      <td className="history-when" data-label={words.when}>
        <time dateTime={run.createdAt} title={format.date(run.createdAt)}>
          {format.clock(run.createdAt)}
        </time>
      </td>
      <th scope="row">
        <Link to={{ page: "run", id: run.id, step: STEPS[run.state] }}>{run.name}</Link>
        <span className="muted small">
          {" "}
          {isOfProducts ? texts.products.title : words.kinds[run.kind]}
        </span>
      </th>
      <td data-label={words.state}>
        {askedBy === undefined ? (
          <span className={STATE_BADGES[run.state]}>{run.stateText}</span>
        ) : (
          <span className="badge badge-warning" title={texts.team.approval.askedBy(askedBy)}>
            {texts.team.approval.waits}
          </span>
        )}
        <PeriodBadge period={run.period} />
        {run.undoneBy === null || isUndoneByEnd(run) ? null : (
          <span className="badge badge-warning">{describeUndone(run.undoneBy, words)}</span>
        )}
      </td>
      <td data-label={words.result}>
        <Results run={run} />
      </td>
      <td data-label={words.by}>
        {run.by ?? ""}
        <OtherApprover by={run.by} approvedBy={run.approvedBy} />
      </td>
    </tr>
  );
};

type Kind = RunSummaryView["kind"] | "all";

const KINDS: readonly Kind[] = ["all", "import", "sync", "undo", "retry"];

/** What a person may still do something about; it stands before the days. */
const OPEN: ReadonlySet<RunState> = new Set([
  "planning",
  "planned",
  "queued",
  "sending",
  "stopped",
]);

const isOpen = ({ state, period }: RunSummaryView): boolean =>
  OPEN.has(state) || period?.isHealthy === false;

const RunGroup = ({
  title,
  runs,
}: {
  readonly title: string;
  readonly runs: readonly RunSummaryView[];
}): ReactNode => {
  const requests = useRequests();
  if (runs.length === 0) return null;
  return (
    <tbody>
      <tr className="history-day">
        <th scope="rowgroup" colSpan={5}>
          {title}
        </th>
      </tr>
      {runs.map((run) => (
        <RunRow
          key={run.id}
          run={run}
          askedBy={requests.find((request) => request.run === run.id)?.person}
        />
      ))}
    </tbody>
  );
};

const RunTable = ({ runs }: { readonly runs: readonly RunSummaryView[] }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.history;
  const open = runs.filter(isOpen);
  const days = Map.groupBy(
    runs.filter((run) => !isOpen(run)),
    ({ createdAt }) => format.day(createdAt),
  );
  const today = format.day(new Date().toISOString());
  return (
    <table className="table history-table">
      <TableHead columns={[words.when, words.name, words.state, words.result, words.by]} />
      <RunGroup title={words.open} runs={open} />
      {[...days].map(([day, ofDay]) => (
        <RunGroup key={day} title={day === today ? words.today(day) : day} runs={ofDay} />
      ))}
    </table>
  );
};

const Runs = ({ filter }: { readonly filter: RunsFilter }): ReactNode => {
  const words = usePage().texts.history;
  const query = useRuns(filter);
  const isFiltered = Object.values(filter).some((part) => part !== undefined && part !== "");
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const runs = pages.flatMap((page) => page.runs);
        if (runs.length === 0) {
          return <p className="empty">{isFiltered ? words.noMatch : words.empty}</p>;
        }
        return (
          <>
            <RunTable runs={runs} />
            <More query={query} />
          </>
        );
      }}
    </Loaded>
  );
};

type Period = "any" | "today" | "week" | "month" | "days";

const PERIODS: readonly Period[] = ["any", "today", "week", "month", "days"];

const DAY_MS = 86_400_000;

/** The days before today that a period begins. */
const DAYS_BEFORE = { today: 0, week: 6, month: 29 } as const;

type Days = Pick<RunsFilter, "from" | "to">;

interface WhenProps {
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

/** The days whose runs are shown. */
const When = ({ days, onDays }: WhenProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.history;
  const [period, setPeriod] = useState<Period>("any");
  const choose = (value: string): void => {
    const next = PERIODS.find((each) => each === value) ?? "any";
    setPeriod(next);
    if (next === "any") onDays({});
    else if (next !== "days") {
      onDays({ from: format.isoDay(Date.now() - DAYS_BEFORE[next] * DAY_MS) });
    }
  };
  return (
    <>
      <SelectField
        label={words.period}
        isLabelHidden
        value={period}
        onChange={choose}
        choices={PERIODS.map((value) => ({ value, label: words.periods[value] }))}
      />
      {period === "days" ? (
        <>
          <TextField
            label={words.from}
            type="date"
            value={days.from ?? ""}
            onChange={(from) => onDays({ ...days, from })}
          />
          <TextField
            label={words.to}
            type="date"
            value={days.to ?? ""}
            onChange={(to) => onDays({ ...days, to })}
          />
        </>
      ) : null}
    </>
  );
};

export const History = (): ReactNode => {
  const words = usePage().texts.history;
  const [kind, setKind] = useState<Kind>("all");
  const [text, setText] = useState("");
  const [days, setDays] = useState<Days>({});
  const settled = useDebounced(text, 250);
  return (
    <section className="stack run-screen">
      <h1>{words.title}</h1>
      <div className="filters-line">
        <Chips
          label={words.kindFilter}
          chips={KINDS.map((key) => ({ key, label: words.kinds[key] }))}
          chosen={kind}
          onChoose={setKind}
        />
        <When days={days} onDays={setDays} />
        <SearchField label={words.search} value={text} onChange={setText} />
      </div>
      <Runs filter={{ kind: kind === "all" ? undefined : kind, text: settled, ...days }} />
    </section>
  );
};
