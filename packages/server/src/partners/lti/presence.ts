/** From, until: Unix milliseconds. */
export type Interval = readonly [number, number]

/** Merges overlapping ones, in order. */
function union(intervals: readonly Interval[]): Interval[] {
  const merged: [number, number][] = []
  for (const [from, until] of [...intervals].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], until)
    else if (until > from) merged.push([from, until])
  }
  return merged
}

const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, [from, until]) => sum + until - from, 0)

const intersection = (one: readonly Interval[], other: readonly Interval[]): Interval[] =>
  one.flatMap(([from, until]) =>
    other
      .map(each => [Math.max(from, each[0]), Math.min(until, each[1])] as const)
      .filter(each => each[1] > each[0]),
  )

/** The lesson lasts while somebody teaches; without a teacher, as long as the sessions. */
export const lessonOf = (teachers: readonly Interval[], sessions: readonly Interval[]): Interval[] => {
  const taught = union(teachers)
  return lengthOf(taught) > 0 ? taught : union(sessions)
}

/** Percent of the lesson in which the person was inside on any device. */
export function presencePercent(presence: readonly Interval[], lesson: readonly Interval[]): number {
  const whole = lengthOf(lesson)
  return whole === 0 ? 0 : Math.round((100 * lengthOf(intersection(union(presence), lesson))) / whole)
}
