import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'

/** The files of a quickstart, as absolute paths. */
export interface Folder {
  path: string
  config: string
  /** The demo account: examples/partner-backend.mjs reads it. */
  account: string
  log: string
}

/** Creates the folder and its configuration; an existing configuration is never changed. */
export function prepareFolder(dir: string, port: number): Folder {
  const path = resolve(dir)
  const folder = {
    path,
    config: join(path, 'lectern.ini'),
    account: join(path, 'demo-account.json'),
    log: join(path, 'lectern.log'),
  }
  makeFolder(path)
  if (!existsSync(folder.config)) writeAtomically(folder.config, configText(port))
  return folder
}

/** Writes a secret file atomically: a crash never leaves a partial file. */
export function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.part`
  const descriptor = openSync(temporary, 'w', 0o600)
  writeFileSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(temporary, file)
}

/** A log file that is written synchronously, so that a crash loses no line. */
export function appendTo(file: string): { write(line: string): void } {
  const descriptor = openSync(file, 'a', 0o600)
  return { write: line => void writeSync(descriptor, line) }
}

const configText = (
  port: number,
) => `; Configuration of Lectern, created by "npm start", which never overwrites it.
; docs/configuration.md lists all keys. Paths are relative to this file. Changes require a restart.

[Server]
Host = 127.0.0.1
Port = ${port}
; Signs all tokens and join links. Keep it secret; changing it invalidates all sessions and links.
JwtSecret = ${randomBytes(32).toString('base64url')}
; Databases and other files are stored next to this file.
DataDir = .

[Media]
; Also opens media ports on the machine's network address: Firefox does not send media to 127.0.0.1.
ListenOnHostAddress = 1

[Integration]
; The API for partner platforms.
Enabled = 1
; For development only: allows webhooks to http and private addresses. Remove it in production.
AllowInsecureWebhooks = 1
`
