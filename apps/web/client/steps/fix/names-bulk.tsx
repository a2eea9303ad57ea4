/** Many names with one answer: those that are ticked, and those with the same reason. */

import { type ReactNode, useState } from "react";

import type { NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button, SelectField } from "../../ui/controls.tsx";
import { TableHead } from "../../ui/sections.tsx";
import { NameSearch } from "./name-panel.tsx";
import { NAME_REASONS, type NameReason, pickSamples, reasonOf } from "./names-list.ts";
import { PathText } from "./names-table.tsx";

/** A name and what it is to mean. */
export interface NameTarget {
  readonly name: NameView;
  readonly target: string;
}

const SAMPLES = 5;

/** Some of what will be answered. */
export const Samples = ({ answers }: { readonly answers: readonly NameTarget[] }): ReactNode => {
  const { fix } = usePage().texts;
  return (
    <table className="table name-samples">
      <TableHead columns={[fix.nameColumn, fix.samples, fix.chosen]} />
      <tbody>
        {pickSamples(answers, SAMPLES).map(({ name, target }) => (
          <tr key={`${name.field}:${name.value}`}>
            <td>
              <PathText text={name.value} />
            </td>
            <td className="muted">
              <PathText text={name.titles[0] ?? ""} />
            </td>
            <td>
              <PathText text={target} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface BulkProps {
  /** The open names that are shown. */
  readonly names: readonly NameView[];
  readonly isBusy: boolean;
  readonly onAnswer: (answers: readonly NameTarget[]) => void;
  readonly onClose: () => void;
}

/** Takes the first suggestion of every shown name that has it for the same reason. */
export const ByReason = ({ names, isBusy, onAnswer, onClose }: BulkProps): ReactNode => {
  const { fix } = usePage().texts;
  const groups = NAME_REASONS.flatMap((reason) => {
    const answers = names.flatMap((name) => {
      const [first] = name.choices;
      return first === undefined || reasonOf(name) !== reason
        ? []
        : [{ name, target: first.target }];
    });
    return answers.length === 0 ? [] : [{ reason, answers }];
  });
  const [chosen, setChosen] = useState<NameReason | null>(null);
  const group = groups.find(({ reason }) => reason === chosen) ?? groups[0];
  return (
    <section className="card names-bulk" aria-label={fix.byReason}>
      {group === undefined ? (
        <p className="muted">{fix.noSuggestions}</p>
      ) : (
        <>
          <SelectField
            label={fix.why}
            value={group.reason}
            onChange={(value) =>
              setChosen(groups.find(({ reason }) => reason === value)?.reason ?? null)
            }
            choices={groups.map(({ reason, answers }) => ({
              value: reason,
              label: `${fix.reasons[reason]} (${answers.length})`,
            }))}
          />
          <p className="small">{fix.reasonSamples(group.answers.length)}</p>
          <Samples answers={group.answers} />
        </>
      )}
      <div className="name-actions">
        <Button kind="quiet" onPress={onClose}>
          {fix.keepCategory}
        </Button>
        {group === undefined ? null : (
          <Button kind="primary" isBusy={isBusy} onPress={() => onAnswer(group.answers)}>
            {fix.acceptNames(group.answers.length)}
          </Button>
        )}
      </div>
    </section>
  );
};

interface TickedProps extends Omit<BulkProps, "onClose"> {
  readonly draft: string;
  readonly onClear: () => void;
}

/** Gives the ticked names one meaning. */
export const Ticked = ({ draft, names, isBusy, onAnswer, onClear }: TickedProps): ReactNode => {
  const { fix } = usePage().texts;
  const [target, setTarget] = useState<string | null>(null);
  const [first] = names;
  if (first === undefined) return null;
  const { field, column, row } = first;
  const isMixed = names.some((name) => name.field !== field);
  return (
    <section className="ticked" aria-label={fix.tickedNames(names.length)}>
      <strong>{fix.tickedNames(names.length)}</strong>
      {isMixed ? (
        <span className="muted">{fix.tickOneField}</span>
      ) : (
        <>
          <NameSearch
            key={field}
            draft={draft}
            place={column === null ? { field } : { column, row }}
            label={fix.tickedTarget}
            onChoose={({ value }) => setTarget(value)}
          />
          {target === null ? null : (
            <span className="ticked-target">
              <PathText text={target} />
            </span>
          )}
          <Button
            kind="primary"
            isBusy={isBusy}
            isDisabled={target === null}
            onPress={() => target !== null && onAnswer(names.map((name) => ({ name, target })))}
          >
            {fix.answerNames(names.length)}
          </Button>
        </>
      )}
      <Button kind="quiet" onPress={onClear}>
        {fix.untick}
      </Button>
    </section>
  );
};
