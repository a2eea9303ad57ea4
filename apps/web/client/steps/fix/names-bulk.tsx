/** Many names with one answer: those that are ticked, below one category, or with the same reason. */

import { type ReactNode, useState } from "react";

import type { DraftView, NamesBelowView, NameView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useCategories, useNamesBelow } from "../../lib/queries.ts";
import { Button, SelectField, Tick } from "../../ui/controls.tsx";
import { Failure, Waiting } from "../../ui/messages.tsx";
import { TableHead } from "../../ui/sections.tsx";
import { NameSearch, SearchBox } from "./name-panel.tsx";
import {
  keyOf,
  listSources,
  NAME_REASONS,
  type NameReason,
  pickSamples,
  reasonOf,
} from "./names-list.ts";
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
          <tr key={keyOf(name)}>
            <td>
              <PathText text={name.value} />
            </td>
            <td className="muted">
              <PathText text={name.titles[0] ?? ""} />
            </td>
            <td>
              <PathText text={target} others={name.choices.map(({ label }) => label)} />
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

interface BelowProps extends BulkProps {
  readonly draft: DraftView;
}

/** What was found below the chosen categories, as answers. */
const useBelow = (
  draft: DraftView,
  names: readonly NameView[],
  below: { readonly from: string; readonly to: string | null },
) => {
  const found = useNamesBelow(draft.id, draft.version, below);
  const byKey = new Map(names.map((name) => [keyOf(name), name]));
  const take = (targets: NamesBelowView["exact"] = []): readonly NameTarget[] =>
    targets.flatMap(({ target, ...of }) => {
      const name = byKey.get(keyOf(of));
      return name === undefined ? [] : [{ name, target }];
    });
  const { data, error, isFetching } = found;
  return { exact: take(data?.exact), near: take(data?.near), data, error, isFetching };
};

/** Gives all names below a category of the file a meaning within one of the store. */
export const Below = ({ draft, names, isBusy, onAnswer, onClose }: BelowProps): ReactNode => {
  const { fix } = usePage().texts;
  const sources = listSources(names);
  const [chosen, setChosen] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const [isNear, setIsNear] = useState(false);
  const from = (sources.find(({ path }) => path === chosen) ?? sources[0])?.path ?? "";
  const { exact, near, data, error, isFetching } = useBelow(draft, names, { from, to });
  const answers = isNear ? [...exact, ...near] : exact;
  return (
    <section className="card names-bulk" aria-label={fix.below}>
      <div className="replace-fields">
        <SelectField
          label={fix.belowFrom}
          value={from}
          onChange={setChosen}
          choices={sources.map(({ path, names: count }) => ({
            value: path,
            label: `${path} (${count})`,
          }))}
        />
        <div className="field">
          <span className="field-label">{fix.belowTo}</span>
          <SearchBox
            label={fix.belowTo}
            placeholder={fix.lookup}
            useFound={useCategories}
            onChoose={({ value }) => setTo(value)}
          />
          {to === null ? null : <PathText text={to} />}
        </div>
      </div>
      <Failure error={error} />
      {isFetching ? <Waiting text={fix.belowLooking} /> : null}
      {data === undefined ? null : (
        <>
          <p className="small" role="status">
            {fix.belowFound(exact.length, near.length, data.left)}
          </p>
          {near.length === 0 ? null : (
            <Tick isTicked={isNear} onChange={setIsNear}>
              {fix.belowNear(near.length)}
            </Tick>
          )}
          {answers.length === 0 ? null : <Samples answers={answers} />}
        </>
      )}
      <div className="name-actions">
        <Button kind="quiet" onPress={onClose}>
          {fix.keepCategory}
        </Button>
        {answers.length === 0 ? null : (
          <Button kind="primary" isBusy={isBusy} onPress={() => onAnswer(answers)}>
            {fix.answerNames(answers.length)}
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
