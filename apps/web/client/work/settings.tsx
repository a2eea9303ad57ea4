/** The store, its limits, and whether everything works. */

import { type FormEvent, type ReactNode, useState } from "react";

import type {
  CheckView,
  GuardLimitView,
  LimitsBody,
  PriceUnitView,
  SettingsView,
} from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useCheck, useSaveLimits, useSavePriceUnit, useSettings } from "../lib/queries.ts";
import { useMay } from "../lib/team.ts";
import { LanguageSwitch, LoginForm } from "../shell/login.tsx";
import { CloseProgram } from "../shell/program.tsx";
import { FourEyesSetting } from "../team/four-eyes.tsx";
import { Keys } from "../team/keys.tsx";
import { OnlyFor, WhoMay } from "../team/may.tsx";
import { RenewStore } from "../team/stores.tsx";
import { Button, SelectField, TextField } from "../ui/controls.tsx";
import { Failure, Loaded, Message } from "../ui/messages.tsx";
import { TitledScreen, Card } from "../ui/sections.tsx";
import { AlertChannels } from "./alerts.tsx";

/** Typed texts by the name of their limit; `callsPerHour` is one of them. */
type TypedLimits = Readonly<Record<string, string>>;

const CALLS = "callsPerHour";

/** What the fields show at first: saved values, nothing where the default holds. */
export function toTyped({ guards, callsPerHour }: SettingsView): TypedLimits {
  const typed = guards.map(({ name, source, value }) => [
    name,
    source === "saved" ? String(value) : "",
  ]);
  const calls = callsPerHour.source === "saved" ? String(callsPerHour.value ?? "") : "";
  return { ...Object.fromEntries(typed), [CALLS]: calls };
}

/** A whole or decimal number, with a comma or a point; `undefined` for anything else. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(",", ".");
  return /^\d{1,9}(?:\.\d{1,3})?$/u.test(trimmed) ? Number(trimmed) : undefined;
}

/** Whether the limit can be saved: empty, or a number in its range. */
export function isSound({ min, max }: Pick<GuardLimitView, "min" | "max">, text: string): boolean {
  if (text.trim() === "") return true;
  const value = readNumber(text);
  return value !== undefined && value >= min && (max === null || value <= max);
}

/** The body that saves what was typed. A field that is empty gets its default again. */
export function toLimitsBody(typed: TypedLimits, settings: SettingsView): LimitsBody {
  const guards = settings.guards.flatMap(({ name }) => {
    const value = readNumber(typed[name] ?? "");
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    guards: Object.fromEntries(guards),
    callsPerHour: readNumber(typed[CALLS] ?? "") ?? null,
  };
}

const UNITS = ["minor", "major"] as const;

/** The unit of the store's prices: what a person said can be changed, what is proven is only shown. */
const PriceUnit = ({ setting }: { readonly setting: PriceUnitView }): ReactNode => {
  const words = usePage().texts.work.settings;
  const save = useSavePriceUnit();
  const mayChange = useMay("administrator");
  const { unit, source } = setting;
  if (!mayChange || (unit !== null && source !== "person")) {
    return (
      <p>
        <span className="muted">{words.priceUnit}: </span>
        <strong>{unit === null ? words.unitUnknown : words.units[unit]}</strong>{" "}
        <small className="hint">{words.unitSources[source]}</small>
      </p>
    );
  }
  return (
    <>
      <SelectField
        label={words.priceUnit}
        hint={words.unitSources[source]}
        value={unit ?? ""}
        choices={[
          { value: "", label: words.unitUnknown },
          ...UNITS.map((value) => ({ value, label: words.units[value] })),
        ]}
        onChange={(text) => save.mutate({ unit: UNITS.find((one) => one === text) ?? null })}
      />
      <Failure error={save.error} />
    </>
  );
};

interface LimitFieldProps {
  readonly label: string;
  /** What holds where nothing is typed. */
  readonly placeholder?: string | undefined;
  readonly hint?: string | undefined;
  /** The value of the settings file, which is shown and not asked. */
  readonly fixed: string | undefined;
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

const LimitField = ({
  label,
  placeholder,
  hint,
  fixed,
  text,
  error,
  onChange,
}: LimitFieldProps): ReactNode =>
  fixed === undefined ? (
    <TextField
      label={label}
      placeholder={placeholder}
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

interface LimitFieldsProps {
  /** Whether the limit is shown and not asked. */
  readonly isFixed: boolean;
  readonly typed: TypedLimits;
  readonly onChange: (name: string, text: string) => void;
}

interface GuardFieldProps extends LimitFieldsProps {
  readonly guard: GuardLimitView;
}

const GuardField = ({ guard, isFixed, typed, onChange }: GuardFieldProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.settings;
  const { name, label, source, value, min, max } = guard;
  const text = typed[name] ?? "";
  const range = max === null ? words.atLeast(min) : words.between(min, max);
  return (
    <LimitField
      label={label}
      placeholder={format.number(guard.default)}
      hint={source === "file" ? words.fromFile : undefined}
      fixed={isFixed || source === "file" ? format.number(value) : undefined}
      text={text}
      error={isSound(guard, text) ? undefined : range}
      onChange={(next) => onChange(name, next)}
    />
  );
};

const CallsField = ({
  settings: { callsPerHour },
  isFixed,
  typed,
  onChange,
}: LimitFieldsProps & { readonly settings: SettingsView }): ReactNode => {
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
      fixed={source === "file" || (isFixed && value !== null) ? number : undefined}
      text={text}
      error={isSound(CALLS_RANGE, text) ? undefined : words.atLeast(1)}
      onChange={(next) => onChange(CALLS, next)}
    />
  );
};

/** The limits of guards and of calls, which the commands of this computer follow too. */
const Limits = ({ settings }: { readonly settings: SettingsView }): ReactNode => {
  const words = usePage().texts.work.settings;
  const isFixed = !useMay("administrator");
  const [typed, setTyped] = useState(() => toTyped(settings));
  const save = useSaveLimits();
  const change = (name: string, text: string): void => {
    save.reset();
    setTyped((earlier) => ({ ...earlier, [name]: text }));
  };
  const isWrong =
    settings.guards.some((guard) => !isSound(guard, typed[guard.name] ?? "")) ||
    !isSound(CALLS_RANGE, typed[CALLS] ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWrong) save.mutate(toLimitsBody(typed, settings));
  };
  return (
    <form className="card stack-tight" onSubmit={submit}>
      <h2>{words.guards}</h2>
      <p className="muted">{words.guardsIntro}</p>
      <div className="limits">
        {settings.guards.map((guard) => (
          <GuardField
            key={guard.name}
            guard={guard}
            isFixed={isFixed}
            typed={typed}
            onChange={change}
          />
        ))}
        {isFixed && settings.callsPerHour.value === null ? null : (
          <CallsField settings={settings} isFixed={isFixed} typed={typed} onChange={change} />
        )}
      </div>
      <Failure error={save.error} />
      <div role="status">
        {save.isSuccess ? <Message tone="success">{words.saved}</Message> : null}
      </div>
      {isFixed ? (
        <WhoMay role="administrator" />
      ) : (
        <Button type="submit" isBusy={save.isPending} isDisabled={isWrong}>
          {words.save}
        </Button>
      )}
    </form>
  );
};

const BADGES = {
  ok: "badge badge-success",
  warn: "badge badge-warning",
  fail: "badge badge-error",
  skip: "badge",
} as const;

const CheckList = ({ checks }: { readonly checks: readonly CheckView[] }): ReactNode => {
  const words = usePage().texts.work.settings;
  const names: Readonly<Record<string, string>> = words.checkNames;
  const wrong = checks.filter(({ state }) => state === "warn" || state === "fail").length;
  if (checks.length === 0) return <Message tone="warning">{words.nothing}</Message>;
  return (
    <>
      <p className={wrong === 0 ? "good" : undefined}>
        {wrong === 0 ? words.allFine : words.someWrong(wrong)}
      </p>
      <ul className="lined">
        {checks.map((check) => (
          <li key={check.name} className="check">
            <span className={BADGES[check.state]}>{words.states[check.state]}</span>
            <div>
              <p>
                {names[check.name] === undefined ? null : <strong>{names[check.name]}: </strong>}
                {check.message}
              </p>
              {check.fix === null ? null : <p className="muted">{check.fix}</p>}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Tries the installation, and lists what was tried. */
const Checks = (): ReactNode => {
  const words = usePage().texts.work.settings;
  const check = useCheck();
  return (
    <Card title={words.check} intro={words.checkIntro}>
      <Failure error={check.error} />
      <Button isBusy={check.isPending} onPress={() => check.mutate()}>
        {check.isPending ? words.checking : words.checkGo}
      </Button>
      <div role="status" className="stack-tight">
        {check.data === undefined ? null : <CheckList checks={check.data} />}
      </div>
    </Card>
  );
};

const Store = ({ settings }: { readonly settings: SettingsView }): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.work.settings;
  const isTeam = account !== null;
  const facts = [
    ...(settings.name === null ? [] : [{ label: words.storeName, value: settings.name }]),
    { label: words.storeId, value: settings.storeId },
    { label: words.address, value: settings.baseUrl },
    // Where the server keeps it is for those at its terminal.
    ...(isTeam ? [] : [{ label: words.home, value: settings.home }]),
  ];
  return (
    <Card title={words.store}>
      <dl className="setting-list">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      <PriceUnit setting={settings.priceUnit} />
    </Card>
  );
};

const Language = (): ReactNode => {
  const words = usePage().texts.work.settings;
  return (
    <Card title={words.language} intro={words.languageHint}>
      <div className="line">
        <LanguageSwitch isShort={false} />
      </div>
    </Card>
  );
};

const OtherStore = (): ReactNode => {
  const { texts, me } = usePage();
  const words = texts.work.settings;
  const [isOpen, setIsOpen] = useState(false);
  if (me.store?.isSandbox !== true) {
    return (
      <Card
        title={words.otherStore}
        intro={me.store?.isLocal === true ? words.otherStoreLocal : words.otherStoreLive}
      >
        <p>{words.otherStoreHow}</p>
        <details>
          <summary>{words.otherStoreTerminal}</summary>
          <p className="muted">{words.otherStoreCommand}</p>
          <code className="command">catalog login</code>
        </details>
      </Card>
    );
  }
  return (
    <Card title={words.otherStore} intro={words.otherStoreIntro}>
      {isOpen ? (
        <div className="login-form">
          <LoginForm />
        </div>
      ) : (
        <Button onPress={() => setIsOpen(true)}>{words.open}</Button>
      )}
    </Card>
  );
};

export const Settings = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.work.settings;
  const isTeam = account !== null;
  return (
    <TitledScreen title={words.title}>
      <div className="card-columns">
        <Loaded query={useSettings()}>
          {(settings) => (
            <>
              <Store settings={settings} />
              <Limits settings={settings} />
            </>
          )}
        </Loaded>
        {isTeam ? <FourEyesSetting /> : null}
        <OnlyFor role="administrator" isSaid={false}>
          {isTeam ? <Keys /> : null}
          <AlertChannels />
          {isTeam ? <RenewStore /> : null}
          <Checks />
        </OnlyFor>
        <Language />
        {isTeam ? null : <OtherStore />}
        {isTeam ? null : <CloseProgram />}
      </div>
    </TitledScreen>
  );
};
