import { relative, sep } from 'node:path'
import type { RoomResponse } from '@lectern/protocol'
import { bold, dim, green } from '../output.ts'
import type { DemoAccount } from './demo-account.ts'
import type { Folder } from './folder.ts'

export interface Quickstart {
  url: string
  room: RoomResponse
  account: DemoAccount
  folder: Folder
  /** Firefox does not send media to loopback addresses, and this machine has no other address. */
  withoutFirefox: boolean
}

/** The output of --json. */
export const toJson = ({ url, room, account, folder }: Quickstart) => ({
  ready: true,
  url,
  docs_url: `${url}/docs`,
  room: {
    external_id: room.external_id,
    title: room.title,
    teacher_join_url: room.teacher_join_url,
    student_join_url: room.student_join_url,
  },
  service_account: account.service_account,
  client_secret: account.client_secret,
  data: folder.path,
  config: folder.config,
  log: folder.log,
})

/** The output for people. Every link has a line of its own, so that terminals make it clickable. */
export function toText({ url, room, account, folder, withoutFirefox }: Quickstart): string {
  const emphasised = (text: string) => bold(text, process.stdout)
  const dimmed = (text: string) => dim(text, process.stdout)
  const fields = (rows: Record<string, string>) =>
    Object.entries(rows).map(([name, value]) => `  ${dimmed(name.padEnd(17))}${value}`)
  return [
    '',
    `  ${green('●', process.stdout)} ${emphasised('Lectern is running')} at ${url}`,
    '',
    `  ${emphasised(room.title)}: open each link in its own window`,
    '',
    `  ${dimmed('Teacher')}`,
    `  ${room.teacher_join_url}`,
    '',
    `  ${dimmed('Student')}`,
    `  ${room.student_join_url}`,
    '',
    `  ${emphasised('For your backend')}`,
    ...fields({
      'API reference': `${url}/docs`,
      'Service account': account.service_account,
      'Client secret': account.client_secret,
    }),
    '',
    `  ${emphasised('On this machine')}`,
    ...fields({
      'Data folder': displayPath(folder.path),
      'Log file': displayPath(folder.log),
      'Other commands': `npx lectern doctor --config ${displayPath(folder.config)}`,
    }),
    '',
    ...(withoutFirefox
      ? [
          '  This machine has no network address, and Firefox does not send media to 127.0.0.1: use another browser.',
          '',
        ]
      : []),
    `  ${dimmed('Press Ctrl+C to stop the server.')}`,
    '',
  ].join('\n')
}

/** The path relative to the current directory, if it is below it. */
function displayPath(path: string): string {
  const relativePath = relative('', path)
  return relativePath === '' || relativePath.startsWith(`..${sep}`) || relativePath === '..'
    ? path
    : relativePath
}
