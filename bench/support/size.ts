/** With `--smoke` a benchmark takes seconds: it shows that the benchmark works, and says nothing about speed. */
export const isSmoke = process.argv.includes('--smoke')

/** The arguments of the command, without `--smoke`. */
export const args = process.argv.slice(2).filter(argument => argument !== '--smoke')

/** A size that is set by an environment variable. */
export const size = (variable: string, usual: number, smoke: number): number =>
  Number(process.env[variable] ?? (isSmoke ? smoke : usual))

/** Sizes that are set by one environment variable, with commas between them. */
export const sizes = (variable: string, usual: string, smoke: string): number[] =>
  (process.env[variable] ?? (isSmoke ? smoke : usual)).split(',').map(Number)
