/** Who is told when a sync does not work: the channels, how they fare, and a form for another one. */

import { type FormEvent, type ReactNode, useState } from "react";

import type { AlertBody, AlertChannelView, AlertKind } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useAlertChange, useAlerts } from "../lib/queries.ts";
import { Button, SelectField, TextField } from "../ui/controls.tsx";
import { Failure, Loaded, Message } from "../ui/messages.tsx";
import { Card, List } from "../ui/sections.tsx";

const EMPTY: AlertBody = {
  kind: "telegram",
  name: "",
  secret: "",
  chat: "",
  smtp: "",
  user: "",
  to: "",
  quiet: "",
};

const KINDS: readonly AlertKind[] = ["telegram", "email", "slack", "webhook"];

/** What a kind of channel needs besides its secret. */
const FIELDS: Readonly<Record<AlertKind, readonly ("chat" | "smtp" | "user" | "to")[]>> = {
  telegram: ["chat"],
  email: ["smtp", "user", "to"],
  slack: [],
  webhook: [],
};

/** Whether all that the channel cannot do without was typed. */
export const isWholeAlert = (body: AlertBody): boolean => {
  const needed = FIELDS[body.kind].filter((field) => field !== "user");
  const hasSecret = body.secret.trim() !== "" || (body.kind === "email" && body.user.trim() === "");
  return hasSecret && needed.every((field) => body[field].trim() !== "");
};

const HINTED = { chat: "chatHint", smtp: "smtpHint" } as const;

const AddChannel = ({ onAdded }: { readonly onAdded: () => void }): ReactNode => {
  const words = usePage().texts.work.alerts;
  const [typed, setTyped] = useState(EMPTY);
  const change = useAlertChange();
  const set = (part: Partial<AlertBody>): void => {
    change.reset();
    setTyped((earlier) => ({ ...earlier, ...part }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWholeAlert(typed)) change.mutate({ path: "", body: typed }, { onSuccess: onAdded });
  };
  const { kind } = typed;
  return (
    <form className="stack-tight" onSubmit={submit}>
      <div className="form-grid">
        <SelectField
          label={words.kind}
          value={kind}
          choices={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          onChange={(text) => set({ kind: KINDS.find((one) => one === text) ?? kind })}
        />
        {FIELDS[kind].map((field) => (
          <TextField
            key={field}
            label={words[field]}
            hint={field === "chat" || field === "smtp" ? words[HINTED[field]] : undefined}
            value={typed[field]}
            onChange={(text) => set({ [field]: text })}
          />
        ))}
        <TextField
          label={words.secrets[kind]}
          hint={words.secretHints[kind]}
          type="password"
          autoComplete="new-password"
          value={typed.secret}
          onChange={(secret) => set({ secret })}
        />
        <TextField
          label={words.quiet}
          hint={words.quietHint}
          value={typed.quiet}
          onChange={(quiet) => set({ quiet })}
        />
      </div>
      <Failure error={change.error} />
      <Button type="submit" isDisabled={!isWholeAlert(typed)} isBusy={change.isPending}>
        {change.isPending ? words.adding : words.add}
      </Button>
    </form>
  );
};

const BADGES = {
  working: "badge badge-success",
  untried: "badge",
  failing: "badge badge-error",
  stuck: "badge badge-error",
} as const;

const Channel = ({ channel }: { readonly channel: AlertChannelView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.alerts;
  const change = useAlertChange();
  const { name, kind, place, quiet, health, arrivedAt, failedAt, failure } = channel;
  const act = (path: "/test" | "/remove"): void => change.mutate({ path, body: { name } });
  return (
    <li className="check">
      <span className={BADGES[health]}>{words.health[health]}</span>
      <div>
        <p>
          <strong>{words.kinds[kind]}</strong> {place}
        </p>
        {failure === null || failedAt === null ? null : (
          <p>{words.failed(format.date(failedAt), failure)}</p>
        )}
        {arrivedAt === null ? null : (
          <p className="muted">{words.arrived(format.date(arrivedAt))}</p>
        )}
        {quiet === null ? null : <p className="muted">{words.quietHours(quiet)}</p>}
        <Failure error={change.error} />
        <div className="line">
          <Button
            kind="quiet"
            label={words.testName(name)}
            isBusy={change.isPending}
            onPress={() => act("/test")}
          >
            {words.test}
          </Button>
          <Button kind="quiet" label={words.removeName(name)} onPress={() => act("/remove")}>
            {words.remove}
          </Button>
        </div>
      </div>
    </li>
  );
};

/** The channels of the store. */
export const AlertChannels = (): ReactNode => {
  const words = usePage().texts.work.alerts;
  const [isOpen, setIsOpen] = useState(false);
  const [isAdded, setIsAdded] = useState(false);
  const close = (): void => {
    setIsOpen(false);
    setIsAdded(true);
  };
  return (
    <Card title={words.title} intro={words.intro}>
      <Loaded query={useAlerts()}>
        {(channels) => (
          <List
            className="lined"
            none={words.none}
            items={channels.map((channel) => (
              <Channel key={channel.name} channel={channel} />
            ))}
          />
        )}
      </Loaded>
      <div role="status">
        {isAdded && !isOpen ? <Message tone="success">{words.added}</Message> : null}
      </div>
      {isOpen ? (
        <AddChannel onAdded={close} />
      ) : (
        <Button onPress={() => setIsOpen(true)}>{words.open}</Button>
      )}
    </Card>
  );
};
