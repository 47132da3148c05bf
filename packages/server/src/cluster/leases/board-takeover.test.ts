import { type ControlClient, changeBoard, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID, versionsOfPage } from '@lectern/protocol/control'
import { expect, it, onTestFinished } from 'vitest'
import { uploadFile } from '../../records/testing/participant-upload.ts'
import { TestConverter } from '../../records/testing/test-converter.ts'
import type { TestServer } from '../../testing/server.ts'
import { useTwoServers } from '../testing/use-two-servers.ts'
import { waitFor } from '../testing.ts'

const { servers, addPerson, createConference, join } = useTwoServers({ hasMediaNode: true })

/** Draws one element after the other, each second one twice, until the signal. */
function startDrawing(name: string, client: ControlClient, session: string, signal: AbortSignal) {
  const committed = new Map<string, number>()
  const put = (element_id: string, version: number) =>
    changeBoard(client, session, 'board.put', {
      ...{ page_id: FIRST_PAGE_ID, element_id, version, kind: 'stroke' },
      data: { points: [10, 20, 128, version, 1, 0], color: '#000000', width: 3, duration_ms: 100 },
    })
  const run = async () => {
    for (let i = 1; !signal.aborted; i++)
      for (let version = 1; version <= 1 + (i % 2); version++) {
        await put(`${name}-${1_000 + i}`, version)
        committed.set(`${name}-${1_000 + i}`, version)
      }
  }
  return { committed, done: run() }
}

it('BOARD-5 BOARD-16 the death of the owner loses no committed element, and adds each page of slides once', async () => {
  const { cluster, a, b } = servers()
  const [anna, ben, cara] = [await addPerson('anna'), await addPerson('ben'), await addPerson('cara')]
  const tag = await createConference(anna)
  // The first one makes the server the owner.
  const atOwner = join(b, cara, tag)
  await atOwner.joined(1)
  const people = [join(a, anna, tag), join(a, ben, tag)] as const
  for (const each of people) await each.joined(1)
  const session = people[0].sessions[0] as string
  const watch = ({ client }: { client: ControlClient }) => new WatchedPage(client, session, FIRST_PAGE_ID)
  const pages = people.map(watch)
  onTestFinished(() => {
    for (const page of pages) page.close()
  })
  const atSurvivor = {
    config: { Db: { Url: cluster.dbUrl } },
    call: a.call,
    addUser: (login: string, { capabilities }: { capabilities: never[] }) =>
      cluster.addUser(login, capabilities),
  } as unknown as TestServer
  const converter = await TestConverter.open(atSurvivor)
  onTestFinished(() => converter.close())
  const slides = {
    conference: tag,
    purpose: 'slides',
    name: 'a.pdf',
    bytes: Buffer.from('%PDF-1.7 a'),
  } as const
  const job = await converter.lease(await uploadFile(atSurvivor, anna, slides))
  const numbers = () =>
    (people[0].client.session(session).get()?.board?.pages ?? []).flatMap(({ background }) =>
      background.kind === 'document' ? [background.page_number] : [],
    )
  await converter.addPage(job, 1, 3)
  await waitFor(() => numbers().length === 1, 'the first page of the slides')

  const drawing = new AbortController()
  const authors = people.map(({ client }, at) =>
    startDrawing(`author-${at}`, client, session, drawing.signal),
  )
  const drawMore = async (what: string) => {
    const before = authors.map(({ committed }) => committed.size)
    await waitFor(() => authors.every(({ committed }, at) => committed.size > (before[at] ?? 0) + 3), what)
  }
  await drawMore('both draw')
  const paths = [b.nats, b.db, b.link, a.link]
  for (const path of paths) path.cut()
  // Nobody runs the session when the last pages are done.
  await converter.addPage(job, 2, 3)
  await converter.addPage(job, 3, 3)
  await drawMore('both draw at the other server')
  await waitFor(() => numbers().length === 3, 'all pages of the slides')
  expect(numbers()).toEqual([1, 2, 3])
  for (const path of paths) path.mend()
  drawing.abort()
  await Promise.all(authors.map(({ done }) => done))

  pages.push(watch(atOwner))
  const expected = authors.flatMap(({ committed }) =>
    [...committed].map(([id, version]) => `${id}:${version}`),
  )
  const seen = () => pages.map(({ elements }) => versionsOfPage(new Map(elements)))
  await waitFor(() => seen().every(each => each === expected.sort().join(' ')), 'everybody has the same page')
  expect(numbers()).toEqual([1, 2, 3])
})
