import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components";

import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: (() => void) | undefined;
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly icon?: IconName | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isBusy?: boolean | undefined;
  readonly type?: "submit" | "button";
  readonly label?: string | undefined;
  readonly isPressed?: boolean | undefined;
}

/** A busy button keeps the focus, and does nothing. */
const BUSY = { type: "button", "aria-busy": true, onPress: () => undefined } as const;

/** Attributes that are there only where they have a value. */
const given = ({ onPress, label, isPressed }: ButtonProps) => ({
  ...(onPress === undefined ? {} : { onPress }),
  ...(label === undefined ? {} : { "aria-label": label }),
  ...(isPressed === undefined ? {} : { "aria-pressed": isPressed }),
});

/** A button; a busy one keeps its width and cannot be pressed. */
export const Button = (props: ButtonProps): ReactNode => {
  const { kind = "plain", icon, isBusy = false, isDisabled = false, type = "button" } = props;
  return (
    <AriaButton
      className={`button button-${kind}`}
      type={type}
      isDisabled={isDisabled}
      {...given(props)}
      {...(isBusy ? BUSY : {})}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
      {icon === undefined || isBusy ? null : <Icon name={icon} />}
      {props.children}
    </AriaButton>
  );
};
