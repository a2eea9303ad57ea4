import { type ReactNode, useEffect, useState } from "react";

import { usePage } from "../lib/page.tsx";
import { readCommand } from "../lib/session-command.ts";

/** The command that opens this page; an ellipsis until the program has named it. */
const useCommand = (): string => {
  const [command, setCommand] = useState("…");
  useEffect(() => {
    void readCommand().then(setCommand);
  }, []);
  return command;
};

/** What to do when the server knows no session, or this browser has no key of one. */
export const SessionOver = (): ReactNode => {
  const { texts } = usePage();
  const command = useCommand();
  return (
    <section className="narrow card">
      <h1>{texts.session.title}</h1>
      <p>{texts.session.text}</p>
      <p>
        <code className="command">{command}</code>
      </p>
      <p className="muted">{texts.session.why}</p>
    </section>
  );
};
