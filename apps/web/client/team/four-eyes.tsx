/** Whether those who prepare a sending may approve it: the setting of the store, in plain words. */

import type { FourEyes } from "@catalog/team";
import { type FormEvent, type ReactNode, useId, useState } from "react";

import { usePage } from "../lib/page.tsx";
import { useFourEyes, useMay, useSetFourEyes } from "../lib/team.ts";
import { Button, TextField } from "../ui/controls.tsx";
import { Failure, Loaded, Message } from "../ui/messages.tsx";
import { Card } from "../ui/sections.tsx";

const MODES = ["never", "guarded", "always"] as const;
const MAX_ROWS = 10_000_000;

/** The number of rows of what was typed; `null` for nothing, `undefined` for what is none. */
export const parseRows = (text: string): number | null | undefined => {
  const digits = text.replaceAll(/[\s.,]/gu, "");
  if (digits === "") return null;
  const rows = /^\d{1,8}$/u.test(digits) ? Number(digits) : MAX_ROWS + 1;
  return rows <= MAX_ROWS ? rows : undefined;
};

const Shown = ({ value }: { readonly value: FourEyes }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.fourEyes;
  const { mode, moreThanRows } = value;
  return (
    <>
      <p>
        <span className="muted">{words.now}: </span>
        <strong>{words.modes[mode]}</strong>
        {mode === "guarded" && moreThanRows !== null
          ? `; ${words.moreNow(format.number(moreThanRows))}`
          : null}
      </p>
      <p className="muted">{words.hints[mode]}</p>
    </>
  );
};

const Choose = ({ value }: { readonly value: FourEyes }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.fourEyes;
  const name = useId();
  const [mode, setMode] = useState(value.mode);
  const [more, setMore] = useState(
    value.moreThanRows === null ? "" : format.number(value.moreThanRows),
  );
  const save = useSetFourEyes();
  const rows = parseRows(more);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (rows === undefined) return;
    save.mutate({ mode, moreThanRows: mode === "guarded" ? rows : null });
  };
  const choose = (next: FourEyes["mode"]): void => {
    save.reset();
    setMode(next);
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      <fieldset className="stack-tight">
        <legend className="unseen">{words.intro}</legend>
        {MODES.map((one) => (
          <label key={one} className="choice">
            <input type="radio" name={name} checked={mode === one} onChange={() => choose(one)} />
            <span>
              <strong>{words.modes[one]}</strong>
              <small className="muted">{words.hints[one]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {mode === "guarded" ? (
        <TextField
          label={words.more}
          hint={rows === undefined ? words.moreWrong : words.moreHint}
          isWrong={rows === undefined}
          value={more}
          onChange={(text) => {
            save.reset();
            setMore(text);
          }}
        />
      ) : null}
      <Failure error={save.error} />
      <div role="status">
        {save.isSuccess ? <Message tone="success">{words.saved}</Message> : null}
      </div>
      <Button type="submit" isBusy={save.isPending} isDisabled={rows === undefined}>
        {words.save}
      </Button>
    </form>
  );
};

export const FourEyesSetting = (): ReactNode => {
  const words = usePage().texts.team.fourEyes;
  const mayChange = useMay("administrator");
  return (
    <Card title={words.title} intro={words.intro}>
      <Loaded query={useFourEyes()}>
        {(value) => (mayChange ? <Choose value={value} /> : <Shown value={value} />)}
      </Loaded>
    </Card>
  );
};
