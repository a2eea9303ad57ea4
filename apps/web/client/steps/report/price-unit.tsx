import { type ReactNode, useId, useState } from "react";

import type { ResumeBody, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Message } from "../../ui/message.tsx";

type Unit = NonNullable<ResumeBody["priceUnit"]>;

const UNITS: readonly Unit[] = ["minor", "major"];
const CODE = "E_GUARD_PRICE_UNIT";

/** How many rows wait until the unit of the store's prices is known. */
const countWaiting = ({ reasons }: RunView): number =>
  reasons.find(({ code }) => code === CODE)?.rows ?? 0;

/** Says before sending that rows wait for the unit of the prices. */
export const PriceUnitNotice = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const count = countWaiting(run);
  if (count === 0 || run.state !== "planned") return null;
  return (
    <Message tone="info" title={words.title}>
      {words.text(count)} {words.later}
    </Message>
  );
};

/** Asks for the unit of the store's prices, and compares the rows that wait for it. */
export const PriceUnitQuestion = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.priceUnit;
  const [unit, setUnit] = useState<Unit | null>(null);
  const change = useRunChange(run.id);
  const group = useId();
  const count = countWaiting(run);
  if (count === 0 || run.state === "sending") return null;
  const hints = { minor: words.minorHint, major: words.majorHint };
  return (
    <section className="card stack-tight held">
      <fieldset className="stack-tight">
        <legend>
          <h2>{words.title}</h2>
        </legend>
        <p className="muted">{words.text(count)}</p>
        {UNITS.map((one) => (
          <label key={one} className="name-option">
            <input type="radio" name={group} checked={one === unit} onChange={() => setUnit(one)} />
            <span>
              {words[one]} <span className="muted">{hints[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="muted small">{words.remembered}</p>
      <Failure error={change.error} />
      <Button
        kind="primary"
        isDisabled={unit === null}
        isBusy={change.isPending}
        onPress={() =>
          unit !== null && change.mutate({ path: "/resume", body: { priceUnit: unit } })
        }
      >
        {words.go}
      </Button>
    </section>
  );
};
