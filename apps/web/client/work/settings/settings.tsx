import { type ReactNode, useState } from "react";

import type { SettingsView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useSettings } from "../../lib/work-queries.ts";
import { LanguageSwitch } from "../../shell/language-switch.tsx";
import { LoginForm } from "../../shell/login.tsx";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Checks } from "./checks.tsx";
import { Limits } from "./limits.tsx";
import { PriceUnit } from "./price-unit.tsx";

interface FactsProps {
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

const Facts = ({ facts }: FactsProps): ReactNode => (
  <dl className="setting-list">
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className="number">{value}</dd>
      </div>
    ))}
  </dl>
);

const Store = ({ settings }: { readonly settings: SettingsView }): ReactNode => {
  const words = usePage().texts.work.settings;
  const facts = [
    { label: words.storeId, value: settings.storeId },
    { label: words.address, value: settings.baseUrl },
    { label: words.home, value: settings.home },
  ];
  return (
    <section className="card stack-tight">
      <h2>{words.store}</h2>
      <Facts facts={facts} />
      <PriceUnit setting={settings.priceUnit} />
    </section>
  );
};

const Language = (): ReactNode => {
  const words = usePage().texts.work.settings;
  return (
    <section className="card stack-tight">
      <h2>{words.language}</h2>
      <p className="muted">{words.languageHint}</p>
      <div className="line">
        <LanguageSwitch isShort={false} />
      </div>
    </section>
  );
};

const OtherStore = (): ReactNode => {
  const { texts, me } = usePage();
  const words = texts.work.settings;
  const [isOpen, setIsOpen] = useState(false);
  if (me.store?.isSandbox !== true) {
    return (
      <section className="card stack-tight">
        <h2>{words.otherStore}</h2>
        <p className="muted">
          {me.store?.isLocal === true ? words.otherStoreLocal : words.otherStoreLive}
        </p>
        <p>{words.otherStoreHow}</p>
        <details>
          <summary>{words.otherStoreTerminal}</summary>
          <p className="muted">{words.otherStoreCommand}</p>
          <code className="command">catalog login</code>
        </details>
      </section>
    );
  }
  return (
    <section className="card stack-tight">
      <h2>{words.otherStore}</h2>
      <p className="muted">{words.otherStoreIntro}</p>
      {isOpen ? (
        <div className="login-form">
          <LoginForm />
        </div>
      ) : (
        <Button onPress={() => setIsOpen(true)}>{words.open}</Button>
      )}
    </section>
  );
};

/** The store, the limits, and whether everything works. */
export const Settings = (): ReactNode => {
  const words = usePage().texts.work.settings;
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <p className="lead">{words.intro}</p>
      <Loaded query={useSettings()}>
        {(settings) => (
          <div className="two-columns">
            <Store settings={settings} />
            <Limits settings={settings} />
          </div>
        )}
      </Loaded>
      <Language />
      <Checks />
      <OtherStore />
    </section>
  );
};
