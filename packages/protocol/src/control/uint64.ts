/** The decimal digits of every unsigned 64-bit integer but 0, canonical and exact: up to 18446744073709551615. */
const POSITIVE = [
  '[1-9][0-9]{0,18}',
  ...[...'18446744073709551615'].flatMap(smallerAtDigit),
  '18446744073709551615',
].join('|')

export const COUNTER_PATTERN = `^(?:0|${POSITIVE})$`
export const GENERATION_PATTERN = `^(?:${POSITIVE})$`

/** The 20-digit numbers that equal the maximum before digit `at` and are smaller at that digit. */
function smallerAtDigit(digit: string, at: number, max: string[]): string[] {
  const least = at === 0 ? 1 : 0
  const most = Number(digit) - 1
  if (most < least) return []
  const choice = most === least ? `${most}` : `[${least}-${most}]`
  const rest = max.length - at - 1
  return [max.slice(0, at).join('') + choice + (rest > 1 ? `[0-9]{${rest}}` : rest === 1 ? '[0-9]' : '')]
}
