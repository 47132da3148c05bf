/**
 * The names of now with what a reader has added and removed since they were `shown`: a change that another administrator has made
 * meanwhile is not undone.
 */
export const reapplied = (
  now: readonly string[],
  shown: readonly string[],
  chosen: readonly string[],
): string[] => {
  const kept = now.filter(each => chosen.includes(each) || !shown.includes(each))
  return [...kept, ...chosen.filter(each => !shown.includes(each) && !now.includes(each))]
}
