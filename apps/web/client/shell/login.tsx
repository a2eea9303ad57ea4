import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { Me } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { requestJson } from "../lib/requests.ts";
import { useAction } from "../lib/use-action.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Failure } from "../ui/message.tsx";

const EMPTY = { baseUrl: "", storeId: "", clientKey: "", clientSecret: "" };

const useLogin = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useAction(async (path: string, body: object) => {
    const me = await requestJson<Me>(path, { lang, method: "POST", body });
    client.setQueryData(["me"], me);
  });
};

/** Asks for the store, or starts a local one. */
export const Login = (): ReactNode => {
  const { texts } = usePage();
  const words = texts.login;
  const [values, setValues] = useState(EMPTY);
  const login = useLogin();
  const sandbox = useLogin();
  const set = (name: keyof typeof EMPTY) => (value: string) =>
    setValues({ ...values, [name]: value });
  return (
    <section className="narrow card">
      <h1>{words.title}</h1>
      <p className="muted">{words.intro}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          login.run("/api/login", values);
        }}
      >
        <TextField
          label={words.baseUrl}
          hint={words.baseUrlHint}
          type="url"
          isRequired
          value={values.baseUrl}
          onChange={set("baseUrl")}
        />
        <TextField
          label={words.storeId}
          isRequired
          value={values.storeId}
          onChange={set("storeId")}
        />
        <TextField
          label={words.clientKey}
          isRequired
          value={values.clientKey}
          onChange={set("clientKey")}
        />
        <TextField
          label={words.clientSecret}
          type="password"
          isRequired
          value={values.clientSecret}
          onChange={set("clientSecret")}
        />
        <Failure error={login.error} />
        <Button type="submit" kind="primary" isBusy={login.isRunning}>
          {login.isRunning ? words.submitting : words.submit}
        </Button>
      </form>
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
