import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";

/** What to do when the server knows no session. */
export const SessionOver = (): ReactNode => {
  const { texts } = usePage();
  return (
    <section className="narrow card">
      <h1>{texts.session.title}</h1>
      <p>{texts.session.text}</p>
      <p>
        <code className="command">catalog web</code>
      </p>
      <p className="muted">{texts.session.why}</p>
    </section>
  );
};
