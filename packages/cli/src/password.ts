import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The password of `--password`; `-` reads it from standard input, which keeps it out of process lists. */
export async function readPassword(given: string | undefined): Promise<string | undefined> {
  if (given !== '-') return given
  return process.stdin.isTTY ? promptForPassword() : (await text(process.stdin)).replace(/\r?\n$/, '')
}

async function promptForPassword(): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() }) // does not echo the typed characters
  const terminal = createInterface({ input: process.stdin, output: discard, terminal: true })
  terminal.once('SIGINT', () => process.exit(130))
  process.stderr.write('Password: ')
  try {
    return await terminal.question('')
  } finally {
    process.stderr.write('\n')
    terminal.close()
  }
}
