/** Asks from when until when a change holds, at the place where it is made or in a dialog. */

import { parseDateTime } from "@internationalized/date";
import { type ReactNode, useState } from "react";
import { DateField, DateInput, DateSegment, Label, Text } from "react-aria-components";

import { usePage } from "../lib/page.tsx";
import { SelectField } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";
import {
  checkPeriod,
  isSoundPeriod,
  type PeriodForm,
  type PeriodProblems,
  type TimeForm,
  type TimeName,
  type TimeProblem,
} from "./period-form.ts";

interface TimeInputProps {
  readonly label: string;
  readonly local: string | null;
  readonly timeZone: string;
  readonly problem: TimeProblem | null;
  readonly onChange: (local: string | null) => void;
}

const LOCAL_CHARS = "2026-12-07T00:00".length;

/** Day, month, year and time, in the order of the language, each typed or changed with the arrows. */
const TimeInput = ({ label, local, timeZone, problem, onChange }: TimeInputProps): ReactNode => {
  const words = usePage().texts.period;
  return (
    <DateField
      className="field"
      granularity="minute"
      hourCycle={24}
      shouldForceLeadingZeros
      isInvalid={problem !== null}
      value={local === null ? null : parseDateTime(local)}
      onChange={(value) => onChange(value?.toString().slice(0, LOCAL_CHARS) ?? null)}
    >
      <Label>{label}</Label>
      <DateInput className="input date-input">
        {(segment) => <DateSegment segment={segment} className="date-segment" />}
      </DateInput>
      <Text slot="description" className={problem === null ? "hint" : "hint hint-wrong"}>
        {problem === null ? words.zone(timeZone) : words.problems[problem]}
      </Text>
    </DateField>
  );
};

interface PeriodFieldsProps {
  readonly form: PeriodForm;
  readonly problems: PeriodProblems;
  /** Whether a person has tried to go on, so that what is missing is said too. */
  readonly isTried: boolean;
  /** The time that can be changed. @default both */
  readonly only?: TimeName | undefined;
  readonly onChange: (form: PeriodForm) => void;
}

export const PeriodFields = ({
  form,
  problems,
  isTried,
  only,
  onChange,
}: PeriodFieldsProps): ReactNode => {
  const words = usePage().texts.period;
  const change = (name: TimeName, time: Partial<TimeForm>): void =>
    onChange({ ...form, [name]: { ...form[name], ...time } });
  const fields = [
    { name: "start", label: words.starts, choices: words.startChoices, time: words.startTime },
    { name: "end", label: words.ends, choices: words.endChoices, time: words.endTime },
  ] as const;
  return (
    <div className="period-fields">
      {fields
        .filter(({ name }) => only === undefined || only === name)
        .map(({ name, label, choices, time }) => {
          const problem = problems[name];
          return (
            <div key={name} className="period-time">
              <SelectField
                label={label}
                value={form[name].isGiven ? "yes" : "no"}
                onChange={(value) => change(name, { isGiven: value === "yes" })}
                choices={[
                  { value: "no", label: choices.no },
                  { value: "yes", label: choices.yes },
                ]}
              />
              {form[name].isGiven ? (
                <TimeInput
                  label={time}
                  local={form[name].local}
                  timeZone={form.timeZone}
                  problem={problem === "empty" && !isTried ? null : problem}
                  onChange={(local) => change(name, { local })}
                />
              ) : null}
            </div>
          );
        })}
    </div>
  );
};

/** A form of a period, and whether it may be used; trying to use one that is wrong says what is. */
export const usePeriodForm = (known: PeriodForm, isNew: boolean) => {
  const [form, setForm] = useState(known);
  const [isTried, setIsTried] = useState(false);
  const problems = checkPeriod(form, { nowMs: Date.now(), known: isNew ? undefined : known });
  return {
    form,
    setForm,
    problems,
    isTried,
    /** Whether the form is sound; a wrong one is marked. */
    take: (): boolean => {
      setIsTried(true);
      return isSoundPeriod(problems);
    },
  };
};

interface PeriodDialogProps {
  readonly title: string;
  readonly known: PeriodForm;
  /** Whether nobody has approved it, so that none of its times may have passed. */
  readonly isNew: boolean;
  /** The time that can be changed. @default both */
  readonly only?: TimeName | undefined;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSave: (form: PeriodForm) => void;
  readonly onClose: () => void;
}

/** It is made anew whenever it opens. */
export const PeriodDialog = (props: PeriodDialogProps): ReactNode => {
  const { texts } = usePage();
  const { form, setForm, problems, isTried, take } = usePeriodForm(props.known, props.isNew);
  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      confirm={{
        isBusy: props.isBusy,
        onPress: () => {
          if (take()) props.onSave(form);
        },
        children: texts.period.save,
      }}
    >
      <PeriodFields {...{ form, problems, isTried }} only={props.only} onChange={setForm} />
      <Failure error={props.error} />
    </Dialog>
  );
};
