/** One output of an ffmpeg command: its inputs, filter graph and encoder options. */
export interface FfmpegStep {
  /** Options per input, ending with `-i` and the file name. */
  inputs: string[][]
  /** `first` is the index of its first input. */
  filter: (first: number) => string
  output: string[]
}

/** Combines steps into one command: starting a process costs as much as mixing ten seconds of audio. */
export function ffmpegArguments(parts: FfmpegStep[]): string[] {
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
