import { useSyncExternalStore } from "react";

import type { ExternalValue } from "./external-value.ts";

/** The current value; the component is drawn again when it changes. */
export const useExternal = <Value>(value: ExternalValue<Value>): Value =>
  useSyncExternalStore(value.subscribe, value.get);
