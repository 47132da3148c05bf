/**
 * What somebody chose who had seen `shown`, as changes of the names that are there now: what another administrator has added
 * or removed meanwhile stays so.
 */
export const reapplied = (
  now: readonly string[],
  shown: readonly string[],
  chosen: readonly string[],
): string[] => {
  const kept = now.filter(each => chosen.includes(each) || !shown.includes(each))
  return [...kept, ...chosen.filter(each => !shown.includes(each) && !now.includes(each))]
}
