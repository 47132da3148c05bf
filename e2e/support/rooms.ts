import type { PartnerClient } from '@lectern/partner'
import type { BrowserContextOptions } from 'playwright-core'
import type { Tab } from './browser.ts'
import { LESSON } from './links.ts'
import { type JoinOptions, Visitor } from './visitor.ts'

type Open = (url: string, options?: BrowserContextOptions) => Promise<Tab>

/** Creates a room through the partner API, with functions to join it. */
export async function createHostedRoom(partner: PartnerClient, id: string, open: Open) {
  const { tag, teacher_join_url, student_join_url, join_url } = await partner.createRoom(id, LESSON)
  type Options = BrowserContextOptions & Pick<JoinOptions, 'withoutDevices'>
  const enter = async (link: string, { withoutDevices = false, ...options }: Options = {}) =>
    Visitor.join(await open(link, options), { withoutDevices })
  return {
    tag,
    links: { teacher: teacher_join_url, student: student_join_url, plain: join_url },
    teacher: (options?: Options) => enter(teacher_join_url, options),
    student: (options?: Options) => enter(student_join_url, options),
    guest: async (name: string, options?: BrowserContextOptions) =>
      Visitor.join(await open(join_url, options), { name }),
  }
}
