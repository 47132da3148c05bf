import { changeBoard, WatchedPage } from '@lectern/control-client'
import { pdf, textAt } from '@lectern/converter/testing'
import { versionsOfPage } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { useLectern } from '../../support/lectern.ts'
import { type Member, signInByLink, useMembers } from '../../support/members.ts'
import { waitFor } from '../../support/wait.ts'

const PAGES = 50
/** Converters give way to everything else. */
const CONVERTED_WITHIN_MS = 400_000

const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_CONVERTER_EMBEDDED: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '1',
}))
const enter = useMembers()

const slides = ({ view }: Member) =>
  (view?.board?.pages ?? []).flatMap(({ page_id, background }) =>
    background.kind === 'document' ? [{ page_id, number: background.page_number }] : [],
  )

/** The versions of what is on these pages, one page after the other. */
async function versionsOn({ client, session }: Member, pageIds: readonly string[]): Promise<string[]> {
  const versions: string[] = []
  for (const id of pageIds) {
    const page = new WatchedPage(client, session, id)
    await waitFor(() => page.isComplete, `${id} is there`)
    versions.push(versionsOfPage(new Map(page.elements)))
    page.close()
  }
  return versions
}

it('a document is drawn on page by page, and the next lesson continues on it, also after kill -9', async () => {
  const partner = lectern.client(await lectern.addAccount())
  const people = { teacher: { external_id: 'anna' }, student: { external_id: 'ben' } }
  const { tag, teacher_join_url: link } = await partner.createRoom('document', people)
  const document = pdf(
    Array.from({ length: PAGES }, (_, at) => ({ content: textAt(`Page ${at + 1}`, 72, 450) })),
  )
  await partner.putSlides('document', new Uint8Array(document))
  const isReady = async () => (await partner.getSlides('document')).slides?.state === 'ready'
  await waitFor(isReady, 'the document is converted', CONVERTED_WITHIN_MS)
  const account = await signInByLink(link)
  const join = () => enter({ url: lectern.url, tag, account, link }).waitForJoin()

  const first = await join()
  await waitFor(() => slides(first).length === PAGES, 'all pages are on the board')
  const pages = slides(first)
  expect(pages.map(({ number }) => number)).toEqual(Array.from({ length: PAGES }, (_, at) => at + 1))
  for (const { page_id, number } of pages) {
    const { client, session } = first
    await client.command('board.page_show', { kind: 'conference_session', id: session }, { page_id })
    await changeBoard(client, session, 'board.put', {
      ...{ page_id, element_id: `stroke-${number}-on-page`, version: 1, kind: 'stroke' },
      data: { points: [100, 20 * number, 0, 900, 0, 0], color: '#b3261e', width: 4, duration_ms: 300 },
    })
  }
  const expected = pages.map(({ number }) => `stroke-${number}-on-page:1`)
  const { session } = first
  first.leave()
  await lectern.stop('SIGKILL')
  await lectern.start()
  await waitFor(async () => !(await partner.roomStatus('document')).live, 'the lesson is over')

  const next = await join()
  expect(next.session).not.toBe(session)
  await waitFor(() => next.view?.board, 'the board is known')
  expect(slides(next)).toEqual(pages)
  expect(next.view?.board?.shown_page_id).toBe(pages.at(-1)?.page_id)
  expect(
    await versionsOn(
      next,
      pages.map(({ page_id }) => page_id),
    ),
  ).toEqual(expected)
})
