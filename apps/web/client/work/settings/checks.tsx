import type { ReactNode } from "react";

import type { CheckView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useCheck } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Message } from "../../ui/message.tsx";

const BADGES = {
  ok: "badge badge-success",
  warn: "badge badge-warning",
  fail: "badge badge-error",
  skip: "badge",
} as const;

const CheckList = ({ checks }: { readonly checks: readonly CheckView[] }): ReactNode => {
  const words = usePage().texts.work.settings;
  const names: Readonly<Record<string, string>> = words.checkNames;
  const wrong = checks.filter(({ state }) => state === "warn" || state === "fail").length;
  if (checks.length === 0) return <Message tone="warning">{words.nothing}</Message>;
  return (
    <>
      <p className={wrong === 0 ? "good" : undefined}>
        {wrong === 0 ? words.allFine : words.someWrong(wrong)}
      </p>
      <ul className="lined">
        {checks.map((check) => (
          <li key={check.name} className="check">
            <span className={BADGES[check.state]}>{words.states[check.state]}</span>
            <div>
              <p>
                {names[check.name] === undefined ? null : <strong>{names[check.name]}: </strong>}
                {check.message}
              </p>
              {check.fix === null ? null : <p className="muted">{check.fix}</p>}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Tries the installation, and lists what was tried. */
export const Checks = (): ReactNode => {
  const words = usePage().texts.work.settings;
  const check = useCheck();
  return (
    <section className="card stack-tight">
      <h2>{words.check}</h2>
      <p className="muted">{words.checkIntro}</p>
      <Failure error={check.error} />
      <Button isBusy={check.isPending} onPress={() => check.mutate()}>
        {check.isPending ? words.checking : words.check}
      </Button>
      <div role="status" className="stack-tight">
        {check.data === undefined ? null : <CheckList checks={check.data} />}
      </div>
    </section>
  );
};
