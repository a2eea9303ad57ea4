const GROUP = 3;

/**
 * Groups digits by thousands with a sign: `129990` becomes `129.990`. `digits` must hold digits
 * only.
 */
export function groupDigits(digits: string, sign: string): string {
  const first = digits.length % GROUP || GROUP;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += GROUP) groups.push(digits.slice(at, at + GROUP));
  return groups.join(sign);
}
