/** Signing in, and the page that the link of an invitation opens. */

import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";

import { usePage } from "../lib/page.tsx";
import {
  readLinkPart,
  RefusedError,
  unsaved,
  useExternal,
  writeWriteKey,
} from "../lib/requests.ts";
import {
  useAcceptInvitation,
  useInvitation,
  useSignIn,
  useSignInWays,
  useTakeSession,
} from "../lib/team.ts";
import { Button, TextField } from "../ui/controls.tsx";
import { Failure, Loading, Message } from "../ui/messages.tsx";
import { Notice } from "../ui/sections.tsx";

const TOO_MANY_TRIES = "E_TOO_MANY_TRIES";
/** After so long, the first of the tries that failed counts no more. */
const TRIES_MS = 15 * 60_000;

/** Why signing in failed; after too many tries when it is possible again, which no try puts off. */
const SignInFailure = ({ error }: { readonly error: Error | null }): ReactNode => {
  const { texts, format } = usePage();
  const isTries = error instanceof RefusedError && error.code === TOO_MANY_TRIES;
  const [until, setUntil] = useState<number | null>(null);
  if (!isTries) return <Failure error={error} />;
  if (until === null) setUntil(Date.now() + TRIES_MS);
  const time = until === null ? "" : format.clock(new Date(until).toISOString());
  return <Message tone="error">{texts.team.signIn.tries(time)}</Message>;
};

/** Leads to the identity provider, where the server has one. */
const OpenIdWay = (): ReactNode => {
  const words = usePage().texts.team.signIn;
  const name = useSignInWays().data?.openId ?? null;
  if (name === null) return null;
  return (
    <>
      <p className="or muted">{words.or}</p>
      <a className="button button-plain" href="/api/openid">
        {words.openId(name)}
      </a>
    </>
  );
};

export const SignInForm = (): ReactNode => {
  const words = usePage().texts.team.signIn;
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const take = useTakeSession();
  const signIn = useSignIn();
  const form = useRef<HTMLFormElement>(null);
  const tryAgain = (): void => {
    setPassword("");
    form.current?.querySelector<HTMLInputElement>("input[type=password]")?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate(
      { login, password },
      { onSuccess: (opened) => void take(opened), onError: tryAgain },
    );
  };
  return (
    <form ref={form} className="stack" onSubmit={submit}>
      <TextField
        label={words.login}
        value={login}
        autoComplete="username"
        isRequired
        onChange={setLogin}
      />
      <TextField
        label={words.password}
        value={password}
        type="password"
        autoComplete="current-password"
        isRequired
        onChange={setPassword}
      />
      <SignInFailure error={signIn.error} />
      <Button type="submit" kind="primary" isBusy={signIn.isPending}>
        {signIn.isPending ? words.submitting : words.submit}
      </Button>
      <OpenIdWay />
      <p className="muted small">{words.forgotten}</p>
    </form>
  );
};

/** What the identity provider's way back says of a person whom nobody has invited. */
const OPENID_REFUSED = "E_OPENID_REFUSED";

/** In place of the page for somebody who has not signed in. */
export const SignIn = (): ReactNode => {
  const words = usePage().texts.team.signIn;
  const [refusal] = useState(() => readLinkPart(location.hash, "e"));
  return (
    <section className="narrow card login">
      <h1>{words.title}</h1>
      {refusal === null ? null : (
        <Message tone="warning">
          {refusal === OPENID_REFUSED ? words.openIdRefused : words.openIdFailed}
        </Message>
      )}
      <SignInForm />
    </section>
  );
};

/** Above a screen with changes that are not saved, which stays as it is until somebody signs in. */
export const SignInAgain = (): ReactNode => {
  const words = usePage().texts.team.signIn;
  const changes = useExternal(unsaved.count);
  return (
    <Message tone="warning" title={words.wanted(changes)}>
      <div className="login">
        <SignInForm />
      </div>
    </Message>
  );
};

interface NewPasswordProps {
  /** For the password manager of the browser. */
  readonly login: string;
  readonly submit: string;
  readonly submitting: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: (password: string) => void;
  /** Fields before those of the new password. */
  readonly children?: ReactNode;
}

/** Asks for a new password twice, as nobody sees what is typed. */
export const NewPassword = (props: NewPasswordProps): ReactNode => {
  const words = usePage().texts.team.invitation;
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const id = useId();
  const isDifferent = again !== "" && again !== password;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (again === password) props.onSubmit(password);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <input
        id={id}
        className="unseen"
        type="text"
        autoComplete="username"
        value={props.login}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {props.children}
      <TextField
        label={words.password}
        hint={words.passwordHint}
        value={password}
        type="password"
        autoComplete="new-password"
        isRequired
        onChange={setPassword}
      />
      <TextField
        label={words.again}
        hint={isDifferent ? words.different : undefined}
        isWrong={isDifferent}
        value={again}
        type="password"
        autoComplete="new-password"
        isRequired
        onChange={setAgain}
      />
      <Failure error={props.error} />
      <Button type="submit" kind="primary" isBusy={props.isPending}>
        {props.isPending ? props.submitting : props.submit}
      </Button>
    </form>
  );
};

/** Begins anew without the secret in the address. */
const goToStart = (): void => location.replace("/");

const UsedInvitation = (): ReactNode => {
  const words = usePage().texts.team.invitation;
  return (
    <Notice title={words.used}>
      <p>{words.usedText}</p>
      <Button kind="primary" onPress={goToStart}>
        {words.toSignIn}
      </Button>
    </Notice>
  );
};

const NOT_FOUND = 404;
const isUsed = (error: Error | null): boolean =>
  error instanceof RefusedError && error.status === NOT_FOUND;

/** Where somebody who was invited, or has forgotten the password, chooses a new one. */
export const Invitation = ({ secret }: { readonly secret: string }): ReactNode => {
  const { texts } = usePage();
  const words = texts.team.invitation;
  const { data, error } = useInvitation(secret);
  const accept = useAcceptInvitation();
  const save = (password: string): void =>
    accept.mutate(
      { secret, password },
      {
        onSuccess: (opened) => {
          writeWriteKey(opened.writeKey);
          goToStart();
        },
      },
    );
  if (isUsed(error) || isUsed(accept.error)) return <UsedInvitation />;
  if (error !== null) {
    return (
      <Notice title={texts.app.failed}>
        <Failure error={error} />
        <Button onPress={() => location.reload()}>{texts.app.retry}</Button>
      </Notice>
    );
  }
  if (data === undefined) return <Loading text={texts.app.loading} />;
  return (
    <section className="narrow card login">
      <h1>{words.title(data.name)}</h1>
      <p>
        {words.intro} <strong>{data.login}</strong>
      </p>
      <NewPassword
        login={data.login}
        submit={words.submit}
        submitting={words.submitting}
        isPending={accept.isPending || accept.isSuccess}
        error={accept.error}
        onSubmit={save}
      />
    </section>
  );
};
