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

/** A button; a busy one keeps its width and cannot be pressed. */
export const Button = ({
  kind = "plain",
  icon,
  isBusy = false,
  ...props
}: ButtonProps): ReactNode => (
  <AriaButton
    className={`button button-${kind}`}
    type={props.type ?? "button"}
    isDisabled={props.isDisabled ?? false}
    isPending={isBusy}
    {...(props.onPress === undefined ? {} : { onPress: props.onPress })}
    {...(props.label === undefined ? {} : { "aria-label": props.label })}
    {...(props.isPressed === undefined ? {} : { "aria-pressed": props.isPressed })}
  >
    {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
    {icon === undefined || isBusy ? null : <Icon name={icon} />}
    {props.children}
  </AriaButton>
);
