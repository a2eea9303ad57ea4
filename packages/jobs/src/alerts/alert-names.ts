/** The names of causes and channels, which other programs rely on. */

/** What a person may be told of. */
export const ALERT_CAUSES = [
  "failed",
  "recovered",
  "stale",
  "held",
  "clock",
  "period",
  "owner",
] as const;

export type AlertCause = (typeof ALERT_CAUSES)[number];

/** Kinds of channels. */
export const CHANNEL_KINDS = ["webhook", "slack", "email", "telegram"] as const;

export type ChannelKind = (typeof CHANNEL_KINDS)[number];
