import { type ReactNode, useEffect, useState } from "react";

import { usePage } from "../lib/page.tsx";
import { readCommand } from "../lib/session-command.ts";
import { Message } from "../ui/message.tsx";

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

/** What to do so that changes of this tab are saved, whose session is over. */
export const SessionWanted = ({ changes }: { readonly changes: number }): ReactNode => {
  const { texts } = usePage();
  const command = useCommand();
  return (
    <Message tone="warning" title={texts.session.wanted(changes)}>
      <p>{texts.session.text}</p>
      <p>
        <code className="command">{command}</code>
      </p>
    </Message>
  );
};
