/** The audit: who did what, when and from where, to be searched and taken along. */

import { type ReactNode, useEffect, useState } from "react";

import type { AuditPage, AuditView } from "../../src/api/index.ts";
import {
  type AuditFilter,
  type AuditKind,
  describeAction,
  describeValue,
  matchesAudit,
  NO_FILTER,
  toCsv,
} from "../lib/audit.ts";
import type { Format } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { requestJson, useAction } from "../lib/requests.ts";
import { useStoreName } from "../lib/route.ts";
import { auditPath, useAudit } from "../lib/team.ts";
import type { TeamTexts } from "../texts/team-tr.ts";
import { Button, SelectField, TextField } from "../ui/controls.tsx";
import { Failure, Loaded } from "../ui/messages.tsx";
import { More, TableHead, TitledScreen } from "../ui/sections.tsx";

type Words = TeamTexts["audit"];

const KINDS: readonly AuditKind[] = [
  "session",
  "person",
  "run",
  "draft",
  "store",
  "key",
  "refused",
];

const nameWho = ({ person, key }: AuditView, words: Words): string => {
  if (person === null) return words.server;
  return key === null ? person : words.byKey(person, key);
};

const describeChange = ({ before, after }: AuditView, words: Words): string => {
  const [old, next] = [before, after].map((value) => describeValue(value, words.values));
  if (old == null && next == null) return "";
  return old == null ? (next ?? "") : `${old} → ${next ?? words.empty}`;
};

const listCells = (entry: AuditView, words: Words, format: Format): readonly string[] => [
  format.date(entry.at),
  nameWho(entry, words),
  describeAction(entry.action, words),
  [entry.store, entry.subject].filter((part) => part !== null).join(" · "),
  entry.address ?? words.terminal,
  describeChange(entry, words),
];

interface FilterProps {
  readonly filter: AuditFilter;
  readonly people: readonly string[];
  readonly onChange: (filter: AuditFilter) => void;
}

const Filter = ({ filter, people, onChange }: FilterProps): ReactNode => {
  const words = usePage().texts.team.audit;
  const set = (part: Partial<AuditFilter>): void => onChange({ ...filter, ...part });
  return (
    <div className="form-line audit-filter">
      <TextField
        label={words.search}
        type="search"
        value={filter.text}
        onChange={(text) => set({ text })}
      />
      <SelectField
        label={words.person}
        value={filter.person}
        choices={[
          { value: "", label: words.anybody },
          ...people.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(person) => set({ person })}
      />
      <SelectField
        label={words.action}
        value={filter.kind}
        choices={[
          { value: "", label: words.anything },
          ...KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] })),
        ]}
        onChange={(text) => set({ kind: KINDS.find((kind) => kind === text) ?? "" })}
      />
      <TextField
        label={words.from}
        type="date"
        value={filter.from}
        onChange={(from) => set({ from })}
      />
      <TextField label={words.to} type="date" value={filter.to} onChange={(to) => set({ to })} />
    </div>
  );
};

const useColumns = (): readonly string[] => {
  const words = usePage().texts.team.audit;
  return [words.when, words.who, words.what, words.about, words.where, words.change];
};

const Entries = ({ entries }: { readonly entries: readonly AuditView[] }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.audit;
  const columns = useColumns();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls with the arrow keys
    <div className="card scroll audit" tabIndex={0} role="region" aria-label={words.title}>
      <table className="table">
        <TableHead columns={columns} />
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.seq}>
              {listCells(entry, words, format).map((cell, at) => (
                <td
                  key={columns[at]}
                  data-label={columns[at]}
                  title={at === 2 ? entry.action : undefined}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Gives the browser a file that the page has made. */
const offerFile = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};

interface DownloadProps {
  readonly isOfServer: boolean;
  readonly keep: (entry: AuditView) => boolean;
}

/** Reads all entries, however many pages they have, and offers those that the filter shows. */
const DownloadCsv = ({ isOfServer, keep }: DownloadProps): ReactNode => {
  const { texts, lang, format } = usePage();
  const words = texts.team.audit;
  const columns = useColumns();
  const store = useStoreName();
  const download = useAction(async () => {
    const rows: (readonly string[])[] = [columns];
    let before: number | null = 0;
    while (before !== null) {
      const path: string = auditPath(before);
      const page: AuditPage = await requestJson<AuditPage>(path, { lang, isOfServer });
      for (const entry of page.entries.filter(keep)) rows.push(listCells(entry, words, format));
      before = page.before;
    }
    const of = isOfServer || store === null ? "" : `-${store}`;
    offerFile(`audit${of}-${format.isoDay(Date.now())}.csv`, toCsv(rows));
  });
  return (
    <>
      <Button icon="download" isBusy={download.isRunning} onPress={() => download.run()}>
        {words.csv}
      </Button>
      <Failure error={download.error} />
    </>
  );
};

/** A filter that finds little reads on, but not through years. */
const WANTED_ENTRIES = 50;
const MAX_PAGES = 50;

const List = ({ isOfServer }: { readonly isOfServer: boolean }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.audit;
  const [filter, setFilter] = useState(NO_FILTER);
  const query = useAudit(isOfServer);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data } = query;
  const all = data?.pages.flatMap(({ entries }) => entries) ?? [];
  const keep = (entry: AuditView): boolean =>
    matchesAudit(entry, filter, { words, dayOf: (iso) => format.isoDay(Date.parse(iso)) });
  const shown = all.filter(keep);
  const pages = data?.pages.length ?? 0;
  const readsOn =
    hasNextPage && !isFetchingNextPage && shown.length < WANTED_ENTRIES && pages < MAX_PAGES;
  useEffect(() => {
    if (readsOn) void fetchNextPage();
  }, [readsOn, fetchNextPage]);
  const names = all.flatMap(({ person }) => person ?? []);
  const people = [...new Set(names)].toSorted((a, b) => a.localeCompare(b));
  return (
    <>
      <Filter filter={filter} people={people} onChange={setFilter} />
      {shown.length === 0 ? (
        <p className="empty" role="status">
          {filter === NO_FILTER ? words.noneYet : words.none}
        </p>
      ) : (
        <Entries entries={shown} />
      )}
      <div className="line">
        <More query={query} />
        <DownloadCsv isOfServer={isOfServer} keep={keep} />
      </div>
    </>
  );
};

const Loading = ({ isOfServer }: { readonly isOfServer: boolean }): ReactNode => (
  <Loaded query={useAudit(isOfServer)}>{() => <List isOfServer={isOfServer} />}</Loaded>
);

const STORE = "store";
const SERVER = "server";

export const Audit = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.audit;
  const store = useStoreName();
  const isAdministrator = account?.isAdministrator === true;
  const [scope, setScope] = useState(store === null ? SERVER : STORE);
  return (
    <TitledScreen
      title={words.title}
      intro={words.intro}
      action={
        isAdministrator && store !== null ? (
          <SelectField
            label={words.scope}
            isLabelHidden
            value={scope}
            choices={[
              { value: STORE, label: words.ofStore },
              { value: SERVER, label: words.ofAll },
            ]}
            onChange={setScope}
          />
        ) : null
      }
    >
      <Loading key={scope} isOfServer={scope === SERVER} />
    </TitledScreen>
  );
};
