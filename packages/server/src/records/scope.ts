const PREFIX = 'recording:'

/** The storage scope of what was recorded in a conference (contract §5.5). */
export const recordingScope = (tag: string): string => PREFIX + tag

/** The conference of a scope; null when it is another kind. */
export const tagOfScope = (scope: string): string | null =>
  scope.startsWith(PREFIX) ? scope.slice(PREFIX.length) : null
