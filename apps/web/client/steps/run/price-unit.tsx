/** Asks for the unit of the store's prices, before sending and after. */

import { type ReactNode, useId, useState } from "react";

import type { PlanBody, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraft, useDraftChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { countUncompared } from "../../lib/runs.ts";
import { Button } from "../../ui/controls.tsx";
import { Failure, Message } from "../../ui/messages.tsx";
import { ConfirmGoingOn } from "./run-parts.tsx";

type Unit = NonNullable<PlanBody["priceUnit"]>;

const UNITS: readonly Unit[] = ["minor", "major"];

interface UnitChoiceProps {
  readonly rows: number;
  readonly example: RunView["priceUnitExample"];
  readonly goes: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onChoose: (unit: Unit) => void;
}

const UnitChoice = ({
  rows,
  example,
  goes,
  isBusy,
  error,
  onChoose,
}: UnitChoiceProps): ReactNode => {
  const words = usePage().texts.priceUnit;
  const [unit, setUnit] = useState<Unit | null>(null);
  const group = useId();
  return (
    <section className="card stack-tight held">
      <h2 id={`${group}-title`}>{words.title}</h2>
      <p className="muted">
        {words.text(rows)}{" "}
        {example === null ? words.openQuestion : words.question(example.code, example.shown)}
      </p>
      <div role="radiogroup" aria-labelledby={`${group}-title`}>
        {UNITS.map((one) => (
          <label key={one} className="name-option">
            <input type="radio" name={group} checked={one === unit} onChange={() => setUnit(one)} />
            <span>{example === null ? words.openUnit[one] : words.unit[one](example[one])}</span>
          </label>
        ))}
      </div>
      <p className="muted small">{goes}</p>
      <Failure error={error} />
      <Button
        kind="primary"
        isDisabled={unit === null}
        isBusy={isBusy}
        onPress={() => unit !== null && onChoose(unit)}
      >
        {words.go}
      </Button>
    </section>
  );
};

const PlanWithUnit = ({
  id,
  ...asked
}: Pick<UnitChoiceProps, "rows" | "example"> & { readonly id: string }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const draft = useDraft(id).data;
  const change = useDraftChange(id);
  if (draft === undefined) return null;
  const plan = (priceUnit: Unit): void => {
    const body: PlanBody = { version: draft.version, priceUnit };
    change.mutate(
      { path: "/plan", body },
      { onSuccess: () => goTo({ page: "draft", id, step: "preview" }) },
    );
  };
  const { isPending: isBusy, error } = change;
  return <UnitChoice {...asked} {...{ isBusy, error }} goes={words.previewAgain} onChoose={plan} />;
};

/** Asks before sending for the unit of the prices, and plans again with it. */
export const PlanUnit = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const rows = countUncompared(run);
  if (rows === 0 || run.state !== "planned") return null;
  const example = run.priceUnitExample;
  if (run.draft !== null) return <PlanWithUnit id={run.draft} rows={rows} example={example} />;
  return (
    <Message tone="info" title={words.title}>
      {words.text(rows)}{" "}
      {example === null ? words.openQuestion : words.question(example.code, example.shown)}{" "}
      {words.later}
    </Message>
  );
};

/** Asks after sending for the unit of the prices, and compares the rows that wait for it. */
export const RunUnit = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const [unit, setUnit] = useState<Unit>();
  const rows = countUncompared(run);
  if (rows === 0 || run.counts.held === 0 || run.state === "sending") return null;
  return (
    <>
      <UnitChoice
        rows={rows}
        example={run.priceUnitExample}
        goes={words.remembered}
        isBusy={false}
        error={null}
        onChoose={setUnit}
      />
      <ConfirmGoingOn
        run={run}
        priceUnit={unit}
        isOpen={unit !== undefined}
        onClose={() => setUnit(undefined)}
      />
    </>
  );
};
