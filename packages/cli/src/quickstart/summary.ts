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
  /** Firefox sends no media to a loopback address, and there is no other one. */
  withoutFirefox: boolean
}

/** What programs read: --json. */
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

/** What a person reads. Links stand alone on their lines, so that terminals make them clickable whole. */
export function toText({ url, room, account, folder, withoutFirefox }: Quickstart): string {
  const strong = (text: string) => bold(text, process.stdout)
  const quiet = (text: string) => dim(text, process.stdout)
  const facts = (rows: Record<string, string>) =>
    Object.entries(rows).map(([name, value]) => `  ${quiet(name.padEnd(17))}${value}`)
  return [
    '',
    `  ${green('●', process.stdout)} ${strong('Lectern is running')} at ${url}`,
    '',
    `  ${strong(room.title)}: open each link in a window of its own`,
    '',
    `  ${quiet('Teacher')}`,
    `  ${room.teacher_join_url}`,
    '',
    `  ${quiet('Student')}`,
    `  ${room.student_join_url}`,
    '',
    `  ${strong('For your backend')}`,
    ...facts({
      'API reference': `${url}/docs`,
      'Service account': account.service_account,
      'Client secret': account.client_secret,
    }),
    '',
    `  ${strong('On this machine')}`,
    ...facts({
      'Data folder': short(folder.path),
      'Log file': short(folder.log),
      'Other commands': `npx lectern doctor --config ${short(folder.config)}`,
    }),
    '',
    ...(withoutFirefox
      ? [
          '  This machine has no network address, and Firefox sends no media to 127.0.0.1: use another browser.',
          '',
        ]
      : []),
    `  ${quiet('Ctrl+C stops the server.')}`,
    '',
  ].join('\n')
}

/** As one would type it here. */
function short(path: string): string {
  const fromHere = relative('', path)
  return fromHere === '' || fromHere.startsWith(`..${sep}`) || fromHere === '..' ? path : fromHere
}
