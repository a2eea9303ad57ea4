const GROUP = 3;

/** Digits with a sign between the thousands: `129990` as `129.990`. Anything before them is a digit too. */
export function groupDigits(digits: string, sign: string): string {
  const first = digits.length % GROUP || GROUP;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += GROUP) groups.push(digits.slice(at, at + GROUP));
  return groups.join(sign);
}
