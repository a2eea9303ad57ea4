/** Everything that is remembered of a store. */

import { type FormEvent, type ReactNode, useState } from "react";
import { FileTrigger } from "react-aria-components";

import type { RulesView, RuleView } from "../../src/api/index.ts";
import { foldText } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { useRules, useRulesChange } from "../lib/queries.ts";
import { OnlyFor } from "../team/may.tsx";
import { SearchField, Button, SelectField, TextField } from "../ui/controls.tsx";
import { Failure, Loaded, Message } from "../ui/messages.tsx";
import { TitledScreen, Card, List, Download } from "../ui/sections.tsx";
import { PriceRules } from "./price-rules.tsx";
import { Sharing } from "./sharing.tsx";

/** Rules whose field, name or meaning has the text; case, accents and the Turkish i do not count. */
export const findRules = (rules: readonly RuleView[], text: string): readonly RuleView[] => {
  const wanted = foldText(text.trim());
  return rules.filter(({ label, value, target }) =>
    [label, value, target].some((part) => foldText(part).includes(wanted)),
  );
};

/** A new rule: in this field, this name means that one. */
const AddRule = ({ fields }: { readonly fields: RulesView["fields"] }): ReactNode => {
  const words = usePage().texts.work.rules;
  const [field, setField] = useState(fields[0]?.field ?? "");
  const [value, setValue] = useState("");
  const [target, setTarget] = useState("");
  const change = useRulesChange();
  const clear = (): void => {
    setValue("");
    setTarget("");
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { field, value: value.trim(), target: target.trim() };
    change.mutate({ path: "", body }, { onSuccess: clear });
  };
  const isWhole = value.trim() !== "" && target.trim() !== "";
  const isCategory = field === fields[0]?.field;
  return (
    <form className="stack-tight" onSubmit={submit}>
      <div className="form-line">
        <SelectField
          label={words.field}
          value={field}
          choices={fields.map((one) => ({ value: one.field, label: one.label }))}
          onChange={setField}
        />
        <TextField label={words.value} value={value} onChange={setValue} />
        <TextField label={words.target} value={target} onChange={setTarget} />
        <Button type="submit" isDisabled={!isWhole} isBusy={change.isPending}>
          {change.isPending ? words.adding : words.add}
        </Button>
      </div>
      {isCategory && target !== "" ? <p className="hint">{words.targetHint}</p> : null}
      <Failure error={change.error} />
    </form>
  );
};

/** Rules that are shown before a person asks for all. */
const MAX_SHOWN = 100;

const Found = ({ rules, text }: { readonly rules: readonly RuleView[]; readonly text: string }) => {
  const words = usePage().texts.work.rules;
  const [isAll, setIsAll] = useState(false);
  const [removing, setRemoving] = useState<RuleView | null>(null);
  const change = useRulesChange();
  const found = findRules(rules, text);
  if (rules.length === 0) return <p className="empty">{words.noNames}</p>;
  if (found.length === 0) return <p className="empty">{words.noMatch}</p>;
  const remove = (rule: RuleView): void => {
    setRemoving(rule);
    const { field, value } = rule;
    const onSettled = (): void => setRemoving(null);
    change.mutate({ path: "/remove", body: { field, value } }, { onSettled });
  };
  return (
    <>
      <Failure error={change.error} />
      <table className="table work-table">
        <thead>
          <tr>
            <th scope="col">{words.value}</th>
            <th scope="col">{words.target}</th>
            <th scope="col">{words.field}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {(isAll ? found : found.slice(0, MAX_SHOWN)).map((rule) => (
            <tr key={`${rule.field}:${rule.value}`}>
              <th scope="row">{rule.value}</th>
              <td data-label={words.target}>{rule.target}</td>
              <td data-label={words.field}>
                {rule.label}{" "}
                <Sharing
                  what={{ kind: "name", field: rule.field, value: rule.value }}
                  name={rule.value}
                  isShared={rule.isShared}
                />
              </td>
              <td className="col-action">
                {rule.isShared ? null : (
                  <OnlyFor role="editor" isSaid={false}>
                    <Button
                      kind="quiet"
                      label={words.removeName(rule.value)}
                      isBusy={rule === removing}
                      onPress={() => remove(rule)}
                    >
                      {words.remove}
                    </Button>
                  </OnlyFor>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAll || found.length <= MAX_SHOWN ? null : (
        <Button kind="quiet" onPress={() => setIsAll(true)}>
          {words.showAll(found.length)}
        </Button>
      )}
    </>
  );
};

const NameRules = ({ rules }: { readonly rules: RulesView }): ReactNode => {
  const words = usePage().texts.work.rules;
  const [text, setText] = useState("");
  return (
    <section className="card stack-tight">
      <div className="card-head">
        <h2>
          {words.names}{" "}
          {rules.names.length === 0 ? null : (
            <span className="badge">{words.count(rules.names.length)}</span>
          )}
        </h2>
        {rules.names.length === 0 ? null : (
          <SearchField label={words.search} value={text} onChange={setText} />
        )}
      </div>
      <Found rules={rules.names} text={text} />
      <OnlyFor role="editor">
        <AddRule fields={rules.fields} />
      </OnlyFor>
    </section>
  );
};

const RememberedFiles = ({ files }: Pick<RulesView, "files">): ReactNode => {
  const words = usePage().texts.work.rules;
  const change = useRulesChange();
  const items = files.map(({ id, kind, entries, file }) => {
    const name = file ?? words.someFile;
    return (
      <li key={id} className="remembered">
        <div className="remembered-head">
          <strong>{name}</strong>
          <span className="badge">{words.kinds[kind]}</span>
          <OnlyFor role="editor" isSaid={false}>
            <Button
              kind="quiet"
              label={words.forgetName(name)}
              isBusy={change.isPending}
              onPress={() => change.mutate({ path: "/forget", body: { id } })}
            >
              {words.forget}
            </Button>
          </OnlyFor>
        </div>
        <ul className="entries">
          {entries.map(({ header, text }) => (
            <li key={header}>
              {header} <span className="muted">→ {text}</span>
            </li>
          ))}
        </ul>
      </li>
    );
  });
  return (
    <Card title={words.files} intro={words.filesIntro}>
      <Failure error={change.error} />
      <List items={items} none={words.noFiles} className="lined" />
    </Card>
  );
};

/** Columns of files by the names that people gave them, where there are any. */
const Profiles = ({ profiles }: Pick<RulesView, "profiles">): ReactNode => {
  const words = usePage().texts.work.rules;
  if (profiles.length === 0) return null;
  const items = profiles.map(({ name, columns, isShared }) => (
    <li key={name} className="remembered-head">
      <strong>{name}</strong>
      <span className="muted">{words.profileColumns(columns)}</span>
      <Sharing what={{ kind: "profile", name }} name={name} isShared={isShared} />
    </li>
  ));
  return (
    <Card title={words.profiles} intro={words.profilesIntro}>
      <List items={items} none="" className="lined" />
    </Card>
  );
};

/** Values that are sent where a row has none. */
const Defaults = ({ defaults }: Pick<RulesView, "defaults">): ReactNode => {
  const words = usePage().texts.work.rules;
  const change = useRulesChange();
  const items = defaults.map(({ field, label, value }) => (
    <li key={field} className="remembered-head">
      <strong>{label}</strong>
      <span>{value}</span>
      <OnlyFor role="editor" isSaid={false}>
        <Button
          kind="quiet"
          label={words.removeDefault(label)}
          isBusy={change.isPending}
          onPress={() => change.mutate({ path: "/default/remove", body: { id: field } })}
        >
          {words.remove}
        </Button>
      </OnlyFor>
    </li>
  ));
  return (
    <Card title={words.defaults} intro={words.defaultsIntro}>
      <Failure error={change.error} />
      <List items={items} none={words.noDefaults} className="lined" />
    </Card>
  );
};

/** All rules as a workbook, to edit elsewhere and bring back. */
const RulesFile = (): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.rules;
  const change = useRulesChange();
  return (
    <Card title={words.workbook} intro={words.workbookIntro}>
      <Failure error={change.error} />
      {change.isSuccess ? <Message tone="success">{words.uploaded}</Message> : null}
      <div className="line">
        <Download href={`/api/rules/file?lang=${lang}`}>{words.download}</Download>
        <OnlyFor role="editor" isSaid={false}>
          <FileTrigger
            acceptedFileTypes={[".xlsx", ".csv"]}
            onSelect={(files) => {
              const file = files?.[0];
              if (file !== undefined) change.mutate({ path: "/file", file });
            }}
          >
            <Button icon="upload" isBusy={change.isPending}>
              {change.isPending ? words.uploading : words.upload}
            </Button>
          </FileTrigger>
        </OnlyFor>
      </div>
    </Card>
  );
};

export const Rules = (): ReactNode => {
  const words = usePage().texts.work.rules;
  return (
    <TitledScreen title={words.title} intro={words.intro}>
      <Loaded query={useRules()}>
        {(rules) => (
          <>
            <PriceRules prices={rules.prices} />
            <NameRules rules={rules} />
            <div className="two-columns">
              <RememberedFiles files={rules.files} />
              <Defaults defaults={rules.defaults} />
            </div>
            <Profiles profiles={rules.profiles} />
            <RulesFile />
          </>
        )}
      </Loaded>
    </TitledScreen>
  );
};
