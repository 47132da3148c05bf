import { CommanderError } from 'commander'

/** A command that cannot be carried out, told in one line. */
export class CliError extends Error {
  override name = 'CliError'
}

/** Tells the error on standard error, in one line, and gives the exit code. */
export function reportError(error: unknown): number {
  // Commander has told these itself: help and --version end with 0, a wrong use of a command with 2.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`lectern: ${describe(error)}\n`)
  return 1
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (process.env.LECTERN_DEBUG && error.stack) return error.stack
  const isStore = (error as { code?: unknown }).code?.toString().startsWith('SQLITE_')
  return oneLine(
    isStore
      ? `the stores that [Server] DataDir and [Db] name cannot be used: ${error.message}`
      : error.message,
  )
}

/** Commander's "error: …", the way our own errors look. */
export const usageErrorLine = (text: string): string => `lectern: ${oneLine(text.replace(/^error: /, ''))}\n`

const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ')
