import { createHash } from 'node:crypto'
import { changeBoard, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID } from '@lectern/protocol/control/client'
import { expect, it, onTestFinished } from 'vitest'
import { useCluster } from '../../support/cluster/use-cluster.ts'
import { becomeGuest, type Member, useMembers } from '../../support/members.ts'
import { waitFor } from '../../support/wait.ts'

const getCluster = useCluster({
  ...{ servers: 2, mediaNodes: 0, recorders: 0 },
  settings: { SVC_LIMITS_ENABLED: '0', SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '60' },
})
const enter = useMembers()

/** Draws one stroke after the other, and changes each second one afterwards, until the signal. */
function startDrawing(name: string, { client, session }: Member, signal: AbortSignal) {
  const committed = new Map<string, number>()
  const draw = async () => {
    for (let stroke = 1; !signal.aborted; stroke++)
      for (let version = 1; version <= 1 + (stroke % 2); version++) {
        const element_id = `${name}-${stroke}`
        await changeBoard(client, session, 'board.put', {
          ...{ page_id: FIRST_PAGE_ID, element_id, version, kind: 'stroke' },
          data: { points: [10, 20, 128, version, 1, 0], color: '#000000', width: 3, duration_ms: 100 },
        })
        committed.set(element_id, version)
      }
  }
  return { committed, done: draw() }
}

/** Of the whole content, as a client has it. */
const hashOf = ({ elements }: WatchedPage): string => {
  const content = [...elements].sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

it('BOARD-5 kill -9 of the owner loses no committed stroke, and has none twice at the next one', async () => {
  const cluster = getCluster()
  const partner = cluster.partner(await cluster.addAccount('school', ['integration:rooms', 'blob']))
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom('board', {})
  const join = async (server: number, link: string) => {
    const url = await cluster.entryAt(server)
    return enter({ url, tag, account: await becomeGuest(url), link }).waitForJoin()
  }
  const watch = ({ client, session }: Member) => {
    const page = new WatchedPage(client, session, FIRST_PAGE_ID)
    onTestFinished(() => page.close())
    return page
  }
  const members = [await join(0, teacher_join_url), await join(1, student_join_url)]
  const pages = members.map(watch)
  const drawing = new AbortController()
  const authors = members.map((member, at) => startDrawing(`author-${at}`, member, drawing.signal))
  const drawMore = async (what: string) => {
    const before = authors.map(({ committed }) => committed.size)
    await waitFor(() => authors.every(({ committed }, at) => committed.size > (before[at] ?? 0) + 5), what)
  }

  await drawMore('both draw')
  const { name, node } = await cluster.ownerOf(tag)
  await node.kill()
  await drawMore('both draw at the other server')
  expect((await cluster.ownerOf(tag)).name).not.toBe(name)
  drawing.abort()
  await Promise.all(authors.map(({ done }) => done))

  pages.push(watch(await join(1, student_join_url)))
  const committed = Object.fromEntries(authors.flatMap(each => [...each.committed]))
  const seen = ({ elements }: WatchedPage) =>
    Object.fromEntries([...elements.values()].map(({ element_id, version }) => [element_id, version]))
  const count = Object.keys(committed).length
  await waitFor(() => pages.every(({ elements }) => elements.size >= count), 'everybody has all strokes')
  const rows = await cluster.query<{ element_id: string; version: string }>(
    'SELECT element_id, version FROM lectern.board_elements WHERE tag = $1 AND deleted_at_ms IS NULL',
    tag,
  )
  expect(rows).toHaveLength(count)
  expect(Object.fromEntries(rows.map(({ element_id, version }) => [element_id, Number(version)]))).toEqual(
    committed,
  )
  await waitFor(() => new Set(pages.map(hashOf)).size === 1, 'all pages are equal')
  expect(pages.map(seen)).toEqual(pages.map(() => committed))
})
