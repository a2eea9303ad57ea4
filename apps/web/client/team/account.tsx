/** A person's own account: the roles, the password, and where the person is signed in. */

import { type FormEvent, type ReactNode, useState } from "react";

import type { SessionView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import {
  useChangeName,
  useChangePassword,
  useEndSession,
  useSessions,
  useTakeSession,
} from "../lib/team.ts";
import { Button, TextField } from "../ui/controls.tsx";
import { Failure, Loaded, Message } from "../ui/messages.tsx";
import { Card, List, TitledScreen } from "../ui/sections.tsx";
import { NewPassword } from "./sign-in.tsx";

const MAX_NAME = 100;

/** What is done from now on carries the new name; who has done what before stays known. */
const ChangeName = ({ name }: { readonly name: string }): ReactNode => {
  const words = usePage().texts.team.account;
  const [typed, setTyped] = useState(name);
  const change = useChangeName();
  const next = typed.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ name: next });
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      <div role="status">
        {change.isSuccess ? <Message tone="success">{words.renamed}</Message> : null}
      </div>
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={typed}
        autoComplete="name"
        isRequired
        onChange={setTyped}
      />
      <Failure error={change.error} />
      <div>
        <Button
          type="submit"
          isBusy={change.isPending}
          isDisabled={next === "" || next.length > MAX_NAME || next === name}
        >
          {words.rename}
        </Button>
      </div>
    </form>
  );
};

const Person = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.account;
  if (account === null) return null;
  const { person, stores, isAdministrator } = account;
  const roles = stores.map(({ name, role }) => ({ label: name, value: texts.team.roles[role] }));
  const facts = [
    { label: words.login, value: person.login },
    ...(isAdministrator
      ? [{ label: words.allStores, value: texts.team.roles.administrator }]
      : roles),
  ];
  return (
    <Card title={person.name}>
      <dl className="setting-list">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ChangeName name={person.name} />
      {stores.length === 0 && !isAdministrator ? <p className="muted">{words.noRole}</p> : null}
    </Card>
  );
};

const ChangePassword = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.account;
  const [current, setCurrent] = useState("");
  /** Counts the changes, so that what was typed goes with each. */
  const [changes, setChanges] = useState(0);
  const change = useChangePassword();
  const take = useTakeSession();
  const save = (next: string): void =>
    change.mutate(
      { current, next },
      {
        onSuccess: (opened) => {
          void take(opened);
          setCurrent("");
          setChanges(changes + 1);
        },
      },
    );
  return (
    <Card title={words.password} intro={words.passwordIntro}>
      <div role="status">
        {change.isSuccess ? <Message tone="success">{words.changed}</Message> : null}
      </div>
      <NewPassword
        key={changes}
        login={account?.person.login ?? ""}
        submit={words.change}
        submitting={words.changing}
        isPending={change.isPending}
        error={change.error}
        onSubmit={save}
      >
        <TextField
          label={words.current}
          value={current}
          type="password"
          autoComplete="current-password"
          isRequired
          onChange={setCurrent}
        />
      </NewPassword>
    </Card>
  );
};

/** Each with what its sign looks like in what browsers call themselves; the first that fits. */
const BROWSERS = [
  ["Edge", /\bEdgA?\//u],
  ["Opera", /\bOPR\//u],
  ["Samsung Internet", /\bSamsungBrowser\//u],
  ["Firefox", /\b(?:Firefox|FxiOS)\//u],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//u],
  ["Safari", /\bSafari\//u],
] as const;
const SYSTEMS = [
  ["Android", /\bAndroid\b/u],
  ["iPhone", /\biPhone\b/u],
  ["iPad", /\biPad\b/u],
  ["Windows", /\bWindows\b/u],
  ["macOS", /\bMac OS X\b/u],
  ["Linux", /\bLinux\b/u],
] as const;

/** The browser and the system of what a browser calls itself; `null` for what is not recognised. */
export const readBrowser = (
  text: string,
): { readonly browser: string | null; readonly system: string | null } => {
  const find = (names: readonly (readonly [string, RegExp])[]): string | null =>
    names.find(([, sign]) => sign.test(text))?.[0] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
};

const useBrowserName = (): ((text: string) => string) => {
  const words = usePage().texts.team.account;
  return (text) => {
    const { browser, system } = readBrowser(text);
    if (browser === null) return words.unknownBrowser;
    return system === null ? browser : words.browserOn(browser, system);
  };
};

const Session = ({
  session,
  person,
}: {
  readonly session: SessionView;
  readonly person: number | null;
}): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.account;
  const name = useBrowserName()(session.browser);
  const end = useEndSession(person);
  return (
    <li className="session">
      <div>
        <p>
          <strong title={session.browser}>{name}</strong>{" "}
          <span className="number">{session.address}</span>{" "}
          {session.isCurrent ? <span className="badge badge-success">{words.here}</span> : null}
        </p>
        <p className="muted small">
          {words.seen(format.ago(session.seenAt, Date.now()), format.date(session.createdAt))}
        </p>
        <Failure error={end.error} />
      </div>
      {session.isCurrent ? null : (
        <Button
          label={words.endSession(`${name}, ${session.address}`)}
          isBusy={end.isPending}
          onPress={() => end.mutate(session.id)}
        >
          {words.end}
        </Button>
      )}
    </li>
  );
};

/** Where a person is signed in, to be ended; of oneself also all others at once. */
export const Sessions = ({ person }: { readonly person: number | null }): ReactNode => {
  const { texts } = usePage();
  const words = texts.team.account;
  const end = useEndSession(person);
  return (
    <Loaded query={useSessions(person)}>
      {(sessions) => {
        const others = sessions.filter(({ isCurrent }) => !isCurrent);
        const endOthers = (): void => {
          for (const { id } of others) end.mutate(id);
        };
        return (
          <>
            <List
              className="lined"
              none={texts.team.people.noSessions}
              items={sessions.map((session) => (
                <Session key={session.id} session={session} person={person} />
              ))}
            />
            <Failure error={end.error} />
            {others.length < 2 ? null : (
              <Button isBusy={end.isPending} onPress={endOthers}>
                {words.endOthers(others.length)}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
};

export const Account = (): ReactNode => {
  const words = usePage().texts.team.account;
  return (
    <TitledScreen title={words.title}>
      <div className="card-columns">
        <Person />
        <Card title={words.sessions} intro={words.sessionsIntro}>
          <Sessions person={null} />
        </Card>
        <ChangePassword />
      </div>
    </TitledScreen>
  );
};
