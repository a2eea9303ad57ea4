import type { ReactNode } from "react";

import { explainError } from "../lib/explain-error.ts";
import { usePage } from "../lib/page.tsx";
import { Icon, type IconName } from "./icon.tsx";

type Tone = "error" | "warning" | "info" | "success";

const ICONS: Readonly<Record<Tone, IconName>> = {
  error: "error",
  warning: "warning",
  info: "info",
  success: "check",
};

interface MessageProps {
  readonly tone: Tone;
  readonly title?: string | undefined;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** A box with something that a person should know; an error is spoken at once. */
export const Message = ({ tone, title, children, actions }: MessageProps): ReactNode => (
  <div className={`message message-${tone}`} role={tone === "error" ? "alert" : undefined}>
    <Icon name={ICONS[tone]} />
    <div className="message-body">
      {title === undefined ? null : <strong>{title}</strong>}
      {children}
    </div>
    {actions === undefined ? null : <div className="message-actions">{actions}</div>}
  </div>
);

/** Why an action failed; nothing where it did not. */
export const Failure = ({ error }: { readonly error: Error | null }): ReactNode => {
  const { texts } = usePage();
  return error === null ? null : <Message tone="error">{explainError(error, texts)}</Message>;
};
