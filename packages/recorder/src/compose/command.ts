/** What a command of ffmpeg does beside other things: reads some files, makes one thing of them, and writes that. */
export interface Part {
  /** Each as it stands in the command, `-i` and the name at its end. */
  inputs: string[][]
  /** The inputs are numbered from `first` on. */
  filter: (first: number) => string
  output: string[]
}

/** A process takes as long to start as to mix ten seconds of sound: what can be done in one is. */
export function commandOf(parts: Part[]): string[] {
  let first = 0
  const filters = parts.map(({ inputs, filter }) => {
    const from = first
    first += inputs.length
    return filter(from)
  })
  return [
    ...['-filter_complex_threads', '1'],
    ...parts.flatMap(({ inputs }) => inputs.flat()),
    ...filters.flatMap(filter => ['-filter_complex', filter]),
    ...parts.flatMap(({ output }) => output),
  ]
}
