/** Everything that is remembered of a store. */

import { type FormEvent, type ReactNode, useState } from "react";
import { FileTrigger } from "react-aria-components";

import type { RulesView, RuleView } from "../../src/api/index.ts";
import { foldText } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { useRules, useRulesChange } from "../lib/work-queries.ts";
import { Button, Icon, SelectField, TextField } from "../ui/controls.tsx";
import { Failure, Loaded, Message } from "../ui/messages.tsx";

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
  return (
    <form className="stack-tight" onSubmit={submit}>
      <div className="form-grid">
        <SelectField
          label={words.field}
          value={field}
          choices={fields.map((one) => ({ value: one.field, label: one.label }))}
          onChange={setField}
        />
        <TextField label={words.value} value={value} onChange={setValue} />
        <TextField
          label={words.target}
          hint={words.targetHint}
          value={target}
          onChange={setTarget}
        />
      </div>
      <Failure error={change.error} />
      <Button type="submit" isDisabled={!isWhole} isBusy={change.isPending}>
        {change.isPending ? words.adding : words.add}
      </Button>
    </form>
  );
};

/** Rules that are shown before a person asks for all. */
const MAX_SHOWN = 100;

interface RuleTableProps {
  readonly rules: readonly RuleView[];
  readonly removing: RuleView | null;
  readonly onRemove: (rule: RuleView) => void;
}

const RuleTable = ({ rules, removing, onRemove }: RuleTableProps): ReactNode => {
  const words = usePage().texts.work.rules;
  return (
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
        {rules.map((rule) => (
          <tr key={`${rule.field}:${rule.value}`}>
            <th scope="row">{rule.value}</th>
            <td data-label={words.target}>{rule.target}</td>
            <td data-label={words.field}>{rule.label}</td>
            <td className="col-action">
              <Button
                kind="quiet"
                label={words.removeName(rule.value)}
                isBusy={rule === removing}
                onPress={() => onRemove(rule)}
              >
                {words.remove}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

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
    change.mutate(
      { path: "/remove", body: { field, value } },
      { onSettled: () => setRemoving(null) },
    );
  };
  return (
    <>
      <Failure error={change.error} />
      <RuleTable
        rules={isAll ? found : found.slice(0, MAX_SHOWN)}
        removing={removing}
        onRemove={remove}
      />
      {isAll || found.length <= MAX_SHOWN ? null : (
        <Button kind="quiet" onPress={() => setIsAll(true)}>
          {words.showAll(found.length)}
        </Button>
      )}
    </>
  );
};

/** What names of files mean in the store. */
const NameRules = ({ rules }: { readonly rules: RulesView }): ReactNode => {
  const words = usePage().texts.work.rules;
  const [text, setText] = useState("");
  return (
    <section className="card stack">
      <div className="filters-line">
        <h2>
          {words.names} <span className="badge">{words.count(rules.names.length)}</span>
        </h2>
        <TextField
          label={words.search}
          isLabelHidden
          type="search"
          value={text}
          onChange={setText}
        />
      </div>
      <p className="muted">{words.namesIntro}</p>
      <Found rules={rules.names} text={text} />
      <AddRule fields={rules.fields} />
    </section>
  );
};

type Remembered = RulesView["files"][number];

interface FileProps {
  readonly file: Remembered;
  readonly isBusy: boolean;
  readonly onForget: () => void;
}

const RememberedFile = ({ file, isBusy, onForget }: FileProps): ReactNode => {
  const words = usePage().texts.work.rules;
  const name = file.file ?? words.someFile;
  return (
    <li className="remembered">
      <div className="remembered-head">
        <strong>{name}</strong>
        <span className="badge">{words.kinds[file.kind]}</span>
        <Button kind="quiet" label={words.forgetName(name)} isBusy={isBusy} onPress={onForget}>
          {words.forget}
        </Button>
      </div>
      <ul className="entries">
        {file.entries.map(({ header, text }) => (
          <li key={header}>
            {header} <span className="muted">→ {text}</span>
          </li>
        ))}
      </ul>
    </li>
  );
};

/** What accepted files have taught. */
const RememberedFiles = ({ rules }: { readonly rules: RulesView }): ReactNode => {
  const words = usePage().texts.work.rules;
  const change = useRulesChange();
  return (
    <section className="card stack-tight">
      <h2>{words.files}</h2>
      <p className="muted">{words.filesIntro}</p>
      <Failure error={change.error} />
      {rules.files.length === 0 ? (
        <p className="empty">{words.noFiles}</p>
      ) : (
        <ul className="lined">
          {rules.files.map((file) => (
            <RememberedFile
              key={file.id}
              file={file}
              isBusy={change.isPending}
              onForget={() => change.mutate({ path: "/forget", body: { id: file.id } })}
            />
          ))}
        </ul>
      )}
    </section>
  );
};

/** Values that are sent where a row has none. */
const Defaults = ({ rules }: { readonly rules: RulesView }): ReactNode => {
  const words = usePage().texts.work.rules;
  const change = useRulesChange();
  return (
    <section className="card stack-tight">
      <h2>{words.defaults}</h2>
      <p className="muted">{words.defaultsIntro}</p>
      <Failure error={change.error} />
      {rules.defaults.length === 0 ? (
        <p className="empty">{words.noDefaults}</p>
      ) : (
        <ul className="lined">
          {rules.defaults.map(({ field, label, value }) => (
            <li key={field} className="remembered-head">
              <strong>{label}</strong>
              <span>{value}</span>
              <Button
                kind="quiet"
                label={words.removeDefault(label)}
                isBusy={change.isPending}
                onPress={() => change.mutate({ path: "/default/remove", body: { id: field } })}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** All rules as a workbook, to edit elsewhere and bring back. */
const RulesFile = (): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.rules;
  const change = useRulesChange();
  return (
    <section className="card stack-tight">
      <h2>{words.workbook}</h2>
      <p className="muted">{words.workbookIntro}</p>
      <Failure error={change.error} />
      {change.isSuccess ? <Message tone="success">{words.uploaded}</Message> : null}
      <div className="line">
        <a className="button button-plain" href={`/api/rules/file?lang=${lang}`} download>
          <Icon name="download" />
          {words.download}
        </a>
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
      </div>
    </section>
  );
};

/** Everything that is remembered of a store. */
export const Rules = (): ReactNode => {
  const words = usePage().texts.work.rules;
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <p className="lead">{words.intro}</p>
      <Loaded query={useRules()}>
        {(rules) => (
          <>
            <NameRules rules={rules} />
            <div className="two-columns">
              <RememberedFiles rules={rules} />
              <Defaults rules={rules} />
            </div>
            <RulesFile />
          </>
        )}
      </Loaded>
    </section>
  );
};
