import { type ReactNode, useState } from "react";

import type { RunsFilter, RunState, RunSummaryView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useDebounced, useRuns } from "../lib/queries.ts";
import type { RunStep } from "../lib/route.ts";
import { describeUndone } from "../lib/runs.ts";
import { SearchField, Chips, Link } from "../ui/controls.tsx";
import { Loaded } from "../ui/messages.tsx";
import { TitledScreen, TableHead, More } from "../ui/sections.tsx";

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
  const { texts, format } = usePage();
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

const RunRow = ({ run }: { readonly run: RunSummaryView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.history;
  return (
    <tr>
      <th scope="row">
        <Link to={{ page: "run", id: run.id, step: STEPS[run.state] }}>{run.name}</Link>
        <span className="muted small"> {words.kinds[run.kind]}</span>
      </th>
      <td data-label={words.when}>
        <time dateTime={run.createdAt} title={format.date(run.createdAt)}>
          {format.time(run.createdAt, Date.now())}
        </time>
      </td>
      <td data-label={words.by}>{run.by ?? ""}</td>
      <td data-label={words.state}>
        <span className={STATE_BADGES[run.state]}>{run.stateText}</span>
        {run.undoneBy === null ? null : (
          <span className="badge">{describeUndone(run.undoneBy, words)}</span>
        )}
      </td>
      <td data-label={words.result}>
        <Results run={run} />
      </td>
    </tr>
  );
};

type Kind = RunSummaryView["kind"] | "all";

const KINDS: readonly Kind[] = ["all", "import", "sync", "undo", "retry"];

const RunTable = ({ runs }: { readonly runs: readonly RunSummaryView[] }): ReactNode => {
  const words = usePage().texts.history;
  return (
    <table className="table history-table">
      <TableHead columns={[words.name, words.when, words.by, words.state, words.result]} />
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </tbody>
    </table>
  );
};

const Runs = ({ filter }: { readonly filter: RunsFilter }): ReactNode => {
  const words = usePage().texts.history;
  const query = useRuns(filter);
  const isFiltered = filter.kind !== undefined || (filter.text ?? "") !== "";
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

export const History = (): ReactNode => {
  const words = usePage().texts.history;
  const [kind, setKind] = useState<Kind>("all");
  const [text, setText] = useState("");
  const settled = useDebounced(text, 250);
  return (
    <TitledScreen title={words.title} intro={words.intro}>
      <div className="filters-line">
        <Chips
          label={words.kindFilter}
          chips={KINDS.map((key) => ({ key, label: words.kinds[key] }))}
          chosen={kind}
          onChoose={setKind}
        />
        <SearchField label={words.search} value={text} onChange={setText} />
      </div>
      <Runs filter={{ kind: kind === "all" ? undefined : kind, text: settled }} />
    </TitledScreen>
  );
};
