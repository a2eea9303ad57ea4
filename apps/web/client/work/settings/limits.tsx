import { type FormEvent, type ReactNode, useState } from "react";

import type { GuardLimitView, SettingsView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useSaveLimits } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { CALLS, isSound, toLimitsBody, toTyped, type TypedLimits } from "./typed-limits.ts";

interface LimitFieldProps {
  readonly label: string;
  readonly hint: string;
  /** The value of the settings file, which is shown and not asked. */
  readonly fixed: string | undefined;
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

const LimitField = ({ label, hint, fixed, text, error, onChange }: LimitFieldProps): ReactNode =>
  fixed === undefined ? (
    <TextField
      label={label}
      hint={error ?? hint}
      value={text}
      onChange={onChange}
      isWrong={error !== undefined}
    />
  ) : (
    <p>
      <span className="muted">{label}: </span>
      <strong className="number">{fixed}</strong>
      <small className="hint">{hint}</small>
    </p>
  );

const CALLS_RANGE = { min: 1, max: null };

const useLimits = (settings: SettingsView) => {
  const [typed, setTyped] = useState(() => toTyped(settings));
  const save = useSaveLimits();
  const change = (name: string, text: string): void => {
    save.reset();
    setTyped((earlier) => ({ ...earlier, [name]: text }));
  };
  const isWrong =
    settings.guards.some((guard) => !isSound(guard, typed[guard.name] ?? "")) ||
    !isSound(CALLS_RANGE, typed[CALLS] ?? "");
  return { typed, change, save, isWrong };
};

interface GuardFieldProps {
  readonly guard: GuardLimitView;
  readonly typed: TypedLimits;
  readonly onChange: (name: string, text: string) => void;
}

const GuardField = ({ guard, typed, onChange }: GuardFieldProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.settings;
  const { name, label, source, value, min, max } = guard;
  const text = typed[name] ?? "";
  const range = max === null ? words.atLeast(min) : words.between(min, max);
  return (
    <LimitField
      label={label}
      hint={source === "file" ? words.fromFile : words.usually(format.number(guard.default))}
      fixed={source === "file" ? format.number(value) : undefined}
      text={text}
      error={isSound(guard, text) ? undefined : range}
      onChange={(next) => onChange(name, next)}
    />
  );
};

const CallsField = ({
  settings: { callsPerHour },
  typed,
  onChange,
}: Omit<GuardFieldProps, "guard"> & { readonly settings: SettingsView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.settings;
  const { value, source } = callsPerHour;
  const text = typed[CALLS] ?? "";
  const number = value === null ? "" : format.number(value);
  const learned = source === "learned" ? words.learnedCalls(number) : words.noLimit;
  return (
    <LimitField
      label={words.callsPerHour}
      hint={source === "file" ? words.fromFile : learned}
      fixed={source === "file" ? number : undefined}
      text={text}
      error={isSound(CALLS_RANGE, text) ? undefined : words.atLeast(1)}
      onChange={(next) => onChange(CALLS, next)}
    />
  );
};

/** The limits of guards and of calls, which the commands of this computer follow too. */
export const Limits = ({ settings }: { readonly settings: SettingsView }): ReactNode => {
  const words = usePage().texts.work.settings;
  const { typed, change, save, isWrong } = useLimits(settings);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWrong) save.mutate(toLimitsBody(typed, settings));
  };
  return (
    <form className="card stack-tight" onSubmit={submit}>
      <h2>{words.guards}</h2>
      <p className="muted">{words.guardsIntro}</p>
      {settings.guards.map((guard) => (
        <GuardField key={guard.name} guard={guard} typed={typed} onChange={change} />
      ))}
      <CallsField settings={settings} typed={typed} onChange={change} />
      <p className="muted">{words.limitsNote}</p>
      <Failure error={save.error} />
      <div role="status">
        {save.isSuccess ? <Message tone="success">{words.saved}</Message> : null}
      </div>
      <Button type="submit" isBusy={save.isPending} isDisabled={isWrong}>
        {words.save}
      </Button>
    </form>
  );
};
