/** Entering a store, and the language of the page. */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { Me } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { requestJson, useAction } from "../lib/requests.ts";
import { Button, TextField } from "../ui/controls.tsx";
import { Failure } from "../ui/messages.tsx";

const EMPTY = { baseUrl: "", storeId: "", clientKey: "", clientSecret: "" };

const useLogin = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useAction(async (path: string, body: object) => {
    const me = await requestJson<Me>(path, { lang, method: "POST", body });
    // Whatever was read belongs to another store.
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== "me" });
    client.setQueryData(["me"], me);
  });
};

export const LoginForm = (): ReactNode => {
  const words = usePage().texts.login;
  const [values, setValues] = useState(EMPTY);
  const login = useLogin();
  const fieldOf = (name: keyof typeof EMPTY) => ({
    label: words[name],
    value: values[name],
    isRequired: true,
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        login.run("/api/login", values);
      }}
    >
      <TextField {...fieldOf("baseUrl")} hint={words.baseUrlHint} type="url" />
      <TextField {...fieldOf("storeId")} />
      <TextField {...fieldOf("clientKey")} />
      <TextField {...fieldOf("clientSecret")} type="password" />
      <Failure error={login.error} />
      <Button type="submit" kind="primary" isBusy={login.isRunning}>
        {login.isRunning ? words.submitting : words.submit}
      </Button>
    </form>
  );
};

export const Login = (): ReactNode => {
  const words = usePage().texts.login;
  const sandbox = useLogin();
  return (
    <section className="narrow card login">
      <h1>{words.title}</h1>
      <p className="muted">{words.intro}</p>
      <LoginForm />
      <hr />
      <h2>{words.or}</h2>
      <p className="muted">{words.sandboxHint}</p>
      <Failure error={sandbox.error} />
      <Button isBusy={sandbox.isRunning} onPress={() => sandbox.run("/api/sandbox", {})}>
        {sandbox.isRunning ? words.starting : words.sandbox}
      </Button>
    </section>
  );
};

const LANGUAGES = [
  { lang: "tr", label: "Türkçe", short: "TR" },
  { lang: "en", label: "English", short: "EN" },
] as const;

/** The languages of the page; the short names are for the bar at the top. */
export const LanguageSwitch = ({ isShort }: { readonly isShort: boolean }): ReactNode => {
  const { lang, texts, setLang } = usePage();
  return (
    <div className="languages" role="group" aria-label={texts.app.language}>
      {LANGUAGES.map(({ lang: choice, label, short }) => (
        <button
          key={choice}
          type="button"
          lang={choice}
          aria-pressed={choice === lang}
          aria-label={isShort ? `${short} ${label}` : undefined}
          onClick={() => setLang(choice)}
        >
          {isShort ? short : label}
        </button>
      ))}
    </div>
  );
};
