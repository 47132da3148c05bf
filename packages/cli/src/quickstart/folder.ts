import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

/** Everything that a quickstart keeps, by absolute path. */
export interface Folder {
  path: string
  config: string
  /** The demo account: examples/partner-backend.mjs reads it. */
  account: string
  log: string
}

/** Makes what is missing of the folder. A configuration that is there is the owner's and stays as it is. */
export function prepareFolder(dir: string, port: number): Folder {
  const path = resolve(dir)
  const folder = {
    path,
    config: join(path, 'lectern.ini'),
    account: join(path, 'demo-account.json'),
    log: join(path, 'lectern.log'),
  }
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (!existsSync(folder.config)) writeWhole(folder.config, configText(port))
  return folder
}

/** Writes a secret file so that nobody, not even after a crash, finds half of it. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.part`
  const descriptor = openSync(unfinished, 'w', 0o600)
  writeFileSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(unfinished, file)
}

/** Where log lines go: appended at once, so that a crash loses none. */
export function appendTo(file: string): { write(line: string): void } {
  const descriptor = openSync(file, 'a', 0o600)
  return { write: line => void writeSync(descriptor, line) }
}

const configText = (
  port: number,
) => `; Lectern's configuration, made by "npm start". It is yours: it is never rewritten.
; docs/configuration.md lists every key. Paths are relative to this file. Changes need a restart.

[Server]
Host = 127.0.0.1
Port = ${port}
; The key of all tokens and join links. Keep it secret; changing it ends all sign-ins and links.
JwtSecret = ${randomBytes(32).toString('base64url')}
; Databases and other files stay beside this file.
DataDir = .

[Media]
; Media ports are also opened on the machine's address in its network: Firefox sends no media to 127.0.0.1.
ListenOnHostAddress = 1

[Integration]
; The API for partner platforms.
Enabled = 1
; For development only: webhooks may go to http and to private addresses. Remove it in production.
AllowInsecureWebhooks = 1
`
