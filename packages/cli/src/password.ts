import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The password of `--password`; `-` reads it from standard input, which no list of processes shows. */
export async function readPassword(given: string | undefined): Promise<string | undefined> {
  if (given !== '-') return given
  return process.stdin.isTTY ? askInTerminal() : (await text(process.stdin)).replace(/\r?\n$/, '')
}

async function askInTerminal(): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() }) // shows nothing of what is typed
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true })
  terminal.once('SIGINT', () => process.exit(130))
  process.stderr.write('Password: ')
  try {
    return await terminal.question('')
  } finally {
    process.stderr.write('\n')
    terminal.close()
  }
}
