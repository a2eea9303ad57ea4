import type { ReactNode } from "react";

import { usePage } from "../../lib/page.tsx";
import { useRules } from "../../lib/work-queries.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { NameRules } from "./name-rules.tsx";
import { Defaults, RememberedFiles } from "./remembered.tsx";
import { RulesFile } from "./rules-file.tsx";

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
