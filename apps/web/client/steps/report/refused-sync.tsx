import type { ReactNode } from "react";

import { usePage } from "../../lib/page.tsx";
import { Link } from "../../ui/link.tsx";
import { Message } from "../../ui/message.tsx";

/** A sync that was given up before it had a plan, in place of all of its steps. */
export const RefusedSync = ({ reason }: { readonly reason: string }): ReactNode => {
  const words = usePage().texts.refusedSync;
  return (
    <section className="stack wide-narrow">
      <h1>{words.title}</h1>
      <Message tone="warning">{reason}</Message>
      <p>{words.text}</p>
      <p>
        <Link to={{ page: "feeds" }}>{words.toFeeds}</Link>
      </p>
    </section>
  );
};
