import { writeSync } from 'node:fs'
import { fileProblem } from '@lectern/server/operator'
import { CommanderError } from 'commander'

/** A command failed; the message is one line for the operator. */
export class CliError extends Error {
  override name = 'CliError'
}

/** Prints the error to standard error, in one line, and returns the exit code. */
export function reportError(error: unknown): number {
  // Commander has printed these itself: help and --version exit with 0, invalid usage with 2.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`lectern: ${describe(error)}\n`)
  return 1
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (process.env.LECTERN_DEBUG && error.stack) return error.stack
  const isStore = (error as { code?: unknown }).code?.toString().startsWith('SQLITE_')
  if (isStore) return oneLine(`cannot open the databases in [Server] DataDir and [Db]: ${error.message}`)
  const { path } = error as NodeJS.ErrnoException
  const problem = path === undefined ? null : fileProblem(error)
  return oneLine(problem === null ? error.message : `${path}: ${problem}`)
}

/**
 * Ends the process when nobody reads its output any more, such as `head`, without a word; a full disk is reported. Links that
 * were not printed are lost with it.
 */
export function endWithOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE')
        writeSync(process.stderr.fd, `lectern: the output cannot be written: ${message}\n`)
      process.exit(1)
    })
}

/** Commander's "error: …" in the format of all other errors. */
export const usageErrorLine = (text: string): string => `lectern: ${oneLine(text.replace(/^error: /, ''))}\n`

const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ')
