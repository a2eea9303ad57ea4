/** The login of a feed's address. It is sent to be stored, and never comes back. */

import type { ReactNode } from "react";

import type { FeedLoginBody } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { SelectField, TextField } from "../ui/controls.tsx";

/** A login as it is typed; without a kind there is none, and a stored one is used. */
export interface TypedLogin extends Omit<FeedLoginBody, "kind"> {
  readonly kind: FeedLoginBody["kind"] | "";
}

export const NO_LOGIN: TypedLogin = { kind: "", name: "", secret: "", hostKey: "" };

/** What is sent; `null` where nothing was typed. */
export const toLoginBody = ({ kind, name, secret, hostKey }: TypedLogin): FeedLoginBody | null =>
  kind === "" || secret === ""
    ? null
    : { kind, name: kind === "bearer" ? "" : name.trim(), secret, hostKey: hostKey.trim() };

/** Whether the source is on a server, and so may ask for a login. */
export const isOnServer = (feed: string): boolean => /^(?:https?|sftp|ftps):\/\//iu.test(feed);

const KINDS = ["", "basic", "bearer", "header"] as const;

interface LoginFieldsProps {
  readonly feed: string;
  readonly login: TypedLogin;
  readonly onChange: (login: TypedLogin) => void;
  /** Whether the server has asked for a login. */
  readonly isAsked: boolean;
}

/** Folded until a server asks. */
export const LoginFields = ({ feed, login, onChange, isAsked }: LoginFieldsProps): ReactNode => {
  const words = usePage().texts.work.feeds.login;
  if (!isOnServer(feed)) return null;
  const set = (change: Partial<TypedLogin>): void => onChange({ ...login, ...change });
  const { kind } = login;
  return (
    <details open={isAsked || kind !== ""}>
      <summary>{words.title}</summary>
      <div className="form-grid">
        <SelectField
          label={words.kind}
          value={kind}
          choices={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          onChange={(text) => set({ kind: KINDS.find((one) => one === text) ?? "" })}
        />
        {kind === "" || kind === "bearer" ? null : (
          <TextField
            label={words.names[kind]}
            value={login.name}
            onChange={(name) => set({ name })}
          />
        )}
        {kind === "" ? null : (
          <TextField
            label={words.secrets[kind]}
            hint={words.secretHint}
            type="password"
            autoComplete="new-password"
            value={login.secret}
            onChange={(secret) => set({ secret })}
          />
        )}
        {kind !== "" && /^sftp:/iu.test(feed) ? (
          <TextField
            label={words.hostKey}
            hint={words.hostKeyHint}
            value={login.hostKey}
            onChange={(hostKey) => set({ hostKey })}
          />
        ) : null}
      </div>
    </details>
  );
};
