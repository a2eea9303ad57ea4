/** Messages, progress, dialogs, and what stands where something will be. */

import { type Query, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";

import { usePage } from "../lib/page.tsx";
import { explainError, NoAnswerError, RefusedError } from "../lib/requests.ts";
import { type ButtonProps, Button, Icon, type IconName, Link } from "./controls.tsx";

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

/** What the server says is in the way; nothing where it says nothing. */
export const Problem = ({
  problem,
}: {
  readonly problem: { readonly message: string } | null;
}): ReactNode => (problem === null ? null : <Message tone="error">{problem.message}</Message>);

/** Why an action failed; nothing where it did not. */
export const Failure = ({ error }: { readonly error: Error | null }): ReactNode => {
  const { texts } = usePage();
  return error === null ? null : <Message tone="error">{explainError(error, texts)}</Message>;
};

interface ProgressProps {
  readonly label: string;
  /** From 0 to 1; `null` where it is not known. */
  readonly part: number | null;
  readonly text?: string | undefined;
}

export const Progress = ({ label, part, text }: ProgressProps): ReactNode => (
  <div className="progress">
    <div className="progress-line">
      <span>{label}</span>
      {text === undefined ? null : <span className="number">{text}</span>}
    </div>
    <div
      className={part === null ? "bar bar-open" : "bar"}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === null ? undefined : Math.round(part * 100)}
      aria-valuetext={text}
    >
      <div className="bar-fill" style={part === null ? {} : { width: `${part * 100}%` }} />
    </div>
  </div>
);

export const Waiting = ({ text }: { readonly text: string }): ReactNode => (
  <p className="waiting" role="status">
    <span className="spinner" aria-hidden="true" />
    {text}
  </p>
);

/** A text that changes at most once in a while, so that a screen reader is not flooded. */
export const useThrottled = (text: string, everyMs: number): string => {
  const [shown, setShown] = useState(text);
  const changedAt = useRef(0);
  useEffect(() => {
    if (text === shown) return undefined;
    const passedMs = performance.now() - changedAt.current;
    const timer = setTimeout(
      () => {
        changedAt.current = performance.now();
        setShown(text);
      },
      Math.max(0, everyMs - passedMs),
    );
    return () => clearTimeout(timer);
  }, [text, shown, everyMs]);
  return shown;
};

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The button beside the one that closes. */
  readonly confirm?: ButtonProps;
  /** `full` takes the window. @default as wide as a question */
  readonly size?: "wide" | "full" | undefined;
  /**
   * Whether the question is about giving up or taking back, so that the word for leaving a dialog
   * could be read as the answer. @default false
   */
  readonly isAboutGivingUp?: boolean;
  /** Whether a press beside it leaves it open, as what it shows is gone afterwards. @default false */
  readonly isKept?: boolean;
}

/** A window over the page; Escape closes it and the focus returns. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  children,
  confirm,
  size,
  isAboutGivingUp = false,
  isKept = false,
}: DialogProps): ReactNode => {
  const { texts } = usePage();
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={!isKept}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={size === undefined ? "modal" : `modal modal-${size}`}>
        <AriaDialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <div className="dialog-body">{children}</div>
          <div className="dialog-actions">
            <Button onPress={onClose}>
              {confirm === undefined || isAboutGivingUp ? texts.app.close : texts.app.cancel}
            </Button>
            {confirm === undefined ? null : <Button kind="primary" {...confirm} />}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
};

/** An answer that takes longer is called slow. */
const SLOW_MS = 15_000;

const isUnread = ({ state }: Query): boolean => state.data === undefined;

/** Asks again for everything that has not come; a request that hangs is given up. */
const useRetry = (): (() => void) => {
  const client = useQueryClient();
  return () =>
    void client
      .cancelQueries({ predicate: isUnread })
      .then(() => client.refetchQueries({ type: "active", predicate: isUnread }));
};

/** Stands where something will be; after a while it offers to ask again. */
export const Loading = ({ text }: { readonly text: string }): ReactNode => {
  const { texts } = usePage();
  const askAgain = useRetry();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (isSlow) return undefined;
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isSlow]);
  const retry = (): void => {
    setIsSlow(false);
    askAgain();
  };
  if (!isSlow) return <Waiting text={text} />;
  return (
    <Message tone="warning" actions={<Button onPress={retry}>{texts.app.retry}</Button>}>
      <Waiting text={texts.app.slow} />
    </Message>
  );
};

/** A thing that is not there, and the lists where others are. */
const NotFound = ({ error }: { readonly error: Error }): ReactNode => {
  const { texts } = usePage();
  return (
    <Message
      tone="warning"
      title={texts.app.notFound}
      actions={
        <>
          <Link to={{ page: "products" }}>{texts.app.goHome}</Link>
          <Link to={{ page: "history" }}>{texts.app.goToHistory}</Link>
        </>
      }
    >
      {explainError(error, texts)}
    </Message>
  );
};

interface LoadedProps<Value> {
  readonly query: UseQueryResult<Value>;
  readonly children: (value: Value) => ReactNode;
}

/** What a query has read; until then that it is under way, or why it failed. */
export const Loaded = <Value,>({ query, children }: LoadedProps<Value>): ReactNode => {
  const { texts } = usePage();
  const retry = useRetry();
  if (query.data !== undefined) return children(query.data);
  const error = query.error ?? query.failureReason;
  // The banner says what the program waits for.
  const isWaiting = error instanceof NoAnswerError && error.waitsFor !== null;
  if (isWaiting || (query.isPending && query.failureCount === 0)) {
    return <Loading text={texts.app.loading} />;
  }
  if (error instanceof RefusedError && error.status === 404) return <NotFound error={error} />;
  return (
    <Message
      tone="error"
      title={texts.app.failed}
      actions={<Button onPress={retry}>{texts.app.retry}</Button>}
    >
      {explainError(error, texts)}
    </Message>
  );
};
