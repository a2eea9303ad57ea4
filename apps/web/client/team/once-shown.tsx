/** A secret that is shown this once: a link or a key, to be copied before the window closes. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import { usePage } from "../lib/page.tsx";
import { Button } from "../ui/controls.tsx";
import { Dialog } from "../ui/messages.tsx";

/** Copies a text; a browser that refuses leaves it to be selected. */
export const CopyButton = ({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactNode => {
  const words = usePage().texts.team.people;
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <>
      <Button kind={isCopied ? "plain" : "primary"} onPress={copy}>
        {isCopied ? words.copied : label}
      </Button>
      <span className="unseen" role="status">
        {isCopied ? words.copied : ""}
      </span>
    </>
  );
};

interface OnceShownProps {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly value: string;
  readonly onClose: () => void;
}

export const OnceShown = ({ title, text, label, value, onClose }: OnceShownProps): ReactNode => {
  const { people } = usePage().texts.team;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog title={title} isOpen isKept onClose={onClose}>
      <p>{text}</p>
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          ref={field}
          className="input once-shown"
          value={value}
          readOnly
          onFocus={({ target }) => target.select()}
        />
      </div>
      <div className="line">
        <CopyButton text={value} label={people.copy} />
      </div>
    </Dialog>
  );
};
