import type { ReactNode } from "react";

import { explainError } from "../../lib/explain-error.ts";
import { useTimes } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { isSpread, isTimeChoice, TIME_CHOICES, type Times, toCron } from "./times.ts";

const HOME_ZONE = "Europe/Istanbul";

const listZones = (): readonly string[] => [
  HOME_ZONE,
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== HOME_ZONE),
];

interface TimesFieldsProps {
  readonly times: Times;
  readonly zone: string;
  readonly onTimes: (times: Times) => void;
  readonly onZone: (zone: string) => void;
}

/** The first times in words, or why there are none. */
const FirstTimes = ({ times, zone }: Pick<TimesFieldsProps, "times" | "zone">): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.form;
  const { data, error } = useTimes({ cron: toCron(times), timeZone: zone });
  if (error !== null) return <p className="error-text">{explainError(error, texts)}</p>;
  if (data === undefined || toCron(times) === "") return null;
  return (
    <p className="muted small">
      {words.first(data.next.map((time) => format.date(time)).join(" · "))}{" "}
      {isSpread(times) ? words.spread : null}
    </p>
  );
};

/** When a feed is synced: a simple choice or an own pattern, in a time zone. */
export const TimesFields = (props: TimesFieldsProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const { times, zone, onTimes, onZone } = props;
  return (
    <div className="stack-tight">
      <div className="form-grid">
        <SelectField
          label={words.times}
          value={times.choice}
          choices={TIME_CHOICES.map((value) => ({ value, label: words.choices[value] }))}
          onChange={(choice) => isTimeChoice(choice) && onTimes({ ...times, choice })}
        />
        {times.choice === "day" ? (
          <TextField
            label={words.at}
            type="time"
            value={times.at}
            onChange={(at) => onTimes({ ...times, at })}
          />
        ) : null}
        {times.choice === "own" ? (
          <TextField
            label={words.own}
            hint={words.ownHint}
            value={times.own}
            onChange={(own) => onTimes({ ...times, own })}
          />
        ) : null}
        <SelectField
          label={words.zone}
          value={zone}
          choices={listZones().map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          onChange={onZone}
        />
      </div>
      <FirstTimes times={times} zone={zone} />
    </div>
  );
};
