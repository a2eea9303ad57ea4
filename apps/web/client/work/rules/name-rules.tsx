import { type ReactNode, useState } from "react";

import type { RulesView, RuleView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRulesChange } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { AddRule } from "./add-rule.tsx";
import { findRules } from "./find-rules.ts";

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
export const NameRules = ({ rules }: { readonly rules: RulesView }): ReactNode => {
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
