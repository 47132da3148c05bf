import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { changeBoard, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID, versionsOfPage } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { useLectern } from '../../support/lectern.ts'
import { becomeGuest, type Member, useMembers } from '../../support/members.ts'
import { waitFor } from '../../support/wait.ts'

const KILLS = 5
const LATEST_KILL_MS = 1_500
const DRAW_EVERY_MS = 100

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const enter = useMembers()

const draw = (member: Member, element_id: string, version: number) =>
  changeBoard(member.client, member.session, 'board.put', {
    page_id: FIRST_PAGE_ID,
    element_id,
    version,
    kind: 'stroke',
    data: { points: [10, 20, 128, version, 1, 0], color: '#000000', width: 3, duration_ms: 100 },
  })

it('BOARD-5 kill -9 of the server at random moments loses no committed stroke, and everybody has the same page', async () => {
  const seed = testSeed()
  const random = seededRandom(seed)
  const partner = lectern.client(await lectern.addAccount())
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom('board', {})
  const join = async (link: string) =>
    enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url), link }).waitForJoin()
  const members = [await join(teacher_join_url), await join(student_join_url), await join(student_join_url)]
  const pages = members.map(({ client, session }) => new WatchedPage(client, session, FIRST_PAGE_ID))

  let isOver = false
  const committed = new Map<string, number>()
  const drawing = members.map(async (member, author) => {
    for (let stroke = 1; !isOver; stroke++) {
      const id = `member-${author}-${stroke}`
      // Each second stroke is changed afterwards.
      for (let version = 1; version <= 1 + (stroke % 2); version++) {
        await draw(member, id, version)
        committed.set(id, version)
      }
      await sleep(random() * DRAW_EVERY_MS)
    }
  })
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = committed.size
    await waitFor(() => committed.size > before, 'people draw')
    await sleep(random() * LATEST_KILL_MS)
    await lectern.stop('SIGKILL')
    await lectern.start()
  }
  isOver = true
  await Promise.all(drawing)

  const late = await join(student_join_url)
  const all = [...pages, new WatchedPage(late.client, late.session, FIRST_PAGE_ID)]
  const expected = [...committed].map(([id, version]) => `${id}:${version}`)
  const versions = () => all.map(({ elements }) => versionsOfPage(new Map(elements)))
  await waitFor(
    () => versions().every(each => each === expected.sort().join(' ')),
    `everybody has ${expected.length} strokes (seed ${seed})`,
  )
  expect(committed.size).toBeGreaterThan(KILLS)
  for (const page of all) page.close()
})
